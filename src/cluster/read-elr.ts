import { ErrorCode } from '../protocol/error-codes.js'
import { DescribeTopicPartitions } from '../protocol/rpc/describe-topic-partitions.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { BrokerLink } from './connections.js'
import { PartitionMap } from './partition-map.js'
import type { MetadataRead } from './read-metadata.js'
import { type DescribedTopic, describeManyTopics } from './read-topic-partitions.js'
import type { PartitionState, ReadProblem } from './snapshot.js'

export interface ElrRead {
  /** The state with ELR and last known ELR, where they were told. */
  withElr(state: PartitionState): PartitionState
  readonly problems: readonly ReadProblem[]
}

type Described = PartitionMap<Pick<PartitionState, 'elr' | 'lastKnownElr'>>

/** ELR of the topics that have a partition without a leader: elsewhere nothing depends on it. */
export async function readElr(link: BrokerLink, metadata: MetadataRead, timeoutMs: number): Promise<ElrRead> {
  const problems: ReadProblem[] = []
  const described: Described = new PartitionMap()
  const leaderless = metadata.topics.filter((topic) => topic.partitions.some((partition) => partition.leader === null))
  try {
    if (leaderless.length > 0 && (await link.versionFor(DescribeTopicPartitions, timeoutMs)) !== null) {
      const topics = leaderless.map(({ name, partitions }) => ({ name, partitions: partitions.length }))
      await describeManyTopics(link, topics, timeoutMs, (told) => collect(told, described, problems))
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
