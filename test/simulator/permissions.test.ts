import { describe, expect, test } from 'vitest'
import { DescribeCluster } from '../../src/protocol/rpc/describe-cluster.js'
import { BROKER_RESOURCE, DescribeConfigs, TOPIC_RESOURCE } from '../../src/protocol/rpc/describe-configs.js'
import { DescribeLogDirs } from '../../src/protocol/rpc/describe-log-dirs.js'
import { DescribeQuorum, METADATA_TOPIC } from '../../src/protocol/rpc/describe-quorum.js'
import { DescribeTopicPartitions } from '../../src/protocol/rpc/describe-topic-partitions.js'
import { ListPartitionReassignments } from '../../src/protocol/rpc/list-partition-reassignments.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { parseScenario } from '../../src/simulator/scenario.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { ask, log, scenarioOf, start } from './client.js'
import { elect, endOfEpoch, listOffset, reassign, UNCLEAN } from './requests.js'

/** What a user may not do is refused with the code that a real broker's authorizer gives, and is missing in the operations told. */

const TOPIC_FAILED = 29
const CLUSTER_FAILED = 31
const ALL_OF_CLUSTER = 0b1_1111_1010_0000
const ALL_OF_TOPIC = 0b1101_1111_1000

const refusing = (...refuse: object[]) =>
  start(
    scenarioOf({
      refuse,
      topics: ['open', 'secret'].map((name) => ({
        name,
        partitions: [{ partition: 0, assignment: [1, 2], leader: 1, isr: [1, 2], logs: { 1: log(0, 9, [[0, 0]]) } }],
      })),
    }),
  )

async function topicsOf(running: RunningSimulator, names: readonly string[] | null) {
  const { topics } = await ask(running, 1, Metadata, 12, {
    topics: names?.map((name) => ({ name })) ?? null,
    allowAutoTopicCreation: false,
    includeTopicAuthorizedOperations: true,
  })
  return topics.map(({ name, errorCode, topicAuthorizedOperations: told }) => [name, errorCode, told])
}

const describedTopics = async (running: RunningSimulator, names: readonly string[]) =>
  (await ask(running, 1, DescribeTopicPartitions, 0, { topics: names.map((name) => ({ name })) })).topics.map(
    ({ name, errorCode }) => [name, errorCode],
  )

async function clusterOperations(running: RunningSimulator): Promise<number> {
  const answer = await ask(running, 1, DescribeCluster, 1, { includeClusterAuthorizedOperations: true })
  expect(answer.errorCode).toBe(0)
  return answer.clusterAuthorizedOperations
}

test('nothing refused: all operations are told, where they are asked for', async () => {
  const running = await refusing()
  expect(await clusterOperations(running)).toBe(ALL_OF_CLUSTER)
  expect(await topicsOf(running, null)).toEqual([
    ['open', 0, ALL_OF_TOPIC],
    ['secret', 0, ALL_OF_TOPIC],
  ])
  const unasked = await ask(running, 1, DescribeCluster, 1, { includeClusterAuthorizedOperations: false })
  expect(unasked.clusterAuthorizedOperations).toBe(-(2 ** 31))
})

describe('on the cluster', () => {
  test('ALTER: no election, no reassignment', async () => {
    const running = await refusing({ resource: 'CLUSTER', operation: 'ALTER' })
    expect(await clusterOperations(running)).toBe(ALL_OF_CLUSTER & ~(1 << 7))
    expect(await elect(running, 1, UNCLEAN, 'open', [0])).toEqual([CLUSTER_FAILED])
    expect(await reassign(running, 1, 'open', 0, [2, 1])).toBe(CLUSTER_FAILED)
    expect(running.inspect().partition('open', 0)?.replicas).toEqual([1, 2])
  })

  test('DESCRIBE: no operations are told, no quorum, no reassignments, no directories', async () => {
    const running = await refusing({ resource: 'CLUSTER', operation: 'DESCRIBE' })
    expect(await clusterOperations(running)).toBe(0)
    const quorum = await ask(running, 1, DescribeQuorum, 2, {
      topics: [{ topicName: METADATA_TOPIC, partitions: [{ partitionIndex: 0 }] }],
    })
    expect(quorum.errorCode).toBe(CLUSTER_FAILED)
    expect((await ask(running, 1, DescribeLogDirs, 4, { topics: null })).errorCode).toBe(CLUSTER_FAILED)
    const moves = await ask(running, 1, ListPartitionReassignments, 0, { timeoutMs: 1000, topics: null })
    expect(moves.errorCode).toBe(CLUSTER_FAILED)
    const topics = [{ name: 'open', partitionIndexes: [0] }]
    const named = await ask(running, 1, ListPartitionReassignments, 0, { timeoutMs: 1000, topics })
    const nothing = { partitionIndex: 0, replicas: [], addingReplicas: [], removingReplicas: [] }
    expect([named.errorCode, named.topics]).toEqual([CLUSTER_FAILED, [{ name: 'open', partitions: [nothing] }]])
  })

  test('DESCRIBE_CONFIGS: brokers tell no configuration, topics do; what is refused comes last', async () => {
    const running = await refusing({ resource: 'CLUSTER', operation: 'DESCRIBE_CONFIGS' })
    const { results } = await ask(running, 1, DescribeConfigs, 4, {
      resources: [
        { resourceType: BROKER_RESOURCE, resourceName: '1', configurationKeys: null },
        { resourceType: TOPIC_RESOURCE, resourceName: 'open', configurationKeys: null },
      ],
    })
    expect(results.map(({ errorCode }) => errorCode)).toEqual([0, CLUSTER_FAILED])
  })
})

describe('on a topic', () => {
  test('DESCRIBE: it is in no list; by name 29, whether there is such a topic or not; no offsets', async () => {
    const running = await refusing({ resource: 'TOPIC', operation: 'DESCRIBE', name: 'secret' })
    expect(await topicsOf(running, null)).toEqual([['open', 0, ALL_OF_TOPIC]])
    expect(await topicsOf(running, ['secret'])).toEqual([['secret', TOPIC_FAILED, -(2 ** 31)]])
    expect(await describedTopics(running, [])).toEqual([['open', 0]])
    expect(await describedTopics(running, ['secret'])).toEqual([['secret', TOPIC_FAILED]])
    expect(await listOffset(running, 1, 'secret', 0, -1n)).toMatchObject({ error: TOPIC_FAILED })
    expect(await listOffset(running, 1, 'open', 0, -1n)).toMatchObject({ error: 0, offset: 9 })
    // Of a name that nobody has is told what would be allowed on it.
    expect(await topicsOf(running, ['no-such-topic'])).toEqual([['no-such-topic', 3, ALL_OF_TOPIC]])
    const none = await refusing({ resource: 'TOPIC', operation: 'DESCRIBE' })
    expect(await topicsOf(none, null)).toEqual([])
    expect(await topicsOf(none, ['no-such-topic'])).toEqual([['no-such-topic', TOPIC_FAILED, -(2 ** 31)]])
  })

  test('READ: no fetch; offsets are told', async () => {
    const running = await refusing({ resource: 'TOPIC', operation: 'READ', name: 'secret' })
    expect(await endOfEpoch(running, 1, 'secret', 0, 0)).toMatchObject({ error: TOPIC_FAILED })
    expect(await endOfEpoch(running, 1, 'open', 0, 0)).toMatchObject({ error: 0, endOffset: 9 })
    expect(await listOffset(running, 1, 'secret', 0, -1n)).toMatchObject({ error: 0 })
    expect(await topicsOf(running, ['secret'])).toEqual([['secret', 0, ALL_OF_TOPIC & ~(1 << 3)]])
  })
})

test('an operation that a resource does not know is a mistake of the file', () => {
  const file = (refusal: object) => () =>
    parseScenario(
      JSON.stringify({
        clusterId: 'SIMULATED-x',
        brokers: [{ id: 1, logDirs: ['/a'] }],
        topics: [],
        refuse: [refusal],
      }),
      'night.json',
    )
  expect(file({ resource: 'CLUSTER', operation: 'READ' })).toThrow(/^night\.json: refuse\[0\]\.operation: /)
  expect(file({ resource: 'CLUSTER', operation: 'ALTER', name: 'x' })).toThrow(/refuse\[0\]\.name: unknown key/)
  expect(file({ resource: 'GROUP', operation: 'READ' })).toThrow(/^night\.json: refuse\[0\]\.resource: /)
})
