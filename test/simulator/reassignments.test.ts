import { expect, test } from 'vitest'
import { AlterPartitionReassignments } from '../../src/protocol/rpc/alter-partition-reassignments.js'
import { ListPartitionReassignments } from '../../src/protocol/rpc/list-partition-reassignments.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { ask, log, scenarioOf, start } from './client.js'
import { reassign } from './requests.js'

/** What AlterPartitionReassignments lets through (kafka-facts, measured on 4.4.0). */
const cluster = scenarioOf({
  brokers: [1, 2, 3, 4].map((id) => ({ id, logDirs: ['/data/a'] })),
  topics: [
    {
      name: 'foo',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2, 3],
          leader: 1,
          leaderEpoch: 3,
          isr: [1, 2, 3],
          logs: Object.fromEntries(
            [1, 2, 3].map((id) => [
              id,
              log(0, 100, [
                [0, 0],
                [3, 60],
              ]),
            ]),
          ),
        },
        { partition: 1, assignment: [1, 2, 3], leader: -1, leaderEpoch: 3 },
      ],
    },
  ],
})

async function ongoing(running: RunningSimulator) {
  const answer = await ask(running, 1, ListPartitionReassignments, 0, { topics: null })
  return answer.topics.flatMap(({ name, partitions }) => partitions.map((partition) => ({ topic: name, ...partition })))
}

test('a re-order is done at once, changes nothing else and leaves nothing under way', async () => {
  const running = await start(cluster)
  for (const partition of [0, 1]) {
    const before = running.inspect().partition('foo', partition)!
    expect(await reassign(running, 1, 'foo', partition, [3, 1, 2], false)).toBe(0)
    expect(running.inspect().partition('foo', partition)).toEqual({
      ...before,
      replicas: [3, 1, 2],
      logs: expect.anything(),
    })
  }
  expect(await ongoing(running)).toEqual([])
})

test('a missing member is dropped at once, with a new leader epoch', async () => {
  const running = await start(cluster)
  expect(await reassign(running, 1, 'foo', 0, [1, 2])).toBe(0)
  const found = running.inspect().partition('foo', 0)!
  expect(found).toMatchObject({ replicas: [1, 2], isr: [1, 2], leader: 1, leaderEpoch: 4, removing: [] })
  expect([...found.logs.keys()]).toEqual([1, 2])
  expect(await ongoing(running)).toEqual([])
})

test('a new broker starts a move, which is done once it has caught up', async () => {
  const running = await start(cluster)
  expect(await reassign(running, 1, 'foo', 0, [4, 2, 3])).toBe(0)
  expect(await ongoing(running)).toEqual([
    { topic: 'foo', partitionIndex: 0, replicas: [4, 2, 3, 1], addingReplicas: [4], removingReplicas: [1] },
  ])
  await expect.poll(() => running.inspect().partition('foo', 0)!.replicas).toEqual([4, 2, 3])
  const found = running.inspect().partition('foo', 0)!
  // It stands first and is in sync: as the old leader goes it leads, and notes its epoch.
  expect(found.logs.get(4)).toMatchObject({
    logEndOffset: 100,
    epochs: [
      [0, 0],
      [3, 60],
      [4, 100],
    ],
  })
  expect(found.isr).toContain(4)
  expect(found.leader).not.toBe(1)
})

test('a move of a leaderless partition stays under way, and can be cancelled with null', async () => {
  const running = await start(cluster)
  expect(await reassign(running, 1, 'foo', 1, null)).toBe(85)
  expect(await reassign(running, 1, 'foo', 1, [1, 2, 3, 4])).toBe(0)
  expect(await ongoing(running)).toMatchObject([{ addingReplicas: [4], removingReplicas: [] }])
  // Nobody is in sync: going back would be an unclean election, which the topic does not allow.
  expect(await reassign(running, 1, 'foo', 1, null)).toBe(39)
})

test('a move can be taken back', async () => {
  const running = await start({ ...cluster, catchUpOffsetsPerSecond: 1 })
  expect(await reassign(running, 1, 'foo', 0, [1, 2, 3, 4])).toBe(0)
  expect(await ongoing(running)).toHaveLength(1)
  expect(await reassign(running, 1, 'foo', 0, null)).toBe(0)
  expect(running.inspect().partition('foo', 0)).toMatchObject({ replicas: [1, 2, 3], adding: [], removing: [] })
})

test('unknown broker, a broker twice, an empty list: 39; a changed count where it is not allowed: 38; unknown: 3', async () => {
  const running = await start(cluster)
  const before = running.inspect().partition('foo', 0)
  expect(await reassign(running, 1, 'foo', 0, [1, 2, 9])).toBe(39)
  expect(await reassign(running, 1, 'foo', 0, [1, 2, 2])).toBe(39)
  expect(await reassign(running, 1, 'foo', 0, [])).toBe(39)
  expect(await reassign(running, 1, 'foo', 0, [1, 2], false)).toBe(38)
  expect(await reassign(running, 1, 'foo', 7, [1, 2])).toBe(3)
  expect(await reassign(running, 1, 'bar', 0, [1, 2])).toBe(3)
  expect(running.inspect().partition('foo', 0)).toEqual(before)
  // A changed set of the same size is let through.
  expect(await reassign(running, 1, 'foo', 0, [1, 2, 4], false)).toBe(0)
})

test('a timeout of 0 is 7, and nothing is done', async () => {
  const running = await start(cluster)
  const topics = [{ name: 'foo', partitions: [{ partitionIndex: 0, replicas: [3, 2, 1] }] }]
  const answer = await ask(running, 1, AlterPartitionReassignments, 0, { timeoutMs: 0, topics })
  expect(answer.errorCode).toBe(7)
  expect(running.inspect().partition('foo', 0)!.replicas).toEqual([1, 2, 3])
})
