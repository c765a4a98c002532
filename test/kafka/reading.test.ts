import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ErrorCode } from '../../src/protocol/error-codes.js'
import { DescribeCluster } from '../../src/protocol/rpc/describe-cluster.js'
import { BROKER_RESOURCE, DescribeConfigs } from '../../src/protocol/rpc/describe-configs.js'
import { DescribeLogDirs } from '../../src/protocol/rpc/describe-log-dirs.js'
import { DescribeQuorum, METADATA_TOPIC } from '../../src/protocol/rpc/describe-quorum.js'
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { leaveTwoBehind } from './harness/diverge.js'
import type { DivergedPartition } from './harness/partition-writer.js'
import { divergingEpoch, listOffset } from './harness/raw-reads.js'
import { DeleteRecords } from './harness/rpcs.js'
import { until } from './harness/until.js'

// What real brokers answer to the requests from which this program learns what a replica's log holds. The program's rules for
// reading rest on these answers, so each is held here, one by one, through the bare codec. The tests follow one outage and
// build on each other.

const VERSION = '4.4.0'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster({ version: VERSION })
})
afterAll(async () => {
  await cluster?.dispose()
})

/** Hands leadership from replica to replica: each time, a new leader epoch. */
async function lead(topic: string, order: readonly number[]): Promise<void> {
  expect(await cluster.reorder(topic, 0, order)).toBe(ErrorCode.NONE)
  await until(`${topic} to be led by ${order[0]}`, async () => {
    const code = await cluster.elect('preferred', topic, 0)
    const [view] = await cluster.describe(topic)
    return view?.leader === order[0] ? { done: undefined } : { seen: { code, view } }
  })
}

async function end(id: number, topic: string): Promise<number> {
  return (await listOffset(cluster.broker(id), topic, 0, LATEST_TIMESTAMP)).offset
}

async function epoch(id: number, topic: string, asked: number): Promise<readonly [number, number] | number | null> {
  const answer = await divergingEpoch(cluster.broker(id), topic, 0, asked)
  return answer.errorCode === 0 ? answer.diverging : answer.errorCode
}

async function epochsUpTo3(id: number, topic: string) {
  const answers: Awaited<ReturnType<typeof epoch>>[] = []
  for (const asked of [0, 1, 2, 3]) answers.push(await epoch(id, topic, asked))
  return answers
}

function untilAllHave(topic: string, ids: readonly number[], offset: number): Promise<void> {
  return until(`replicas ${ids.join()} of ${topic} to end at ${offset}`, async () => {
    const ends: number[] = []
    for (const id of ids) ends.push(await end(id, topic))
    return ends.every((found) => found === offset) ? { done: undefined } : { seen: ends }
  })
}

describe('with every broker up', () => {
  test('a follower tells its own log end, log start and epochs; the leader epoch told is not that of the last record', async () => {
    await cluster.createTopic('followed', [[1, 2]])
    await cluster.produce('followed', 0, ['a', 'b', 'c'], { acks: -1 })
    await lead('followed', [2, 1])
    await untilAllHave('followed', [1, 2], 3)
    const [view] = await cluster.describe('followed')
    expect(view?.leaderEpoch).toBe(1)
    await until('broker 1 to know of the new epoch', async () => {
      const answer = await listOffset(cluster.broker(1), 'followed', 0, LATEST_TIMESTAMP)
      return answer.leaderEpoch === 1 ? { done: undefined } : { seen: answer }
    })
    expect(await listOffset(cluster.broker(1), 'followed', 0, LATEST_TIMESTAMP)).toEqual({
      errorCode: 0,
      offset: 3,
      leaderEpoch: 1,
    })
    expect(await listOffset(cluster.broker(1), 'followed', 0, EARLIEST_TIMESTAMP)).toMatchObject({
      errorCode: 0,
      offset: 0,
    })
    expect(await epoch(1, 'followed', 0)).toEqual([0, 3])
  })

  test('a leader that never wrote notes its epoch at its log end; its follower, with the same records, does not', async () => {
    expect(await epoch(2, 'followed', 1)).toEqual([1, 3])
    expect(await epoch(2, 'followed', 0)).toEqual([0, 3])
    expect(await epoch(1, 'followed', 1)).toBe(ErrorCode.OFFSET_OUT_OF_RANGE)
    expect(await divergingEpoch(cluster.broker(1), 'followed', 0, 1)).toMatchObject({
      highWatermark: -1,
      logStartOffset: -1,
    })
  })

  test('an epoch above the last one is refused, on leader and follower', async () => {
    expect(await epoch(2, 'followed', 2)).toBe(ErrorCode.OFFSET_OUT_OF_RANGE)
    expect(await epoch(1, 'followed', 7)).toBe(ErrorCode.OFFSET_OUT_OF_RANGE)
  })

  test('a fetch that tells an epoch also tells high watermark and log start', async () => {
    // A new leader's high watermark arrives with its follower's next fetches.
    const answer = await until('the high watermark to reach the log end', async () => {
      const now = await divergingEpoch(cluster.broker(2), 'followed', 0, 1)
      return now.highWatermark === 3 ? { done: now } : { seen: now }
    })
    expect(answer).toEqual({ errorCode: 0, diverging: [1, 3], highWatermark: 3, logStartOffset: 0 })
  })

  test('a broker that holds no replica answers 6 to both', async () => {
    expect((await listOffset(cluster.broker(3), 'followed', 0, LATEST_TIMESTAMP)).errorCode).toBe(
      ErrorCode.NOT_LEADER_OR_FOLLOWER,
    )
    expect(await epoch(3, 'followed', 0)).toBe(ErrorCode.NOT_LEADER_OR_FOLLOWER)
  })

  test('a log that never had a record knows no epoch on a follower; one on its leader, at 0', async () => {
    await cluster.createTopic('untouched', [[1, 2]])
    await untilAllHave('untouched', [1, 2], 0)
    expect(await epoch(2, 'untouched', 0)).toBe(ErrorCode.OFFSET_OUT_OF_RANGE)
    expect(await epoch(1, 'untouched', 0)).toEqual([0, 0])
  })

  test('after DeleteRecords epochs are invented below the first entry: each "ends" where the first entry starts', async () => {
    await cluster.createTopic('trimmed', [[1, 2, 3]])
    for (const order of [[2, 1, 3], [1, 2, 3], [2, 1, 3], null]) {
      await cluster.produce('trimmed', 0, ['1', '2', '3', '4', '5'], { acks: -1 })
      if (order !== null) await lead('trimmed', order)
    }
    await untilAllHave('trimmed', [1, 2, 3], 20)
    for (const id of [1, 2, 3]) {
      expect(await epochsUpTo3(id, 'trimmed')).toEqual([
        [0, 5],
        [1, 10],
        [2, 15],
        [3, 20],
      ])
    }
    const { topics } = await cluster.broker(2).rpc(DeleteRecords, 2, {
      topics: [{ name: 'trimmed', partitions: [{ partitionIndex: 0, offset: 12n }] }],
      timeoutMs: 20_000,
    })
    expect(topics[0]?.partitions[0]).toMatchObject({ errorCode: 0, lowWatermark: 12n })
    for (const id of [1, 2, 3]) {
      expect((await listOffset(cluster.broker(id), 'trimmed', 0, EARLIEST_TIMESTAMP)).offset).toBe(12)
      expect(await epochsUpTo3(id, 'trimmed')).toEqual([
        [0, 12],
        [1, 12],
        [2, 15],
        [3, 20],
      ])
    }
  })

  test('another broker answers 42 to a question for the configuration of broker N, and N itself tells its directories', async () => {
    const ask = async (id: number) => {
      const { results } = await cluster.broker(id).rpc(DescribeConfigs, 4, {
        resources: [
          { resourceType: BROKER_RESOURCE, resourceName: '2', configurationKeys: ['log.dirs', 'process.roles'] },
        ],
      })
      return results[0]!
    }
    expect(await ask(1)).toMatchObject({
      errorCode: ErrorCode.INVALID_REQUEST,
      errorMessage: expect.stringContaining('expected 1'),
    })
    const own = await ask(2)
    expect(own.errorCode).toBe(0)
    expect(Object.fromEntries(own.configs.map(({ name, value }) => [name, value]))).toEqual({
      'log.dirs': cluster.broker(2).logDirs.join(','),
      'process.roles': 'broker',
    })
  })

  test('DescribeQuorum lists every broker as an observer, which catches up with the high watermark', async () => {
    await until('all observers to have caught up', async () => {
      const { errorCode, topics } = await cluster
        .broker(1)
        .rpc(DescribeQuorum, 2, { topics: [{ topicName: METADATA_TOPIC, partitions: [{ partitionIndex: 0 }] }] })
      const quorum = topics[0]!.partitions[0]!
      expect([errorCode, quorum.errorCode, quorum.leaderId]).toEqual([0, 0, 100])
      expect(quorum.observers.map(({ replicaId }) => replicaId).sort()).toEqual([1, 2, 3])
      expect(quorum.currentVoters.map(({ replicaId }) => replicaId)).toEqual([100])
      return quorum.observers.every(({ logEndOffset }) => logEndOffset >= quorum.highWatermark)
        ? { done: undefined }
        : { seen: quorum }
    })
  })
})

describe('a failed log directory', () => {
  test('is listed with error 56, no topics and no sizes, and its replicas answer 56', async () => {
    const topic = 'on.a.failed.disk'
    await cluster.createTopic(topic, [[3, 1, 2]])
    await cluster.produce(topic, 0, ['x'], { acks: -1 })
    const broker = cluster.broker(3)
    const path = broker.logDirOf(topic, 0)
    await broker.failLogDir(path)
    const { errorCode, results } = await broker.rpc(DescribeLogDirs, 5, { topics: null })
    expect(errorCode).toBe(0)
    const failed = results.find(({ logDir }) => logDir === path)
    expect(failed).toMatchObject({
      errorCode: ErrorCode.KAFKA_STORAGE_ERROR,
      topics: [],
      totalBytes: -1n,
      usableBytes: -1n,
    })
    const healthy = results.find(({ logDir }) => logDir !== path)
    expect(healthy?.errorCode).toBe(0)
    expect(healthy?.totalBytes).toBeGreaterThan(0n)
    expect((await listOffset(broker, topic, 0, LATEST_TIMESTAMP)).errorCode).toBe(ErrorCode.KAFKA_STORAGE_ERROR)
    expect(await epoch(3, topic, 0)).toBe(ErrorCode.KAFKA_STORAGE_ERROR)
  })

  test('shows in OfflineReplicas of the living broker, and a partition with other in-sync replicas gets a leader', async () => {
    await cluster.untilDescribed(
      'on.a.failed.disk',
      'led by another',
      ([view]) => view?.leader === 1 && view.offlineReplicas.join() === '3',
    )
    const broker = cluster.broker(3)
    await broker.stop()
    await broker.undoFailedLogDir(broker.logDirOf('on.a.failed.disk', 0))
    await broker.start()
    await cluster.untilDescribed('on.a.failed.disk', 'back in sync', ([view]) => view?.isr.length === 3)
  })
})

let partitions: DivergedPartition[]

function partitionOf(topic: string): DivergedPartition['logs'] {
  return partitions.find((partition) => partition.topic === topic)!.logs
}

describe('without a leader', () => {
  beforeAll(async () => {
    partitions = await leaveTwoBehind(cluster, [
      { name: 'offline', assignment: [[3, 1, 2]] },
      { name: 'offline2', assignment: [[1, 3, 2]] },
    ])
  })

  test('Metadata says error 5 and leader -1, and lists only the living; DescribeCluster 2 lists the dead one as fenced', async () => {
    const { brokers, topics } = await cluster
      .broker(2)
      .rpc(Metadata, 13, { topics: [{ name: 'offline' }], allowAutoTopicCreation: false })
    expect(brokers.map(({ nodeId }) => nodeId).sort()).toEqual([2, 3])
    expect(topics[0]?.partitions[0]).toMatchObject({
      errorCode: ErrorCode.LEADER_NOT_AVAILABLE,
      leaderId: -1,
      replicaNodes: [3, 1, 2],
      isrNodes: [],
      offlineReplicas: [1],
    })
    const described = await cluster
      .broker(2)
      .rpc(DescribeCluster, 2, { includeClusterAuthorizedOperations: false, includeFencedBrokers: true })
    expect(described.brokers.map(({ brokerId, isFenced }) => [brokerId, isFenced]).sort()).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
  })

  test('ELR and last known ELR name the broker that died last', async () => {
    const [view] = await cluster.describe('offline')
    expect(view).toMatchObject({ leader: -1, isr: [], elr: [1], lastKnownElr: [1] })
  })

  test('every living replica still tells its own log end, start and epochs, and they differ', async () => {
    for (const { topic, logs } of partitions) {
      for (const id of [2, 3]) {
        expect(await end(id, topic)).toBe(logs.get(id)?.length)
        expect((await listOffset(cluster.broker(id), topic, 0, EARLIEST_TIMESTAMP)).offset).toBe(0)
      }
    }
    expect([await end(2, 'offline'), await end(3, 'offline')]).toEqual([15, 10])
    // 3 led epoch 0 and died; 1 wrote five records in epoch 1, which 2 copied.
    expect([await epoch(2, 'offline', 0), await epoch(2, 'offline', 1), await epoch(2, 'offline', 2)]).toEqual([
      [0, 10],
      [1, 15],
      1,
    ])
    expect([await epoch(3, 'offline', 0), await epoch(3, 'offline', 1)]).toEqual([[0, 10], 1])
  })

  test("the epoch told with the log end is the partition's current one, far above that of the last record", async () => {
    const [view] = await cluster.describe('offline', cluster.broker(3))
    expect(view?.leaderEpoch).toBeGreaterThan(1)
    await until('broker 3 to have applied it to its replica', async () => {
      const answer = await listOffset(cluster.broker(3), 'offline', 0, LATEST_TIMESTAMP)
      return answer.leaderEpoch === view?.leaderEpoch ? { done: undefined } : { seen: answer }
    })
  })
})

describe('electing by re-ordering', () => {
  test('re-order, elect, put back: the chosen one leads, the order is as before', async () => {
    expect(await cluster.elect('preferred', 'offline', 0)).toBe(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE)
    expect(await cluster.reorder('offline', 0, [2, 3, 1])).toBe(0)
    expect((await cluster.describe('offline'))[0]?.leader).toBe(-1)
    expect(await cluster.elect('preferred', 'offline', 0)).toBe(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE)
    expect(await cluster.elect('unclean', 'offline', 0)).toBe(0)
    await cluster.untilDescribed('offline', 'led by 2', ([view]) => view?.leader === 2)
    expect(await cluster.elect('unclean', 'offline', 0)).toBe(ErrorCode.ELECTION_NOT_NEEDED)
    expect(await cluster.reorder('offline', 0, [3, 1, 2])).toBe(0)
    await cluster.untilDescribed('offline', 'its order as before', ([view]) => view?.replicas.join() === '3,1,2')
    expect((await cluster.consume('offline', 0)).map(({ value }) => value)).toEqual(partitionOf('offline').get(2))
  })

  test('an unclean election alone takes the first living one of the list, although another has more', async () => {
    expect(await cluster.elect('unclean', 'offline2', 0)).toBe(0)
    await cluster.untilDescribed('offline2', 'led by 3', ([view]) => view?.leader === 3)
    await cluster.untilDescribed('offline2', 'followed by 2', ([view]) => view?.isr.includes(2) === true)
    expect([await end(2, 'offline2'), await end(3, 'offline2')]).toEqual([10, 10])
  })

  test('an unknown partition: 3', async () => {
    expect(await cluster.elect('unclean', 'nowhere', 0)).toBe(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
  })

  test('the broker that died last returns as a follower, and what only it had is cut off', async () => {
    expect(partitionOf('offline').get(1)).toHaveLength(18)
    await cluster.broker(1).start()
    await cluster.untilDescribed('offline', 'followed by all', ([view]) => view?.leader === 2 && view.isr.length === 3)
    expect(await end(1, 'offline')).toBe(15)
  })
})
