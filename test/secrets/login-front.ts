import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { STORES } from '../config/command-configs.js'
import { framed } from '../protocol/transport/fake-broker.js'

const API_VERSIONS = 18
const SASL_HANDSHAKE = 17
const SASL_AUTHENTICATE = 36
const AUTHENTICATION_FAILED = 58

export interface LoginFront {
  readonly port: number
  /** What came in as logins, as text. */
  readonly logins: readonly string[]
  close(): Promise<void>
}

/**
 * A login, and TLS, in front of one broker of a simulator, which has neither: the login is looked at here, and all else is handed on
 * as it is.
 * @param mechanism null: no login, only TLS
 */
export async function loginFront(
  upstream: number,
  options: {
    readonly mechanism: 'PLAIN' | 'OAUTHBEARER' | null
    readonly accepts: (login: string) => boolean
    /** Wants a client certificate of the test's authority. */
    readonly tls?: boolean
  },
): Promise<LoginFront> {
  const logins: string[] = []
  const sockets = new Set<Socket>()
  const onConnection = (client: Socket) => {
    const broker = connect(upstream, '127.0.0.1')
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    const versionsAsked = new Set<number>()
    onFrames(client, (frame) => {
      const [apiKey, correlationId] = [frame.readInt16BE(0), frame.readInt32BE(4)]
      if (apiKey === API_VERSIONS) versionsAsked.add(correlationId)
      if (apiKey === SASL_HANDSHAKE) client.write(framed(correlationId, handshakeAnswer(options.mechanism ?? '')))
      else if (apiKey === SASL_AUTHENTICATE) {
        const login = frame.subarray(10 + Math.max(0, frame.readInt16BE(8)) + 4).toString('utf8')
        logins.push(login)
        const refused = !options.accepts(login)
        client.write(framed(correlationId, authenticateAnswer(refused)))
        if (refused) setImmediate(() => client.end())
      } else broker.write(withLength(frame))
    })
    onFrames(broker, (frame) => {
      client.write(withLength(versionsAsked.delete(frame.readInt32BE(0)) ? withLoginApis(frame) : frame))
    })
  }
  const stored = (name: string) => readFileSync(join(STORES, name))
  const server: Server =
    options.tls === true
      ? createTlsServer(
          { key: stored('server.key'), cert: stored('server.pem'), ca: stored('ca.pem'), requestCert: true },
          onConnection,
        ).on('tlsClientError', () => {})
      : createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function onFrames(socket: Socket, take: (frame: Buffer) => void): void {
  let buffered = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    while (buffered.length >= 4 && buffered.length >= 4 + buffered.readInt32BE(0)) {
      const frame = buffered.subarray(4, 4 + buffered.readInt32BE(0))
      buffered = buffered.subarray(4 + frame.length)
      take(frame)
    }
  })
}

function withLength(frame: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(frame.length)
  return Buffer.concat([length, frame])
}

/** ApiVersions 3: correlation id, error, a compact array of which the first entries are the login's two. */
function withLoginApis(frame: Buffer): Buffer {
  const entries = [SASL_HANDSHAKE, SASL_AUTHENTICATE].flatMap((key) => [0, key, 0, 0, 0, 1, 0])
  // Fewer than 127 apis: the length is one byte, one more than there are.
  return Buffer.concat([frame.subarray(0, 6), Buffer.of(frame.readUInt8(6) + 2, ...entries), frame.subarray(7)])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const handshakeAnswer = (mechanism: string) => Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 1), text(mechanism)])

/** SaslAuthenticate 1: error, message (null: -1), bytes (empty), session lifetime. */
function authenticateAnswer(refused: boolean): Buffer {
  const error = Buffer.alloc(2)
  error.writeInt16BE(refused ? AUTHENTICATION_FAILED : 0)
  const message = refused ? text('Authentication failed: Invalid username or password') : Buffer.of(0xff, 0xff)
  return Buffer.concat([error, message, Buffer.alloc(4), Buffer.alloc(8)])
}
