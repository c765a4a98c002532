import pLimit from 'p-limit'
import { ErrorCode } from '../protocol/error-codes.js'
import { DescribeTopicPartitions } from '../protocol/rpc/describe-topic-partitions.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { BrokerLink } from './connections.js'
import { PartitionMap } from './partition-map.js'
import type { MetadataRead } from './read-metadata.js'
import { type DescribedTopic, describeTopicPartitions } from './read-topic-partitions.js'
import type { PartitionState, ReadProblem } from './snapshot.js'

export interface ElrRead {
  /** The state with ELR and last known ELR, where they were told. */
  withElr(state: PartitionState): PartitionState
  readonly problems: readonly ReadProblem[]
}

type Described = PartitionMap<Pick<PartitionState, 'elr' | 'lastKnownElr'>>

/** Partitions asked for in one request: a broker pages at 2,000 anyway, and pages follow each other. */
const PARTITIONS_PER_REQUEST = 2_000
/** The broker answers them one after the other anyway; each answer waits in memory. */
const REQUESTS_AT_ONCE = 4

/** ELR of the topics that have a partition without a leader: elsewhere nothing depends on it. */
export async function readElr(link: BrokerLink, metadata: MetadataRead, timeoutMs: number): Promise<ElrRead> {
  const problems: ReadProblem[] = []
  const described: Described = new PartitionMap()
  const leaderless = metadata.topics.filter((topic) => topic.partitions.some((partition) => partition.leader === null))
  try {
    if (leaderless.length > 0 && (await link.versionFor(DescribeTopicPartitions, timeoutMs)) !== null) {
      const groups = groupsOf(leaderless)
      const limit = pLimit(REQUESTS_AT_ONCE)
      const reads = groups.map((topics) =>
        limit(async () => collect(await describeTopicPartitions(link, topics, timeoutMs), described, problems)),
      )
      await Promise.all(reads)
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    problems.push({ code: 'unreadable', broker: null, text: `ELR could not be read: ${error.message}` })
  }
  return {
    problems,
    withElr(state) {
      const known = described.get(state)
      return known === undefined ? state : { ...state, ...known }
    },
  }
}

function collect(topics: readonly DescribedTopic[], described: Described, problems: ReadProblem[]): void {
  for (const topic of topics) {
    for (const partition of topic.partitions) {
      const { leader, elr, lastKnownElr } = partition
      if (leader === null) described.set(partition, { elr, lastKnownElr })
    }
    if (topic.errorCode === ErrorCode.TOPIC_AUTHORIZATION_FAILED) {
      problems.push({ code: 'permission', broker: null, text: `topic ${topic.name}: not allowed to read its ELR` })
    }
  }
}

function groupsOf(topics: MetadataRead['topics']): string[][] {
  const groups: string[][] = []
  let size = PARTITIONS_PER_REQUEST
  for (const topic of topics) {
    if (size + topic.partitions.length > PARTITIONS_PER_REQUEST) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(topic.name)
    size += topic.partitions.length
  }
  return groups
}
