/**
 * What a cluster looks like at one moment, as this program read it. Immutable. Offsets and sizes are numbers here: a reader
 * turns an offset above 2^53-1 into an error of that replica, it never rounds. What is not known is a value of its own.
 */

/** up: in Metadata.Brokers. fenced: answers, but is not in Metadata.Brokers. down: does not answer. */
export type BrokerState = 'up' | 'fenced' | 'down'

export interface Broker {
  readonly id: number
  /** Null: not told (a broker that is down and in no list). */
  readonly host: string | null
  readonly port: number | null
  readonly rack: string | null
  readonly state: BrokerState
  /** Why it did not answer, or answered in part; one line. */
  readonly error: string | null
}

export interface PartitionState {
  readonly topic: string
  /** Kafka's text form (22 characters); null where the brokers tell none. */
  readonly topicId: string | null
  readonly partition: number
  /** Null: no leader, the partition is offline. */
  readonly leader: number | null
  readonly leaderEpoch: number
  /** The assignment, in its order. */
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
  /**
   * Null: not told (ZooKeeper mode, not asked for this topic, or not allowed). A cluster that keeps no ELR (its feature is off: 4.0
   * and older by default) tells empty lists, and that is true: nobody is in it.
   */
  readonly elr: readonly number[] | null
  readonly lastKnownElr: readonly number[] | null
  /** Replicas that the metadata calls offline: broker gone, or its log directory failed. */
  readonly offlineReplicas: readonly number[]
}

export interface ReplicaPlacement {
  readonly topic: string
  readonly partition: number
  readonly sizeBytes: number
  readonly isFuture: boolean
}

export interface LogDir {
  readonly broker: number
  readonly path: string
  readonly state: 'online' | 'offline' | 'unknown'
  /** Takes no new replicas (4.4): not a failure. */
  readonly cordoned: boolean
  readonly error: string | null
  readonly totalBytes: number | null
  readonly usableBytes: number | null
  /** Null: not told (failed directory, broker down). */
  readonly replicaCount: number | null
  /** Null: not told, or not asked for (SnapshotOptions.placements). */
  readonly replicas: readonly ReplicaPlacement[] | null
}

/** The configuration that decides what electing means. Null: not readable. */
export interface TopicConfig {
  readonly minInsyncReplicas: number | null
  readonly uncleanLeaderElection: boolean | null
  readonly cleanupPolicy: string | null
  readonly remoteStorage: boolean | null
}

export interface QuorumVoter {
  readonly id: number
  readonly logEndOffset: number | null
  /** Has everything that is committed, or fetched within the last seconds: it counts for the majority. Absent: not told. */
  readonly caughtUp?: boolean
}
export interface Quorum {
  /** Null: no controller leads. */
  readonly leader: number | null
  readonly highWatermark: number
  readonly voters: readonly QuorumVoter[]
  /** Broker id to the metadata offset that it has applied: how stale its view is. */
  readonly observers: ReadonlyMap<number, number>
}

/** Something that could not be read, with what would help. The rest is still shown. */
export interface ReadProblem {
  readonly code:
    | 'brokerDown'
    | 'permission'
    | 'hiddenTopics'
    | 'noQuorum'
    | 'staleView'
    | 'wrongBroker'
    | 'mixedClusters'
    | 'unreadable'
    | 'unsupported'
  readonly broker: number | null
  /** One line: what, where, what to do. */
  readonly text: string
}

export interface ClusterSnapshot {
  readonly clusterId: string
  readonly simulated: boolean
  /** Broker id of the (active) controller as Metadata tells it; null: none. In KRaft it may be any broker. */
  readonly controller: number | null
  readonly readAt: Date
  readonly brokers: readonly Broker[]
  /** By topic, then partition. */
  readonly partitions: readonly PartitionState[]
  /** Names of topics that Kafka calls internal. */
  readonly internalTopics: ReadonlySet<string>
  /** Null: log directories were not asked for. */
  readonly logDirs: readonly LogDir[] | null
  /** Only topics whose configuration was asked for. */
  readonly topicConfigs: ReadonlyMap<string, TopicConfig>
  /** Null: not asked or not allowed. */
  readonly quorum: Quorum | null
  readonly problems: readonly ReadProblem[]
}

export const INTERNAL_TOPICS: ReadonlySet<string> = new Set([
  '__consumer_offsets',
  '__transaction_state',
  '__share_group_state',
  '__remote_log_metadata',
])

export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** Key of a partition in maps and sets; also its name in messages, as Kafka writes it. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}-${partition}`
}

/** Orders by topic (code units, as Kafka's tools do), then partition. */
export function byTopicPartition(a: TopicPartition, b: TopicPartition): number {
  return a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.partition - b.partition
}

/** Topic ids are not told by all brokers: unknown ones are taken for the same. */
export function sameTopic({ topicId }: { readonly topicId: string | null }, now: string | null): boolean {
  return topicId === null || now === null || topicId === now
}

/** Whether the broker is in ISR, ELR or last known ELR, as far as they are told. */
export function hasRole(
  broker: number,
  { isr, elr, lastKnownElr }: Pick<PartitionState, 'isr' | 'elr' | 'lastKnownElr'>,
): boolean {
  return [isr, elr, lastKnownElr].some((role) => role?.includes(broker))
}
