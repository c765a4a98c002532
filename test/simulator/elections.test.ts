import { describe, expect, test } from 'vitest'
import { ElectLeaders } from '../../src/protocol/rpc/elect-leaders.js'
import { GetReplicaLogInfo } from '../../src/protocol/rpc/get-replica-log-info.js'
import { ask, log, scenarioOf, start } from './client.js'
import { elect, PREFERRED, reassign, UNCLEAN } from './requests.js'

/** Replicas [3,1,2] of which 1 is dead, 2 has more than 3, no leader, nobody in any role: kafka-facts' example. */
function example(more: object = {}) {
  return scenarioOf({
    brokers: [1, 2, 3].map((id) => ({ id, logDirs: ['/data/a'], state: id === 1 ? 'down' : 'up' })),
    topics: [
      {
        name: 'foo',
        partitions: [
          {
            partition: 0,
            assignment: [3, 1, 2],
            leader: -1,
            leaderEpoch: 5,
            logs: {
              1: log(0, 50, [
                [0, 0],
                [4, 40],
              ]),
              2: log(0, 45, [
                [0, 0],
                [4, 40],
              ]),
              3: log(0, 41, [
                [0, 0],
                [3, 30],
              ]),
            },
          },
          { partition: 1, assignment: [1], leader: -1, leaderEpoch: 1, logs: { 1: log(0, 1, [[0, 0]]) } },
          { partition: 2, assignment: [2, 3], leader: 3, leaderEpoch: 1, isr: [2, 3] },
        ],
      },
    ],
    ...more,
  })
}

describe('a designated leader by re-ordering, as measured on 4.4.0', () => {
  test('re-order, elect, put back: the best replica leads and the others follow its log', async () => {
    const running = await start(example())
    expect(await reassign(running, 2, 'foo', 0, [2, 3, 1], false)).toBe(0)
    expect(running.inspect().partition('foo', 0)).toMatchObject({
      leader: -1,
      leaderEpoch: 5,
      replicas: [2, 3, 1],
      adding: [],
      removing: [],
    })
    expect(await elect(running, 2, PREFERRED, 'foo', [0])).toEqual([80])
    expect(await elect(running, 2, UNCLEAN, 'foo', [0])).toEqual([0])
    expect(await reassign(running, 2, 'foo', 0, [3, 1, 2], false)).toBe(0)
    const found = running.inspect().partition('foo', 0)!
    expect(found).toMatchObject({ leader: 2, leaderEpoch: 6, replicas: [3, 1, 2], isr: [2, 3] })
    expect(found.logs.get(2)).toMatchObject({
      logEndOffset: 45,
      epochs: [
        [0, 0],
        [4, 40],
        [6, 45],
      ],
    })
    // Cut to offset 40, where it parted, and copied from there.
    expect(found.logs.get(3)).toMatchObject({
      logEndOffset: 45,
      epochs: [
        [0, 0],
        [4, 40],
      ],
    })
    expect(found.logs.get(1)).toMatchObject({ logEndOffset: 50 })
  })

  test('without re-ordering Kafka takes the first of the list, and the better one loses what it had more', async () => {
    const running = await start(example())
    expect(await elect(running, 2, UNCLEAN, 'foo', [0])).toEqual([0])
    const found = running.inspect().partition('foo', 0)!
    expect(found.leader).toBe(3)
    expect(found.logs.get(2)).toMatchObject({
      logEndOffset: 41,
      epochs: [
        [0, 0],
        [3, 30],
      ],
    })
  })
})

describe('answers to elections', () => {
  test('a leader already 84, unknown 3, nobody alive 83 and 80; each for itself, a duplicate twice', async () => {
    const running = await start(example())
    expect(await elect(running, 2, UNCLEAN, 'foo', [2, 7, 1, 0, 0])).toEqual([84, 3, 83, 0, 0])
    expect(await elect(running, 2, UNCLEAN, 'bar', [0])).toEqual([3])
    expect(await elect(running, 2, PREFERRED, 'foo', [1, 2])).toEqual([80, 0])
    expect(running.inspect().partition('foo', 2)!.leader).toBe(2)
    expect(await elect(running, 2, PREFERRED, 'foo', [2])).toEqual([84])
  })

  test('a timeout of 0 is 7, and nothing is done', async () => {
    const running = await start(example())
    const topicPartitions = [{ topic: 'foo', partitions: [0] }]
    const answer = await ask(running, 2, ElectLeaders, 2, { electionType: UNCLEAN, topicPartitions, timeoutMs: 0 })
    expect(answer.errorCode).toBe(7)
    expect(answer.replicaElectionResults[0]!.partitionResult[0]!.errorCode).toBe(7)
    expect(running.inspect().partition('foo', 0)!.leader).toBe(-1)
  })

  test('a null list elects every offline partition of the whole cluster', async () => {
    const running = await start(example())
    const answer = await ask(running, 2, ElectLeaders, 2, { electionType: UNCLEAN, topicPartitions: null })
    expect(answer.replicaElectionResults).toEqual([
      {
        topic: 'foo',
        partitionResult: [
          expect.objectContaining({ partitionId: 0, errorCode: 0 }),
          expect.objectContaining({ partitionId: 1, errorCode: 83 }),
        ],
      },
    ])
    expect(running.inspect().partition('foo', 0)!.leader).toBe(3)
  })

  test('a stock broker knows no designated elections: type 2 is 42', async () => {
    const running = await start(example())
    const topicPartitions = [{ topic: 'foo', partitions: [0] }]
    expect((await ask(running, 2, ElectLeaders, 2, { electionType: 2, topicPartitions })).errorCode).toBe(42)
    expect(running.inspect().partition('foo', 0)!.leader).toBe(-1)
  })

  test('a replica on a failed directory is never picked', async () => {
    const running = await start(
      example({
        brokers: [1, 2, 3].map((id) => ({
          id,
          logDirs: ['/data/a', '/data/b'],
          state: id === 1 ? 'down' : 'up',
          ...(id === 3 ? { failedLogDirs: ['/data/a'] } : {}),
        })),
      }),
    )
    expect(await elect(running, 2, UNCLEAN, 'foo', [0])).toEqual([0])
    expect(running.inspect().partition('foo', 0)!.leader).toBe(2)
  })

  test('a dead ELR member switches the last known leader off, and the designation holds', async () => {
    const running = await start(
      scenarioOf({
        brokers: [1, 2, 3].map((id) => ({ id, logDirs: ['/data/a'], state: id === 2 ? 'down' : 'up' })),
        topics: [
          {
            name: 'bar',
            config: { 'min.insync.replicas': '2' },
            partitions: [
              { partition: 0, assignment: [3, 1, 2], leader: -1, leaderEpoch: 3, elr: [2], lastKnownElr: [1] },
            ],
          },
        ],
      }),
    )
    expect(await elect(running, 1, UNCLEAN, 'bar', [0])).toEqual([0])
    expect(running.inspect().partition('bar', 0)).toMatchObject({ leader: 3, elr: [], lastKnownElr: [] })
  })

  test('without a controller the answer is 7, when the broker has given up', async () => {
    const running = await start(example({ quorum: { leader: -1, requestTimeoutMs: 30 } }))
    expect(await elect(running, 2, UNCLEAN, 'foo', [0])).toEqual([7])
    await running.apply({ controllerUp: true })
    expect(await elect(running, 2, UNCLEAN, 'foo', [0])).toEqual([0])
  })
})

describe('personality kip1275', () => {
  test('elects whom it is told, also against a last known leader that is alive', async () => {
    const running = await start(
      scenarioOf({
        personality: 'kip1275',
        topics: [
          {
            name: 'foo',
            partitions: [0, 1, 2].map((partition) => ({
              partition,
              assignment: [1, 2, 3],
              leader: partition === 2 ? 1 : -1,
              leaderEpoch: 4,
              lastKnownElr: partition === 2 ? [] : [1],
              logs: {
                2: log(0, 80, [
                  [0, 0],
                  [3, 50],
                ]),
                3: log(0, 75, [[0, 0]]),
              },
            })),
          },
        ],
      }),
    )
    const answer = await ask(running, 3, ElectLeaders, 3, {
      electionType: 2,
      topicPartitions: [{ topic: 'foo', partitions: [0, 1, 2], designatedLeaders: [2, 9, 2] }],
    })
    expect(answer.replicaElectionResults[0]!.partitionResult.map(({ errorCode }) => errorCode)).toEqual([0, 42, 84])
    expect(running.inspect().partition('foo', 0)).toMatchObject({ leader: 2, lastKnownElr: [] })
    expect(running.inspect().partition('foo', 0)!.logs.get(3)).toMatchObject({ logEndOffset: 80 })
    const { topicId } = running.inspect().partition('foo', 1)!
    const info = await ask(running, 2, GetReplicaLogInfo, 0, { topicPartitions: [{ topicId, partitions: [1, 7] }] })
    expect(info.topicPartitionLogInfoList[0]!.partitionLogInfo).toEqual([
      { partition: 1, lastWrittenLeaderEpoch: 3, currentLeaderEpoch: 4, logEndOffset: 80n, errorCode: 0 },
      { partition: 7, lastWrittenLeaderEpoch: -1, currentLeaderEpoch: -1, logEndOffset: -1n, errorCode: 3 },
    ])
  })

  test('serves a thousand partitions a request; stock serves all', async () => {
    const topics = [{ name: 'many', partitionCount: 1002, replicationFactor: 2, offlineShare: 1, seed: 1 }]
    const partitions = Array.from({ length: 1002 }, (_, index) => index)
    const designatedLeaders = (running: Awaited<ReturnType<typeof start>>) =>
      partitions.map((partition) => running.inspect().partition('many', partition)!.replicas[0]!)
    const kip = await start(scenarioOf({ personality: 'kip1275', topics }))
    const answer = await ask(kip, 1, ElectLeaders, 3, {
      electionType: 2,
      topicPartitions: [{ topic: 'many', partitions, designatedLeaders: designatedLeaders(kip) }],
    })
    const codes = answer.replicaElectionResults[0]!.partitionResult.map(({ errorCode }) => errorCode)
    expect(codes.filter((code) => code === 0)).toHaveLength(1000)
    expect(codes.slice(1000)).toEqual([140, 140])
    const stock = await start(scenarioOf({ topics }))
    expect(new Set(await elect(stock, 1, UNCLEAN, 'many', partitions))).toEqual(new Set([0]))
  })
})
