import { type AddressInfo, createServer, type Socket } from 'node:net'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { DescribeTopicPartitions } from '../../src/protocol/rpc/describe-topic-partitions.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { encodeResponse } from '../../src/protocol/schema/rpc.js'
import { framed } from '../protocol/transport/fake-broker.js'

export interface Asked {
  readonly apiKey: number
  readonly apiVersion: number
  readonly correlationId: number
}

/** What it does with a connection that was just made, and with each request. */
export interface Behaviour {
  readonly onConnect?: (socket: Socket) => void
  readonly onRequest?: (socket: Socket, asked: Asked) => void
}

export interface HostileBroker {
  readonly port: number
  /** Bytes that it got rid of. */
  readonly sent: () => number
  stop(): Promise<void>
}

/** A listener that means harm: nothing of it is a broker's. */
export async function hostileBroker({ onConnect, onRequest }: Behaviour): Promise<HostileBroker> {
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sent += socket.bytesWritten
      sockets.delete(socket)
    })
    let waiting = Buffer.alloc(0)
    socket.on('data', (piece) => {
      waiting = Buffer.concat([waiting, piece])
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readInt32BE(0)) {
        const frame = waiting.subarray(4, 4 + waiting.readInt32BE(0))
        waiting = waiting.subarray(4 + frame.length)
        onRequest?.(socket, {
          apiKey: frame.readInt16BE(0),
          apiVersion: frame.readInt16BE(2),
          correlationId: frame.readInt32BE(4),
        })
      }
    })
    onConnect?.(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const APIS = [
  { apiKey: ApiVersions.apiKey, minVersion: 0, maxVersion: 4 },
  { apiKey: Metadata.apiKey, minVersion: 0, maxVersion: 13 },
  { apiKey: DescribeTopicPartitions.apiKey, minVersion: 0, maxVersion: 0 },
]

/** A right answer to ApiVersions, as a frame. */
export function versionsFrame(correlationId: number): Buffer {
  return framed(correlationId, encodeResponse(ApiVersions, 3, { errorCode: 0, apiKeys: APIS }))
}

type MetadataTopics = Parameters<typeof encodeResponse<typeof Metadata>>[2]['topics']

/** A right answer to Metadata: one broker, at `port`. */
export function metadataFrame({ correlationId, apiVersion }: Asked, port: number, topics: MetadataTopics = []): Buffer {
  const body = encodeResponse(Metadata, apiVersion, {
    brokers: [{ nodeId: 1, host: '127.0.0.1', port }],
    clusterId: 'hostile',
    controllerId: 1,
    topics,
  })
  return framed(correlationId, Buffer.concat([Buffer.of(0), body]))
}

/** Writes as fast as the other side takes it, until it is gone. */
export function pour(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

/** One byte at a time. */
export function drip(socket: Socket, bytes: Buffer, everyMs: number): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at >= bytes.length) clearInterval(timer)
    else socket.write(bytes.subarray(at, ++at))
  }, everyMs)
  socket.on('close', () => clearInterval(timer))
}
