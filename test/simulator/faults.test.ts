import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ElectLeaders } from '../../src/protocol/rpc/elect-leaders.js'
import { ListOffsets } from '../../src/protocol/rpc/list-offsets.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { ask, scenarioOf, start, TestClient } from './client.js'
import { elect, listOffset, reassign, UNCLEAN } from './requests.js'

/** Faults on demand, and the log of requests. */
const cluster = scenarioOf({
  topics: [
    {
      name: 'foo',
      partitions: [0, 1].map((partition) => ({ partition, assignment: [1, 2, 3], leader: -1, leaderEpoch: 1 })),
    },
  ],
})
const allTopics = { topics: null, allowAutoTopicCreation: false }

test('an error for one partition reaches that one alone, so many times', async () => {
  const running = await start({
    ...cluster,
    faults: [{ broker: 3, api: 'ListOffsets', error: 56, topic: 'foo', partition: 0, times: 2 }],
  })
  const codes = async (broker: number) => {
    const partitions = [0, 1].map((partitionIndex) => ({ partitionIndex, timestamp: -1n }))
    const answer = await ask(running, broker, ListOffsets, 7, { replicaId: -2, topics: [{ name: 'foo', partitions }] })
    return answer.topics[0]!.partitions.map(({ errorCode }) => errorCode)
  }
  // A request that does not name it does not count.
  expect(await listOffset(running, 3, 'foo', 1, -1n)).toMatchObject({ error: 0 })
  expect(await codes(1)).toEqual([0, 0])
  expect([await codes(3), await codes(3), await codes(3)]).toEqual([
    [56, 0],
    [56, 0],
    [0, 0],
  ])
})

test('an error takes the place of acting', async () => {
  const running = await start({ ...cluster, faults: [{ api: 'ElectLeaders', error: 41, times: 1 }] })
  expect(await elect(running, 1, UNCLEAN, 'foo', [0])).toEqual([41])
  expect(running.inspect().partition('foo', 0)!.leader).toBe(-1)
  running.addFault({ api: 'ElectLeaders', error: 31, topic: 'foo', partition: 0 })
  expect(await elect(running, 1, UNCLEAN, 'foo', [0, 1])).toEqual([31, 0])
  running.clearFaults()
  expect(await elect(running, 1, UNCLEAN, 'foo', [0, 1])).toEqual([0, 84])
})

test('a delayed election takes effect although its client is gone', async () => {
  const running = await start({ ...cluster, faults: [{ api: 'ElectLeaders', silent: true }] })
  const client = await TestClient.open(running, 1)
  const lost = client.call(ElectLeaders, 2, {
    electionType: UNCLEAN,
    topicPartitions: [{ topic: 'foo', partitions: [0] }],
  })
  await expect.poll(() => running.inspect().partition('foo', 0)!.leader).toBe(1)
  client.socket.destroy()
  await expect(lost).rejects.toThrow('closed')
})

test('a connection is closed before the request takes effect, or after', async () => {
  const running = await start(cluster)
  running.addFault({ broker: 1, api: 'ElectLeaders', closeConnection: true, times: 1 })
  await expect(elect(running, 1, UNCLEAN, 'foo', [0])).rejects.toThrow('closed')
  expect(running.inspect().partition('foo', 0)!.leader).toBe(-1)
  running.addFault({ broker: 1, api: 'ElectLeaders', closeConnection: true, takesEffect: true, times: 1 })
  await expect(elect(running, 1, UNCLEAN, 'foo', [0])).rejects.toThrow('closed')
  expect(running.inspect().partition('foo', 0)!.leader).toBe(1)
})

test('a request limit: the rest of the partitions is answered REQUEST_LIMIT_REACHED', async () => {
  const running = await start({ ...cluster, faults: [{ api: 'ElectLeaders', requestLimit: 1 }] })
  expect(await elect(running, 1, UNCLEAN, 'foo', [0, 1])).toEqual([0, 140])
})

test('throttling is told, and the connection waits so long', async () => {
  const running = await start({ ...cluster, faults: [{ api: 'Metadata', throttleMs: 50, times: 1 }] })
  const client = await TestClient.open(running, 1)
  expect((await client.call(Metadata, 12, allTopics)).throttleTimeMs).toBe(50)
  const since = performance.now()
  await client.call(Metadata, 12, allTopics)
  expect(performance.now() - since).toBeGreaterThan(40)
})

test('from a time on', async () => {
  let now = 1_000_000
  const clock = { now: () => now, after: () => () => {} }
  const running = await start({ ...cluster, faults: [{ broker: 1, api: '*', error: 29, afterMs: 500 }] }, { clock })
  expect((await ask(running, 1, Metadata, 13, allTopics)).errorCode).toBe(0)
  now += 500
  expect((await ask(running, 1, Metadata, 13, allTopics)).errorCode).toBe(29)
  expect((await ask(running, 2, Metadata, 13, allTopics)).errorCode).toBe(0)
})

test.each(['truncated', 'oversized', 'garbage'] as const)('a damaged answer: %s', async (malformed) => {
  const running = await start({ ...cluster, faults: [{ api: 'Metadata', malformed }] })
  const client = await TestClient.open(running, 1)
  const bytes = new Promise<Buffer>((resolve) => client.socket.once('data', resolve))
  client.call(Metadata, 12, allTopics).catch(() => {})
  const received = await bytes
  const claimed = received.readInt32BE(0)
  if (malformed === 'garbage') expect(received.subarray(8).every((byte) => byte === 0xff)).toBe(true)
  else expect(claimed).toBeGreaterThan(received.length - 4)
})

test('each request is logged before it is answered, with the number of partitions that it names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const requestLogFile = join(folder, 'requests.jsonl')
  const told: string[] = []
  const running = await start(cluster, { requestLogFile, onRequest: ({ api }) => told.push(api) })
  await ask(running, 2, Metadata, 12, allTopics)
  await reassign(running, 1, 'foo', 1, [3, 2, 1])
  await elect(running, 1, UNCLEAN, 'foo', [0, 1])
  const lines = readFileSync(requestLogFile, 'utf8').trimEnd().split('\n')
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.map(({ at: _, ...rest }) => rest)).toEqual([
    { broker: 2, apiKey: 3, api: 'Metadata', version: 12, clientId: null, partitions: null },
    { broker: 1, apiKey: 45, api: 'AlterPartitionReassignments', version: 1, clientId: null, partitions: 1 },
    { broker: 1, apiKey: 43, api: 'ElectLeaders', version: 2, clientId: null, partitions: 2 },
  ])
  expect(logged.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true)
  expect(told).toEqual(['Metadata', 'AlterPartitionReassignments', 'ElectLeaders'])
})

test('answers for fewer partitions, for each twice, and for some that nobody asked for', async () => {
  const running = await start(cluster)
  const answered = async () => {
    const { topics } = await ask(running, 1, Metadata, 12, { ...allTopics, topics: [{ name: 'foo' }] })
    return topics.map(({ name, partitions }) => [name, partitions.map(({ partitionIndex }) => partitionIndex)])
  }
  running.addFault({ api: 'Metadata', answered: 'fewer', times: 1 })
  expect(await answered()).toEqual([['foo', [1]]])
  running.addFault({ api: 'Metadata', answered: 'twice', times: 1 })
  expect(await answered()).toEqual([['foo', [0, 0, 1, 1]]])
  running.addFault({ api: 'Metadata', answered: 'strangers', times: 1 })
  expect(await answered()).toEqual([
    ['foo', [0, 1, 31_999]],
    ['never-asked-for', [0, 1, 31_999]],
  ])
  expect(await answered()).toEqual([['foo', [0, 1]]])
})
