import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** What a broker of a test does with one whole request: answer bytes for it (a frame without its length), or act on the socket. */
export type Behaviour = (request: FakeRequest, socket: Socket) => Buffer | null

export interface FakeRequest {
  readonly apiKey: number
  readonly apiVersion: number
  readonly correlationId: number
  readonly body: Buffer
}

export interface FakeBroker {
  readonly port: number
  readonly connections: () => number
  close(): Promise<void>
}

/** A socket that cuts requests apart and hands them to `behave`: for the misbehaviour that a simulator should not have. */
export async function fakeBroker(behave: Behaviour, host = '127.0.0.1'): Promise<FakeBroker> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const server: Server = createServer((socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    let buffered = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= 4 && buffered.length >= 4 + buffered.readInt32BE(0)) {
        const frame = buffered.subarray(4, 4 + buffered.readInt32BE(0))
        buffered = buffered.subarray(4 + frame.length)
        const answer = behave(
          {
            apiKey: frame.readInt16BE(0),
            apiVersion: frame.readInt16BE(2),
            correlationId: frame.readInt32BE(4),
            body: frame,
          },
          socket,
        )
        if (answer !== null) socket.write(framed(frame.readInt32BE(4), answer))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function framed(correlationId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeInt32BE(payload.length + 4, 0)
  head.writeInt32BE(correlationId, 4)
  return Buffer.concat([head, payload])
}
