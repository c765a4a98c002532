import { AlterPartitionReassignments } from '../../../src/protocol/rpc/alter-partition-reassignments.js'
import { DescribeCluster } from '../../../src/protocol/rpc/describe-cluster.js'
import { BROKER_RESOURCE, DescribeConfigs, TOPIC_RESOURCE } from '../../../src/protocol/rpc/describe-configs.js'
import { DescribeLogDirs } from '../../../src/protocol/rpc/describe-log-dirs.js'
import { DescribeQuorum, METADATA_TOPIC } from '../../../src/protocol/rpc/describe-quorum.js'
import { DescribeTopicPartitions } from '../../../src/protocol/rpc/describe-topic-partitions.js'
import { ElectLeaders } from '../../../src/protocol/rpc/elect-leaders.js'
import { Fetch } from '../../../src/protocol/rpc/fetch.js'
import { LATEST_TIMESTAMP, ListOffsets } from '../../../src/protocol/rpc/list-offsets.js'
import { ListPartitionReassignments } from '../../../src/protocol/rpc/list-partition-reassignments.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import type { AnyRpc, RequestInput } from '../../../src/protocol/schema/rpc.js'
import { BrokerConnection } from '../../../src/protocol/transport/connection.js'
import type { TransportSettings } from '../../../src/protocol/transport/settings.js'

/** Nobody has it: what writes is tried on it, and changes nothing. */
const NOBODYS = 'nobodys-topic'
const DEBUGGING_CONSUMER = -2

/**
 * What an authorizer lets show through, of every request that the program sends: the codes and who is in the answer. Of the topics
 * `topics`, whose partition 0 has a replica on the broker asked; other topics of the cluster are left out.
 */
export async function authorizerAnswers(
  address: { readonly host: string; readonly port: number },
  settings: Pick<TransportSettings, 'sasl'>,
  broker: number,
  topics: readonly string[],
): Promise<Record<string, unknown>> {
  const connection = await BrokerConnection.open(
    address,
    { clientId: 'test', tls: null, readOnly: false, ...settings },
    10_000,
  )
  const ask = async <R extends AnyRpc>(rpc: R, body: RequestInput<R>, maxVersion?: number) =>
    (await connection.request(rpc, body, { timeoutMs: 10_000, ...(maxVersion === undefined ? {} : { maxVersion }) }))
      .body
  const named = [...topics, NOBODYS]
  const own = <T extends { readonly name: string | null }>(all: readonly T[]) =>
    all
      .filter(({ name }) => name !== null && named.includes(name))
      .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  try {
    const metadata = async (names: readonly string[] | null) =>
      own(
        (
          await ask(Metadata, {
            topics: names?.map((name) => ({ name })) ?? null,
            allowAutoTopicCreation: false,
            includeTopicAuthorizedOperations: true,
          })
        ).topics,
      ).map((topic) => [topic.name, topic.errorCode, topic.partitions.length, topic.topicAuthorizedOperations])
    const described = async (names: readonly string[]) =>
      own((await ask(DescribeTopicPartitions, { topics: names.map((name) => ({ name })) })).topics).map((topic) => [
        topic.name,
        topic.errorCode,
        topic.partitions.length,
      ])
    const cluster = await ask(DescribeCluster, { includeClusterAuthorizedOperations: true })
    const logDirs = await ask(DescribeLogDirs, { topics: null })
    const quorum = await ask(DescribeQuorum, {
      topics: [{ topicName: METADATA_TOPIC, partitions: [{ partitionIndex: 0 }] }],
    })
    const moves = await ask(ListPartitionReassignments, {
      timeoutMs: 5_000,
      topics: named.map((name) => ({ name, partitionIndexes: [0] })),
    })
    const configs = await ask(DescribeConfigs, {
      resources: [
        { resourceType: BROKER_RESOURCE, resourceName: String(broker), configurationKeys: ['node.id'] },
        { resourceType: BROKER_RESOURCE, resourceName: '', configurationKeys: [] },
        ...named.map((name) => ({
          resourceType: TOPIC_RESOURCE,
          resourceName: name,
          configurationKeys: ['min.insync.replicas'],
        })),
      ],
    })
    const offsets = await ask(
      ListOffsets,
      {
        replicaId: DEBUGGING_CONSUMER,
        topics: named.map((name) => ({ name, partitions: [{ partitionIndex: 0, timestamp: LATEST_TIMESTAMP }] })),
      },
      7,
    )
    const fetched = await ask(
      Fetch,
      {
        replicaId: DEBUGGING_CONSUMER,
        maxWaitMs: 0,
        minBytes: 0,
        topics: named.map((topic) => ({
          topic,
          partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes: 1 }],
        })),
      },
      12,
    )
    const elected = await ask(
      ElectLeaders,
      {
        electionType: 1,
        topicPartitions: [{ topic: NOBODYS, partitions: [0] }],
        timeoutMs: 5_000,
      },
      2,
    )
    const moved = await ask(AlterPartitionReassignments, {
      timeoutMs: 5_000,
      topics: [{ name: NOBODYS, partitions: [{ partitionIndex: 0, replicas: [broker] }] }],
    })
    return {
      everyTopic: await metadata(null),
      topicsByName: await metadata(named),
      everyPartition: await described([]),
      partitionsByName: await described(named),
      clusterOperations: cluster.clusterAuthorizedOperations,
      logDirs: [
        logDirs.errorCode,
        logDirs.results.length > 0,
        new Set(own(logDirs.results.flatMap((dir) => dir.topics)).map(({ name }) => name)),
      ],
      quorum: [quorum.errorCode, quorum.topics.length],
      moves: [moves.errorCode, moves.topics],
      configs: configs.results.map(({ resourceName, errorCode }) => [resourceName, errorCode]),
      offsets: own(offsets.topics).map(({ name, partitions }) => [name, partitions.map(({ errorCode }) => errorCode)]),
      fetched: [
        fetched.errorCode,
        own(fetched.responses.map(({ topic, partitions }) => ({ name: topic, partitions }))).map(
          ({ name, partitions }) => [name, partitions.map(({ errorCode }) => errorCode)],
        ),
      ],
      elected: [
        elected.errorCode,
        elected.replicaElectionResults.map(({ topic, partitionResult }) => [
          topic,
          partitionResult.map(({ errorCode }) => errorCode),
        ]),
      ],
      moved: [
        moved.errorCode,
        moved.responses.map(({ name, partitions }) => [name, partitions.map(({ errorCode }) => errorCode)]),
      ],
    }
  } finally {
    connection.close()
  }
}
