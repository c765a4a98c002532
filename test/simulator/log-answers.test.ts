import { expect, test } from 'vitest'
import { Fetch } from '../../src/protocol/rpc/fetch.js'
import { ask, log, scenarioOf, start } from './client.js'
import { endOfEpoch, listOffset } from './requests.js'

/** What brokers answer about a replica's log, held against kafka-facts (measured on 4.4.0). */

const LATEST = -1n
const EARLIEST = -2n
const MAX_TIMESTAMP = -3n

const cluster = scenarioOf({
  brokers: [
    { id: 1, logDirs: ['/data/a', '/data/b'] },
    { id: 2, logDirs: ['/data/a', '/data/b'], failedLogDirs: ['/data/b'] },
    { id: 3, logDirs: ['/data/a'] },
    { id: 4, logDirs: ['/data/a'], state: 'fenced' },
  ],
  topics: [
    {
      name: 'orders',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2, 4],
          leader: -1,
          leaderEpoch: 8,
          lastKnownElr: [],
          logs: {
            // As after DeleteRecords to 14: epochs 0 to 2 have no records any more.
            1: log(
              14,
              20,
              [
                [2, 14],
                [3, 16],
                [7, 20],
              ],
              { highWatermark: 13, lastTimestamp: 1_000_000 },
            ),
            2: log(0, 9, [[0, 0]], { logDir: '/data/b' }),
            4: log(0, 5, [[0, 0]]),
          },
        },
        {
          partition: 1,
          assignment: [3, 1],
          leader: 3,
          leaderEpoch: 2,
          isr: [3, 1],
          logs: {
            3: log(
              0,
              100,
              [
                [0, 0],
                [2, 60],
              ],
              { highWatermark: 90 },
            ),
            1: log(0, 95, [], { highWatermark: 90 }),
          },
        },
      ],
    },
  ],
})

test('log end and start are told by any replica as to a debugging consumer, with the present leader epoch', async () => {
  const running = await start(cluster)
  expect(await listOffset(running, 1, 'orders', 0, LATEST)).toMatchObject({ error: 0, offset: 20, leaderEpoch: 8 })
  expect(await listOffset(running, 1, 'orders', 0, EARLIEST)).toMatchObject({ error: 0, offset: 14, leaderEpoch: 2 })
  expect(await listOffset(running, 1, 'orders', 0, MAX_TIMESTAMP)).toMatchObject({
    error: 0,
    offset: 19,
    timestamp: 1_000_000,
    leaderEpoch: 3,
  })
  expect(await listOffset(running, 4, 'orders', 0, LATEST)).toMatchObject({ error: 0, offset: 5 })
})

test('anybody else asks the leader alone, and a consumer sees the high watermark', async () => {
  const running = await start(cluster)
  expect(await listOffset(running, 1, 'orders', 1, LATEST, -1)).toMatchObject({ error: 6, offset: -1 })
  expect(await listOffset(running, 3, 'orders', 1, LATEST, -1)).toMatchObject({ error: 0, offset: 90 })
  expect(await listOffset(running, 1, 'orders', 0, LATEST, -1)).toMatchObject({ error: 6 })
})

test('no replica 6, failed directory 56, no such partition 3, a timestamp too new for the version 35', async () => {
  const running = await start(cluster)
  expect(await listOffset(running, 3, 'orders', 0, LATEST)).toMatchObject({ error: 6 })
  expect(await endOfEpoch(running, 3, 'orders', 0, 3)).toMatchObject({ error: 6 })
  expect(await listOffset(running, 2, 'orders', 0, LATEST)).toMatchObject({ error: 56 })
  expect(await endOfEpoch(running, 2, 'orders', 0, 3)).toMatchObject({ error: 56 })
  expect(await listOffset(running, 1, 'orders', 9, LATEST)).toMatchObject({ error: 3 })
  expect(await listOffset(running, 1, 'nope', 0, LATEST)).toMatchObject({ error: 3 })
  expect(await listOffset(running, 1, 'orders', 0, MAX_TIMESTAMP, -2, 5)).toMatchObject({ error: 35 })
})

test('epochs: ends of those that are, of an empty newest one, and invented ones below the first', async () => {
  const running = await start(cluster)
  const ends = []
  for (const epoch of [0, 1, 2, 3, 5, 7]) ends.push(await endOfEpoch(running, 1, 'orders', 0, epoch))
  expect(ends.map(({ error, epoch, endOffset }) => [error, epoch, endOffset])).toEqual([
    [0, 0, 14],
    [0, 1, 14],
    [0, 2, 16],
    [0, 3, 20],
    [0, 3, 20],
    [0, 7, 20],
  ])
  expect(ends[0]).toMatchObject({ highWatermark: 13, logStartOffset: 14 })
})

test('an epoch above the newest is out of range, and so is every epoch of a log without any; then nothing else is told', async () => {
  const running = await start(cluster)
  const nothing = { error: 1, epoch: -1, endOffset: -1, highWatermark: -1, logStartOffset: -1 }
  expect(await endOfEpoch(running, 1, 'orders', 0, 8)).toEqual(nothing)
  expect(await endOfEpoch(running, 1, 'orders', 1, 0)).toEqual(nothing)
})

test('stale and future leader epochs are refused', async () => {
  const running = await start(cluster)
  const errors: number[] = []
  for (const currentLeaderEpoch of [7, 8, 9]) {
    const answer = await ask(running, 1, Fetch, 12, {
      replicaId: -2,
      maxWaitMs: 0,
      minBytes: 0,
      topics: [
        {
          topic: 'orders',
          partitions: [
            { partition: 0, currentLeaderEpoch, fetchOffset: 15n, lastFetchedEpoch: 3, partitionMaxBytes: 1 },
          ],
        },
      ],
    })
    errors.push(answer.responses[0]!.partitions[0]!.errorCode)
  }
  expect(errors).toEqual([74, 0, 75])
})

test('a partition that is asked for twice in one ListOffsets is refused', async () => {
  const running = await start(cluster)
  const { ListOffsets } = await import('../../src/protocol/rpc/list-offsets.js')
  const one = { partitionIndex: 0, timestamp: LATEST }
  const answer = await ask(running, 1, ListOffsets, 7, {
    replicaId: -2,
    topics: [{ name: 'orders', partitions: [one, one] }],
  })
  expect(answer.topics[0]!.partitions.map(({ errorCode }) => errorCode)).toEqual([42, 42])
})
