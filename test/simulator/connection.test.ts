import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { GetReplicaLogInfo } from '../../src/protocol/rpc/get-replica-log-info.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { decodeResponse } from '../../src/protocol/schema/rpc.js'
import { FrameReader } from '../../src/simulator/server/frames.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { requestFrame, scenarioOf, start, TestClient } from './client.js'

/** How brokers deal with bytes. */
const cluster = scenarioOf({
  brokers: [1, 2].map((id) => ({ id, logDirs: ['/data/a'], state: id === 2 ? 'down' : 'up' })),
})
const noTopics = { topics: [], allowAutoTopicCreation: false }

test('a version of ApiVersions that it does not have is answered 35 in the form of version 0, with what it has', async () => {
  const client = await TestClient.open(await start(cluster), 1)
  const frame = requestFrame(ApiVersions, 4, { clientSoftwareName: 'x', clientSoftwareVersion: 'y' }, 42)
  frame.writeInt16BE(99, 6)
  const answer = await client.send(frame)
  expect(answer.readInt32BE(0)).toBe(42)
  const body = decodeResponse(ApiVersions, 0, answer.subarray(4))
  expect(body.errorCode).toBe(35)
  expect(body.apiKeys.find(({ apiKey }) => apiKey === 18)).toMatchObject({ minVersion: 0, maxVersion: 4 })
  // The connection goes on.
  expect((await client.call(ApiVersions, 0, {})).errorCode).toBe(0)
})

test.each<[string, () => Buffer]>([
  [
    'another version that it does not have',
    () => {
      const frame = requestFrame(Metadata, 12, noTopics)
      frame.writeInt16BE(99, 6)
      return frame
    },
  ],
  [
    'an API that it does not have',
    () => {
      const frame = requestFrame(Metadata, 12, noTopics)
      frame.writeInt16BE(19, 4)
      return frame
    },
  ],
  [
    'key 93, which on stock is another API than the one that was meant',
    () => requestFrame(GetReplicaLogInfo, 0, { topicPartitions: [] }),
  ],
  [
    'a body that is cut short',
    () => {
      const frame = requestFrame(Metadata, 12, noTopics).subarray(0, -2)
      frame.writeInt32BE(frame.length - 4, 0)
      return frame
    },
  ],
  ['a frame above 100 MB', () => Buffer.from([0x06, 0x40, 0x00, 0x01])],
  ['a negative length', () => Buffer.from([0xff, 0xff, 0xff, 0xff])],
])('the connection is closed on %s', async (_, bytes) => {
  const running = await start(cluster)
  const client = await TestClient.open(running, 1)
  await expect(client.send(bytes())).rejects.toThrow('closed')
  const other = await TestClient.open(running, 1)
  expect((await other.call(Metadata, 12, noTopics)).brokers).toHaveLength(1)
})

test('answers come in the order of the requests, also when they arrive at once and the first one is slow', async () => {
  const running = await start(cluster)
  running.addFault({ api: 'Metadata', delayMs: 30, times: 1 })
  const client = await TestClient.open(running, 1)
  const order: string[] = []
  await Promise.all([
    client.call(Metadata, 12, noTopics).then(() => order.push('slow')),
    client.call(ApiVersions, 3, {}).then(() => order.push('fast')),
  ])
  expect(order).toEqual(['slow', 'fast'])
})

test('a broker that is down refuses connections until it is up, on the same port', async () => {
  const running = await start(cluster)
  await expect(TestClient.open(running, 2)).rejects.toThrow('ECONNREFUSED')
  await running.apply({ brokerUp: 2 })
  const client = await TestClient.open(running, 2)
  expect((await client.call(Metadata, 12, noTopics)).brokers).toHaveLength(2)
  await running.apply({ brokerDown: 2 })
  await client.closed
  await expect(TestClient.open(running, 2)).rejects.toThrow('ECONNREFUSED')
})

/** On two ports next to each other, below those that the system gives to outgoing connections. */
async function startSomewhere(attempt = 1): Promise<{ port: number; again: RunningSimulator }> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  try {
    return { port, again: await start(cluster, { port }) }
  } catch (error) {
    if (attempt === 20) throw error
    return startSomewhere(attempt + 1)
  }
}

test('ports can be chosen; nothing listens any more after it was stopped', async () => {
  const { port, again } = await startSomewhere()
  expect([...again.ports]).toEqual([
    [1, port],
    [2, port + 1],
  ])
  await again.stop()
  await expect(
    new Promise((resolve, reject) => connect(port, '127.0.0.1').once('connect', resolve).once('error', reject)),
  ).rejects.toThrow('ECONNREFUSED')
})

test('frames are put together from pieces of any size, each byte touched once', () => {
  const reader = new FrameReader()
  const bodies = [Buffer.alloc(0), Buffer.from('one'), Buffer.alloc(100_000, 7), Buffer.from('last')]
  const stream = Buffer.concat(
    bodies.flatMap((body) => {
      const head = Buffer.alloc(4)
      head.writeInt32BE(body.length)
      return [head, body]
    }),
  )
  for (const size of [1, 3, 5, 1000, stream.length]) {
    const frames: Buffer[] = []
    for (let at = 0; at < stream.length; at += size) frames.push(...reader.push(stream.subarray(at, at + size)))
    expect(frames.map((frame) => frame.equals(bodies[frames.indexOf(frame)]!))).toEqual([true, true, true, true])
  }
})
