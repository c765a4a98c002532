import { expect, test } from 'vitest'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { DescribeCluster } from '../../src/protocol/rpc/describe-cluster.js'
import { BROKER_RESOURCE, DescribeConfigs, TOPIC_RESOURCE } from '../../src/protocol/rpc/describe-configs.js'
import { DescribeQuorum, METADATA_TOPIC } from '../../src/protocol/rpc/describe-quorum.js'
import { DescribeTopicPartitions } from '../../src/protocol/rpc/describe-topic-partitions.js'
import { IncrementalAlterConfigs } from '../../src/protocol/rpc/incremental-alter-configs.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import type { ResponseOf } from '../../src/protocol/schema/rpc.js'
import { ask, scenarioOf, start } from './client.js'
import { elect, UNCLEAN } from './requests.js'

/** What brokers tell of the cluster as a whole. */
const cluster = scenarioOf({
  brokers: [
    { id: 1, logDirs: ['/data/a'], rack: 'a' },
    { id: 2, logDirs: ['/data/a', '/data/b'], state: 'fenced' },
    { id: 3, logDirs: ['/data/a'], state: 'down' },
    { id: 4, logDirs: ['/data/a'] },
  ],
  topics: [
    { name: 'b', config: { 'min.insync.replicas': '2' }, partitionCount: 2500, replicationFactor: 2, seed: 3 },
    {
      name: 'a',
      partitions: [{ partition: 0, assignment: [3, 1], leader: -1, leaderEpoch: 1, elr: [3], lastKnownElr: [3] }],
    },
  ],
})

test('versions: what is served, and on stock keys 93 and 94 as 4.4.0 has them', async () => {
  const stock = await ask(await start(cluster), 1, ApiVersions, 4, {})
  const of = (answer: typeof stock, key: number) => {
    const found = answer.apiKeys.find(({ apiKey }) => apiKey === key)
    return found === undefined ? null : [found.minVersion, found.maxVersion]
  }
  expect([3, 2, 1, 35, 43, 75, 45, 60, 93, 94].map((key) => of(stock, key))).toEqual([
    [1, 13],
    [1, 11],
    [12, 12],
    [1, 5],
    [0, 2],
    [0, 0],
    [0, 1],
    [0, 2],
    [0, 0],
    [0, 0],
  ])
  expect(stock.finalizedFeatures).toContainEqual({
    name: 'eligible.leader.replicas.version',
    maxVersionLevel: 1,
    minVersionLevel: 1,
  })
  const kip = await ask(await start({ ...cluster, personality: 'kip1275' }), 1, ApiVersions, 0, {})
  expect([43, 93, 94].map((key) => of(kip, key))).toEqual([[0, 3], [0, 0], null])
})

test('Metadata has unfenced brokers only; DescribeCluster 2 lists stopped ones as fenced too', async () => {
  const running = await start(cluster)
  expect(running.bootstrapServers.split(',')).toHaveLength(2)
  const metadata = await ask(running, 1, Metadata, 13, { topics: [], allowAutoTopicCreation: false })
  expect(metadata.brokers.map(({ nodeId, rack }) => [nodeId, rack])).toEqual([
    [1, 'a'],
    [4, null],
  ])
  expect(metadata.clusterId).toBe('SIMULATED-test')
  expect(metadata.topics).toEqual([])
  const all = await ask(running, 2, DescribeCluster, 2, {
    includeClusterAuthorizedOperations: false,
    includeFencedBrokers: true,
  })
  expect(all.brokers.map(({ brokerId, isFenced }) => [brokerId, isFenced])).toEqual([
    [1, false],
    [2, true],
    [3, true],
    [4, false],
  ])
  expect(all.brokers.every(({ port }) => port > 0)).toBe(true)
})

test('asking for a topic that is not there is 3, and creates it only for whoever allows that', async () => {
  const running = await start(cluster)
  const topics = [{ name: 'new' }]
  for (const allowAutoTopicCreation of [false, false]) {
    const answer = await ask(running, 1, Metadata, 12, { topics, allowAutoTopicCreation })
    expect(answer.topics[0]!.errorCode).toBe(3)
  }
  await ask(running, 1, Metadata, 12, { topics, allowAutoTopicCreation: true })
  const answer = await ask(running, 1, Metadata, 12, { topics, allowAutoTopicCreation: false })
  expect(answer.topics[0]).toMatchObject({ errorCode: 0, partitions: [expect.objectContaining({ leaderId: 1 })] })
})

test('topics by id', async () => {
  const running = await start(cluster)
  const { topicId } = running.inspect().partition('a', 0)!
  const unknown = 'SIMULATEDunknownIdAAAA'
  const answer = await ask(running, 1, Metadata, 12, {
    topics: [
      { topicId, name: null },
      { topicId: unknown, name: null },
    ],
    allowAutoTopicCreation: false,
  })
  expect(answer.topics.map(({ name, errorCode }) => [name, errorCode])).toEqual([
    ['a', 0],
    [null, 100],
  ])
})

test('DescribeTopicPartitions tells ELR, in pages of at most 2000 that the cursor continues', async () => {
  const running = await start(cluster)
  const pages: unknown[] = []
  let cursor: { topicName: string; partitionIndex: number } | null = null
  do {
    const page: ResponseOf<typeof DescribeTopicPartitions> = await ask(running, 1, DescribeTopicPartitions, 0, {
      topics: [],
      responsePartitionLimit: 5000,
      cursor,
    })
    pages.push(page.topics.map(({ name, partitions }) => [name, partitions.length]))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(pages).toEqual([
    [
      ['a', 1],
      ['b', 1999],
    ],
    [['b', 501]],
  ])
  const one = await ask(running, 1, DescribeTopicPartitions, 0, { topics: [{ name: 'a' }, { name: 'nope' }] })
  expect(one.topics[0]!.partitions[0]).toEqual({
    errorCode: 5,
    partitionIndex: 0,
    leaderId: -1,
    leaderEpoch: 1,
    replicaNodes: [3, 1],
    isrNodes: [],
    eligibleLeaderReplicas: [3],
    lastKnownElr: [3],
    offlineReplicas: [3],
  })
  expect(one.topics[1]!.errorCode).toBe(3)
  const small = await ask(running, 1, DescribeTopicPartitions, 0, { topics: [], responsePartitionLimit: 1 })
  expect(small.nextCursor).toEqual({ topicName: 'b', partitionIndex: 0 })
  const missing = await ask(running, 1, DescribeTopicPartitions, 0, {
    topics: [{ name: 'a' }],
    cursor: { topicName: 'b', partitionIndex: 0 },
  })
  expect(missing.topics[0]!.errorCode).toBe(42)
})

test('a broker tells its own configuration, and on another broker’s who it is', async () => {
  const running = await start(cluster)
  const answer = await ask(running, 2, DescribeConfigs, 4, {
    resources: [
      {
        resourceType: BROKER_RESOURCE,
        resourceName: '2',
        configurationKeys: ['log.dirs', 'process.roles', 'metadata.log.dir'],
      },
      { resourceType: BROKER_RESOURCE, resourceName: '1', configurationKeys: null },
      { resourceType: TOPIC_RESOURCE, resourceName: 'b', configurationKeys: ['min.insync.replicas', 'cleanup.policy'] },
      { resourceType: TOPIC_RESOURCE, resourceName: 'nope', configurationKeys: null },
    ],
  })
  const values = (index: number) =>
    Object.fromEntries(answer.results[index]!.configs.map(({ name, value }) => [name, value]))
  expect(values(0)).toEqual({
    'log.dirs': '/data/a,/data/b',
    'process.roles': 'broker',
    'metadata.log.dir': '/var/lib/kafka/metadata',
  })
  expect(answer.results[1]).toMatchObject({
    errorCode: 42,
    errorMessage: 'Unexpected broker id, expected 2 or empty string, but received 1',
  })
  expect(values(2)).toEqual({ 'min.insync.replicas': '2', 'cleanup.policy': 'delete' })
  expect(answer.results[3]!.errorCode).toBe(3)
})

test('settings can be changed, and the controller’s rules follow', async () => {
  const running = await start(cluster)
  const set = (name: string, configOperation: number, value: string | null) =>
    ask(running, 1, IncrementalAlterConfigs, 1, {
      resources: [{ resourceType: TOPIC_RESOURCE, resourceName: 'a', configs: [{ name, configOperation, value }] }],
      validateOnly: false,
    })
  expect((await set('unclean.leader.election.enable', 0, 'true')).responses[0]!.errorCode).toBe(0)
  await running.apply({ brokerUp: 2 })
  expect(running.inspect().partition('a', 0)!.leader).toBe(1)
})

test('the quorum names every broker as an observer, and tells which view is stale', async () => {
  const running = await start(
    scenarioOf({
      brokers: [1, 2].map((id) => ({ id, logDirs: ['/data/a'], ...(id === 2 ? { metadataDelayMs: 60_000 } : {}) })),
      topics: [{ name: 'a', partitions: [{ partition: 0, assignment: [1, 2], leader: -1, leaderEpoch: 1 }] }],
    }),
  )
  expect(await elect(running, 2, UNCLEAN, 'a', [0])).toEqual([0])
  const leaders = []
  for (const broker of [1, 2]) {
    const { topics } = await ask(running, broker, Metadata, 12, { topics: null, allowAutoTopicCreation: false })
    leaders.push(topics[0]!.partitions[0]!.leaderId)
  }
  expect(leaders).toEqual([1, -1])
  const quorum = await ask(running, 1, DescribeQuorum, 2, {
    topics: [{ topicName: METADATA_TOPIC, partitions: [{ partitionIndex: 0 }] }],
  })
  const found = quorum.topics[0]!.partitions[0]!
  expect(found).toMatchObject({ errorCode: 0, leaderId: 3000 })
  expect(found.currentVoters.map(({ replicaId }) => replicaId)).toEqual([3000])
  expect(
    found.observers.map(({ replicaId, logEndOffset }) => [replicaId, logEndOffset === found.highWatermark]),
  ).toEqual([
    [1, true],
    [2, false],
  ])
})

test('a topic that is deleted and made again has another id and empty logs', async () => {
  const running = await start(cluster)
  const before = running.inspect().partition('b', 0)!
  await running.apply({ recreateTopic: 'b' })
  const after = running.inspect().partition('b', 0)!
  expect(after.topicId).not.toBe(before.topicId)
  expect([...after.logs.values()].every(({ logEndOffset }) => logEndOffset === 0)).toBe(true)
  await running.apply({ deleteTopic: 'b' })
  expect(running.inspect().partition('b', 0)).toBeNull()
})
