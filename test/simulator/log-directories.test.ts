import { expect, test } from 'vitest'
import { DescribeLogDirs } from '../../src/protocol/rpc/describe-log-dirs.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { ask, log, scenarioOf, start } from './client.js'
import { listOffset } from './requests.js'

/** A failed log directory, as measured on 4.4.0 (kafka-facts). */
const cluster = scenarioOf({
  topics: [
    {
      name: 'foo',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2, 3],
          leader: 1,
          leaderEpoch: 3,
          isr: [1, 2],
          logs: {
            1: log(0, 100, [[0, 0]], { logDir: '/data/b', sizeBytes: 7000 }),
            2: log(0, 100, [[0, 0]]),
            3: log(0, 90, [[0, 0]]),
          },
        },
        {
          partition: 1,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 3,
          isr: [1],
          logs: { 1: log(0, 50, [[0, 0]], { logDir: '/data/b' }), 2: log(0, 40, [[0, 0]]) },
        },
        { partition: 2, assignment: [1], leader: 1, leaderEpoch: 0, isr: [1], logs: { 1: log(0, 5, [[0, 0]]) } },
      ],
    },
  ],
})

test('directories tell their replicas; a failed one is listed with 56, without topics, sizes -1', async () => {
  const running = await start(cluster)
  const before = await ask(running, 1, DescribeLogDirs, 5, { topics: null })
  expect(before.errorCode).toBe(0)
  expect(before.results.map(({ logDir, errorCode }) => [logDir, errorCode])).toEqual([
    ['/data/a', 0],
    ['/data/b', 0],
  ])
  expect(before.results[1]!.topics[0]!.partitions.map(({ partitionIndex }) => partitionIndex)).toEqual([0, 1])
  expect(before.results[1]!.topics[0]!.partitions[0]!.partitionSize).toBe(7000n)
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  const after = await ask(running, 1, DescribeLogDirs, 5, { topics: null })
  expect(after.errorCode).toBe(0)
  expect(after.results[1]).toEqual({
    errorCode: 56,
    logDir: '/data/b',
    topics: [],
    totalBytes: -1n,
    usableBytes: -1n,
    isCordoned: false,
  })
  expect(after.results[0]!.topics[0]!.partitions).toHaveLength(1)
})

test('others in sync take over at once; without any the partition has no leader; the replica is offline and answers 56', async () => {
  const running = await start(cluster)
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  expect(running.inspect().partition('foo', 0)).toMatchObject({ leader: 2, leaderEpoch: 4 })
  expect(running.inspect().partition('foo', 1)).toMatchObject({ leader: -1, isr: [], elr: [1], lastKnownElr: [1] })
  expect(running.inspect().partition('foo', 2)).toMatchObject({ leader: 1 })
  const metadata = await ask(running, 3, Metadata, 12, { topics: null, allowAutoTopicCreation: false })
  expect(metadata.brokers.map(({ nodeId }) => nodeId)).toEqual([1, 2, 3])
  expect(metadata.topics[0]!.partitions.map((one) => [one.errorCode, one.leaderId, one.offlineReplicas])).toEqual([
    [0, 2, [1]],
    [5, -1, [1]],
    [0, 1, []],
  ])
  expect(await listOffset(running, 1, 'foo', 0, -1n)).toMatchObject({ error: 56 })
})

test('without any good directory left the broker exits', async () => {
  const running = await start(cluster)
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  await running.apply({ failLogDir: { broker: 1, path: '/data/a' } })
  expect(running.inspect().brokers.get(1)).toBe('down')
  expect(running.inspect().partition('foo', 2)).toMatchObject({ leader: -1, elr: [1], lastKnownElr: [1] })
})

test('without its metadata directory the broker exits, and does not start again', async () => {
  const brokers = [1, 2, 3].map((id) => ({ id, logDirs: ['/data/a', '/data/b'], metadataLogDir: '/data/a' }))
  const running = await start({ ...cluster, brokers })
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  expect(running.inspect().brokers.get(1)).toBe('up')
  await running.apply({ failLogDir: { broker: 1, path: '/data/a' } })
  expect(running.inspect().brokers.get(1)).toBe('down')
  await running.apply({ brokerUp: 1 })
  expect(running.inspect().brokers.get(1)).toBe('down')
})

test('a replaced disk comes up empty, follows whoever leads and refills', async () => {
  const running = await start(cluster)
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  await running.apply({ replaceLogDir: { broker: 1, path: '/data/b' } })
  const found = running.inspect().partition('foo', 0)!
  expect(found).toMatchObject({ leader: 2 })
  expect([...found.isr].sort()).toEqual([1, 2, 3])
  expect(found.logs.get(1)).toMatchObject({ logDir: '/data/b', logEndOffset: 100 })
})

test('a removed directory is listed no more, and its replicas are made anew elsewhere', async () => {
  const running = await start(cluster)
  await running.apply({ removeLogDir: { broker: 1, path: '/data/b' } })
  const dirs = await ask(running, 1, DescribeLogDirs, 5, { topics: null })
  expect(dirs.results.map(({ logDir }) => logDir)).toEqual(['/data/a'])
  expect(running.inspect().partition('foo', 0)!.logs.get(1)).toMatchObject({ logDir: '/data/a', logEndOffset: 100 })
})

test('catch-up at a rate: a replica that was made anew comes back step by step, and is in sync only then', async () => {
  const running = await start({ ...cluster, catchUpOffsetsPerSecond: 200 })
  await running.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  await running.apply({ replaceLogDir: { broker: 1, path: '/data/b' } })
  const progress = () => running.inspect().partition('foo', 0)!
  expect(progress().logs.get(1)!.logEndOffset).toBeLessThan(100)
  expect(progress().isr).not.toContain(1)
  const seen = new Set<number>()
  await expect
    .poll(
      () => {
        seen.add(progress().logs.get(1)!.logEndOffset)
        return progress().isr.includes(1)
      },
      { interval: 5 },
    )
    .toBe(true)
  expect(seen.size).toBeGreaterThan(2)
  expect(progress().logs.get(1)).toMatchObject({ logEndOffset: 100 })
})
