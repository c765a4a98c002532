import { afterEach, describe, expect, it } from 'vitest'
import { ApiVersions } from '../../../src/protocol/rpc/api-versions.js'
import { ElectLeaders } from '../../../src/protocol/rpc/elect-leaders.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import { encodeResponse } from '../../../src/protocol/schema/rpc.js'
import { BrokerConnection } from '../../../src/protocol/transport/connection.js'
import type { TransportSettings } from '../../../src/protocol/transport/settings.js'
import { TransportError } from '../../../src/protocol/transport/transport-error.js'
import { type Behaviour, type FakeBroker, fakeBroker, framed } from './fake-broker.js'

const settings: TransportSettings = { clientId: 'test', tls: null, sasl: null, readOnly: false }
const versions = encodeResponse(ApiVersions, 3, {
  errorCode: 0,
  apiKeys: [
    { apiKey: Metadata.apiKey, minVersion: 0, maxVersion: 12 },
    { apiKey: ElectLeaders.apiKey, minVersion: 0, maxVersion: 2 },
  ],
})
const TAG_BUFFER = Buffer.of(0)
const metadata = (clusterId: string) =>
  Buffer.concat([TAG_BUFFER, encodeResponse(Metadata, 12, { brokers: [], clusterId, topics: [] })])

const running: { broker?: FakeBroker; connection?: BrokerConnection } = {}

/** Answers ApiVersions, and everything else with `behave`. */
async function connectTo(behave: Behaviour, more: Partial<TransportSettings> = {}, host = '127.0.0.1') {
  running.broker = await fakeBroker(
    (request, socket) => (request.apiKey === ApiVersions.apiKey ? versions : behave(request, socket)),
    host,
  )
  running.connection = await BrokerConnection.open({ host, port: running.broker.port }, { ...settings, ...more }, 5000)
  return running.connection
}

const allTopics = { topics: null, allowAutoTopicCreation: false }

afterEach(async () => {
  running.connection?.close()
  await running.broker?.close()
})

describe('BrokerConnection', () => {
  it('speaks the highest version that both sides know', async () => {
    const connection = await connectTo(() => metadata('c1'))
    const { version, body } = await connection.request(Metadata, allTopics, { timeoutMs: 5000 })
    expect([version, body.clusterId]).toEqual([12, 'c1'])
    expect(connection.versionFor(ElectLeaders)).toBe(2)
  })

  it('works over IPv6', async () => {
    const connection = await connectTo(() => metadata('six'), {}, '::1')
    expect((await connection.request(Metadata, allTopics, { timeoutMs: 5000 })).body.clusterId).toBe('six')
  })

  it('has several requests under way at once, and matches answers that come back in another order', async () => {
    const held: number[] = []
    const connection = await connectTo((request, socket) => {
      held.push(request.correlationId)
      if (held.length === 3) {
        for (const id of held.reverse()) socket.write(framed(id, metadata(`for-${id}`)))
      }
      return null
    })
    const answers = await Promise.all([1, 2, 3].map(() => connection.request(Metadata, allTopics, { timeoutMs: 5000 })))
    expect(new Set(answers.map(({ body }) => body.clusterId)).size).toBe(3)
  })

  it('gives up at the deadline on a broker that accepts and never answers, and says that the request was sent', async () => {
    const connection = await connectTo(() => null)
    const failure = await connection.request(Metadata, allTopics, { timeoutMs: 50 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TransportError)
    expect(failure).toMatchObject({ failure: 'timeout', sent: true })
  })

  it('is given up at once while it is being made, and leaves no socket and no timer behind', async () => {
    const silent = await fakeBroker(() => null)
    running.broker = silent
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const giveUp = new AbortController()
    const address = { host: '127.0.0.1', port: silent.port }
    const opening = BrokerConnection.open(address, settings, 60_000, giveUp.signal).catch((error: unknown) => error)
    await expect.poll(() => silent.connections()).toBe(1)
    giveUp.abort()
    expect(await opening).toMatchObject({ failure: 'connection', sent: false })
    await expect.poll(timers).toBe(before)
  })

  it('gives up at the deadline on a host that accepts a connection and says nothing at all', async () => {
    running.broker = await fakeBroker(() => null)
    const opening = BrokerConnection.open({ host: '127.0.0.1', port: running.broker.port }, settings, 100)
    await expect(opening).rejects.toMatchObject({ failure: 'timeout', sent: false })
  })

  it.each([
    ['negative', -1],
    ['above 256 MiB', 256 * 1024 * 1024 + 1],
    ['the largest there is', 0x7fffffff],
  ])('refuses a frame length that is %s before allocating for it', async (_, length) => {
    const connection = await connectTo((_request, socket) => {
      const head = Buffer.alloc(4)
      head.writeInt32BE(length)
      socket.write(head)
      return null
    })
    const before = process.memoryUsage().arrayBuffers
    await expect(connection.request(Metadata, allTopics, { timeoutMs: 5000 })).rejects.toThrow(/claims a length/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
    expect(connection.isOpen).toBe(false)
  })

  it('calls an answer that is cut short malformed, and is still usable', async () => {
    let calls = 0
    const connection = await connectTo(() => {
      calls += 1
      return calls === 1 ? metadata('c1').subarray(0, 9) : metadata('c1')
    })
    await expect(connection.request(Metadata, allTopics, { timeoutMs: 5000 })).rejects.toMatchObject({
      failure: 'malformed',
    })
    expect((await connection.request(Metadata, allTopics, { timeoutMs: 5000 })).body.clusterId).toBe('c1')
  })

  it('fails every request under way at once when the broker closes the connection', async () => {
    let seen = 0
    const connection = await connectTo((_request, socket) => {
      seen += 1
      if (seen === 2) socket.destroy()
      return null
    })
    const requests = [1, 2].map(() => connection.request(Metadata, allTopics, { timeoutMs: 20_000 }))
    for (const request of requests) await expect(request).rejects.toMatchObject({ failure: 'connection', sent: true })
  })

  it('refuses every writing request when read-only, without sending anything', async () => {
    const seen: number[] = []
    const connection = await connectTo(
      (request) => {
        seen.push(request.apiKey)
        return metadata('c1')
      },
      { readOnly: true },
    )
    const writing = connection.request(ElectLeaders, { topicPartitions: [] }, { timeoutMs: 5000 })
    await expect(writing).rejects.toMatchObject({ failure: 'readOnly', sent: false })
    await connection.request(Metadata, allTopics, { timeoutMs: 5000 })
    expect(seen).toEqual([Metadata.apiKey])
  })

  it('holds requests back for as long as the broker throttles (KIP-219)', async () => {
    const at: number[] = []
    const connection = await connectTo(() => {
      at.push(performance.now())
      const body = encodeResponse(Metadata, 12, { throttleTimeMs: 200, brokers: [], clusterId: 'c', topics: [] })
      return Buffer.concat([TAG_BUFFER, body])
    })
    await connection.request(Metadata, allTopics, { timeoutMs: 5000 })
    await connection.request(Metadata, allTopics, { timeoutMs: 5000 })
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(190)
  })

  it('asks an old broker, which answers version 3 with error 35, again in version 0', async () => {
    const asked: number[] = []
    running.broker = await fakeBroker((request) => {
      asked.push(request.apiVersion)
      const apiKeys = [{ apiKey: Metadata.apiKey, minVersion: 0, maxVersion: 5 }]
      return encodeResponse(ApiVersions, 0, { errorCode: request.apiVersion === 3 ? 35 : 0, apiKeys })
    })
    const address = { host: '127.0.0.1', port: running.broker.port }
    running.connection = await BrokerConnection.open(address, settings, 5000)
    expect(asked).toEqual([3, 0])
    expect(running.connection.versionFor(Metadata)).toBe(5)
  })

  it('names the cause when something else than Kafka listens there', async () => {
    running.broker = await fakeBroker(() => null)
    await running.broker.close()
    const opening = BrokerConnection.open({ host: '127.0.0.1', port: running.broker.port }, settings, 5000)
    await expect(opening).rejects.toMatchObject({ failure: 'connection', message: expect.stringContaining('refused') })
  })

  it('joins a large answer once, however small the pieces it arrives in', async () => {
    const topics = Array.from({ length: 20_000 }, (_, i) => ({ errorCode: 0, name: `topic-${i}`, partitions: [] }))
    const large = Buffer.concat([TAG_BUFFER, encodeResponse(Metadata, 12, { brokers: [], clusterId: 'c', topics })])
    const connection = await connectTo((request, socket) => {
      const frame = framed(request.correlationId, large)
      for (let from = 0; from < frame.length; from += 1000) socket.write(frame.subarray(from, from + 1000))
      return null
    })
    const { body } = await connection.request(Metadata, allTopics, { timeoutMs: 20_000 })
    expect(body.topics.length).toBe(20_000)
  })
})
