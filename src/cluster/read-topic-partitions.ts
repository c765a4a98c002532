import pLimit from 'p-limit'
import { DescribeTopicPartitions } from '../protocol/rpc/describe-topic-partitions.js'
import type { ResponseOf } from '../protocol/schema/rpc.js'
import { ZERO_UUID } from '../protocol/schema/types.js'
import type { BrokerLink } from './connections.js'
import type { PartitionState } from './snapshot.js'

export interface DescribedTopic {
  readonly name: string
  readonly errorCode: number
  readonly partitions: readonly PartitionState[]
}

/** A broker answers at most so many partitions at once (max.request.partition.size.limit), whatever is asked. */
const PAGE = 2000
/** Two million partitions: more than any cluster has. */
const MAX_PAGES = 1000
/** All pages together may take so many times what one may: a broker that answers each just in time would keep us asking for hours. */
const DEADLINES_IN_ALL = 3

/** The broker answers them one after the other anyway: this many are on their way. Each answer waits in memory, some 100 KB. */
const REQUESTS_AT_ONCE = 16

/**
 * The same for many topics: as many of them in one request as fill a page, and several requests at once, since pages of one request follow each other, each
 * after a round trip. `partitions`: how many each has, as far as is known.
 * @throws TransportError
 */
export async function describeManyTopics(
  link: BrokerLink,
  topics: Iterable<{ readonly name: string; readonly partitions: number }>,
  timeoutMs: number,
  onDescribed: (topics: readonly DescribedTopic[]) => void,
): Promise<void> {
  const limit = pLimit(REQUESTS_AT_ONCE)
  const reads = inPages(topics).map((names) =>
    limit(async () => onDescribed(await describeTopicPartitions(link, names, timeoutMs))),
  )
  await Promise.all(reads)
}

function inPages(topics: Iterable<{ readonly name: string; readonly partitions: number }>): string[][] {
  const pages: string[][] = []
  let size = PAGE
  for (const { name, partitions } of topics) {
    if (size + partitions > PAGE) {
      pages.push([])
      size = 0
    }
    pages.at(-1)?.push(name)
    size += partitions
  }
  return pages
}

/**
 * Partitions with ELR and last known ELR (KIP-966), page by page. Brokers sort the topics of a page by name, and so do we.
 * @param timeoutMs for each page; for all of them three times as long. ms
 * @throws TransportError
 */
export async function describeTopicPartitions(
  link: BrokerLink,
  topics: readonly string[],
  timeoutMs: number,
): Promise<DescribedTopic[]> {
  const found = new Map<string, { errorCode: number; partitions: PartitionState[] }>()
  const names = [...topics].sort().map((name) => ({ name }))
  const endsAt = performance.now() + DEADLINES_IN_ALL * timeoutMs
  let cursor: Cursor | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const body: ResponseOf<typeof DescribeTopicPartitions> = (
      await link.request(
        DescribeTopicPartitions,
        { topics: remainingTopics(names, cursor), responsePartitionLimit: PAGE, cursor },
        { timeoutMs: Math.max(1, Math.min(timeoutMs, endsAt - performance.now())) },
      )
    ).body
    for (const topic of body.topics) {
      const name = topic.name ?? ''
      const known = found.get(name) ?? { errorCode: topic.errorCode, partitions: [] }
      known.partitions.push(...topic.partitions.map((partition) => stateOf(name, topic.topicId, partition)))
      found.set(name, known)
    }
    if (body.nextCursor === null || !goesOn(cursor, body.nextCursor)) break
    cursor = body.nextCursor
  }
  return [...found].map(([name, topic]) => ({ name, ...topic }))
}

interface Cursor {
  readonly topicName: string
  readonly partitionIndex: number
}

/** Topics before the cursor were answered: naming them again would only make the request longer. */
function remainingTopics(names: readonly { name: string }[], cursor: Cursor | null): { name: string }[] {
  return cursor === null ? [...names] : names.filter(({ name }) => name >= cursor.topicName)
}

/** A page begins behind the one before it; a broker that leads back would keep us asking for ever. */
function goesOn(before: Cursor | null, next: Cursor): boolean {
  if (before === null) return true
  if (next.topicName !== before.topicName) return next.topicName > before.topicName
  return next.partitionIndex > before.partitionIndex
}

type WirePartition = ResponseOf<typeof DescribeTopicPartitions>['topics'][number]['partitions'][number]

function stateOf(topic: string, topicId: string, partition: WirePartition): PartitionState {
  return {
    topic,
    topicId: topicId === ZERO_UUID ? null : topicId,
    partition: partition.partitionIndex,
    leader: partition.leaderId < 0 ? null : partition.leaderId,
    leaderEpoch: partition.leaderEpoch,
    replicas: partition.replicaNodes,
    isr: partition.isrNodes,
    elr: partition.eligibleLeaderReplicas,
    lastKnownElr: partition.lastKnownElr,
    offlineReplicas: partition.offlineReplicas,
  }
}
