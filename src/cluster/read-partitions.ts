import { ErrorCode, errorName } from '../protocol/error-codes.js'
import { DescribeTopicPartitions } from '../protocol/rpc/describe-topic-partitions.js'
import type { PartitionsRead } from './cluster.js'
import { groupByTopic } from './partitions-by-topic.js'
import { describeManyTopics } from './read-topic-partitions.js'
import type { ClusterSession } from './session.js'
import type { PartitionState, TopicPartition } from './snapshot.js'

interface TopicRead {
  readonly name: string
  readonly errorCode: number
  readonly partitions: readonly PartitionState[]
}

/**
 * Reads just these partitions, from a broker whose view is fresh. Never creates a topic by asking.
 * @throws NoBrokerReachableError, TransportError, ClusterChangedError
 */
export async function readPartitions(
  session: ClusterSession,
  partitions: readonly TopicPartition[],
): Promise<PartitionsRead> {
  const byTopic = groupByTopic(partitions)
  const names = [...byTopic.keys()]
  const { link } = await session.freshView()
  const offersElr = (await link.versionFor(DescribeTopicPartitions, session.requestTimeoutMs)) !== null
  const topics = new Map<string, TopicRead>()
  const take = (told: readonly TopicRead[]) => {
    for (const topic of told) topics.set(topic.name, topic)
  }
  const wanted = [...byTopic].map(([name, some]) => ({ name, partitions: some.length }))
  const [metadata] = await Promise.all([
    session.metadata(offersElr ? [] : names),
    offersElr ? describeManyTopics(link, wanted, session.requestTimeoutMs, take) : null,
  ])
  if (!offersElr) take(metadata.topics)
  const found: PartitionState[] = []
  const missing: PartitionsRead['missing'][number][] = []
  for (const [name, wanted] of byTopic) {
    const topic = topics.get(name)
    const states = new Map(topic?.partitions.map((state) => [state.partition, state]))
    for (const { partition } of wanted) {
      const state = states.get(partition)
      if (state !== undefined) found.push(state)
      else missing.push({ topic: name, partition, ...whyMissing(topic, name, partition) })
    }
  }
  return {
    found,
    missing,
    clusterId: metadata.clusterId,
    brokersUp: new Set(metadata.brokers.map(({ id }) => id)),
  }
}

function whyMissing(
  topic: TopicRead | undefined,
  name: string,
  partition: number,
): Pick<PartitionsRead['missing'][number], 'code' | 'text'> {
  if (topic === undefined || topic.errorCode === ErrorCode.UNKNOWN_TOPIC_OR_PARTITION) {
    return { code: 'unknownTopic', text: `the cluster has no topic ${name}, or this user may not see it` }
  }
  if (topic.errorCode === ErrorCode.TOPIC_AUTHORIZATION_FAILED) {
    return { code: 'permission', text: `not allowed to see topic ${name} (needs Describe on it)` }
  }
  if (topic.errorCode !== 0) {
    return { code: 'error', text: `topic ${name}: the cluster answered ${errorName(topic.errorCode)}` }
  }
  return { code: 'unknownPartition', text: `topic ${name} has no partition ${partition}` }
}
