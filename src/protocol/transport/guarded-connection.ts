import { connect as connectTcp, isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect as connectTls } from 'node:tls'
import KafkaJsConnection from 'kafkajs/src/network/connection.js'
import type { BrokerAddress } from './address.js'
import { FrameSplitter } from './frames.js'
import { kafkaJsLogin } from './login.js'
import type { TransportSettings } from './settings.js'

/** kafkajs fails a request of its own (login) after this; ours have deadlines of their own. ms */
const KAFKAJS_TIMEOUT_MS = 2 ** 31 - 1

/**
 * A login is renewed when so much of the time is over for which the broker keeps to it: as early as Kafka's own client may
 * (SaslClientAuthenticator: at 85 to 95 %). kafkajs would do it 10 s before the end, so at every request where it lasts no longer, and
 * a broker breaks the connection where that happens twice within a second (KafkaChannel, 4.4.0).
 */
const RENEW_LOGIN_AT = 0.85

/** kafkajs prints nothing: what there is to say, we say. */
const SILENT_LOGGER = {
  namespace: () => SILENT_LOGGER,
  debug() {},
  info() {},
  warn() {},
  error() {},
}

/** kafkajs's connection, with frames cut linearly and within bounds, and no timers of its own left behind. */
export class GuardedConnection extends KafkaJsConnection {
  readonly #frames = new FrameSplitter()
  bytesReceived = 0
  closedReason: Error | null = null

  override processData(chunk: Buffer): void {
    this.bytesReceived += chunk.length
    try {
      this.#frames.push(chunk, (frame) => {
        this.requestQueue.fulfillRequest({
          size: frame.length,
          correlationId: frame.readInt32BE(0),
          payload: frame.subarray(4),
        })
      })
    } catch (error) {
      this.abort(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** False: there is no login yet, or it is to be renewed before the next request (KIP-368). */
  override isAuthenticated(): boolean {
    if (this.authenticatedAt === null) return false
    const lifeMs = Number(this.sessionLifetime.value)
    if (lifeMs <= 0) return true
    const [seconds, nanoseconds] = process.hrtime(this.authenticatedAt)
    return seconds * 1000 + nanoseconds / 1e6 < lifeMs * RENEW_LOGIN_AT
  }

  /** Ends the connection at once; whatever is under way fails with `reason`. */
  abort(reason: Error): void {
    this.closedReason ??= reason
    this.authHandlers?.onError()
    this.rejectRequests(this.closedReason)
    // While it is being made kafkajs has a timer of its own, and a caller that waits: only an error ends both.
    if (this.isConnected()) this.socket?.destroy()
    else this.socket?.destroy(this.closedReason)
    // Resolves at once: nothing is pending any more.
    void this.disconnect()
  }
}

/** A connection that is not connected yet. @param timeoutMs to connect. ms */
export function guardedConnection(
  address: BrokerAddress,
  settings: TransportSettings,
  timeoutMs: number,
): GuardedConnection {
  const connection: GuardedConnection = new GuardedConnection({
    host: address.host,
    port: address.port,
    clientId: settings.clientId,
    connectionTimeout: timeoutMs,
    requestTimeout: KAFKAJS_TIMEOUT_MS,
    enforceRequestTimeout: false,
    maxInFlightRequests: null,
    ssl: settings.tls,
    sasl: settings.sasl === null ? null : kafkaJsLogin(settings.sasl),
    logger: SILENT_LOGGER,
    socketFactory: ({ host, port, onConnect }) => {
      const socket =
        settings.tls === null
          ? connectTcp({ host, port, noDelay: true }, onConnect)
          : connectTls({ ...expectedName(address), ...settings.tls, host, port }, onConnect)
      socket.setNoDelay(true)
      // Before kafkajs hears of it: it keeps the code to itself, and that tells what was wrong with a certificate.
      socket.once('error', (error) => connection.abort(error))
      // kafkajs does not listen to it: a connection that is closed without 'end' would leave its requests waiting.
      socket.once('close', () => connection.abort(new Error('closed by the broker')))
      return socket
    },
  })
  const queue = connection.requestQueue
  const schedule = queue.scheduleCheckPendingRequests.bind(queue)
  // Without anything pending kafkajs sets a timer with a negative delay at every answer (a warning on Node 24).
  queue.scheduleCheckPendingRequests = () => {
    if (queue.pending.length > 0) schedule()
  }
  return connection
}

/** Whose certificate it has to be. Node looks at the host that it connects to, unless a server name is set, and that may not be an IP. */
function expectedName(address: BrokerAddress): Pick<ConnectionOptions, 'servername' | 'checkServerIdentity'> {
  const name = address.certificateName ?? address.host
  if (isIP(name) === 0) return { servername: name }
  return { checkServerIdentity: (_connectedTo, certificate) => checkServerIdentity(name, certificate) }
}
