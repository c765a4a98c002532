import type { BrokerConfigRead } from './read-broker-config.js'
import type { LogDirsRead } from './read-log-dirs.js'
import type { Permissions } from './read-permissions.js'
import type { RefreshedSnapshot } from './refresh-snapshot.js'
import type { PartitionEvidence } from './replica-log.js'
import type { ClusterSnapshot, PartitionState, TopicConfig, TopicPartition } from './snapshot.js'

/**
 * A connected cluster: the port through which recovery/, repair/ and the front ends see and change one. Implemented by
 * connect.ts over the wire protocol. Nothing here retries: who asks decides.
 */
export interface Cluster {
  /** Reads brokers and all partitions; with what `options` names besides. Fails only if no broker could be reached. */
  snapshot(options: SnapshotOptions): Promise<ClusterSnapshot>
  /** Brings a snapshot up to date in what is wrong in it, cheaply: for watching. */
  refresh(previous: ClusterSnapshot): Promise<RefreshedSnapshot>
  /** Reads just these partitions anew, ELR included, from a broker whose view is fresh. For re-checks right before a write. */
  readPartitions(partitions: readonly TopicPartition[]): Promise<PartitionsRead>
  /** Asks every replica's broker for its log. Never fails as a whole: a replica that was not read says why. */
  readReplicaLogs(partitions: readonly PartitionState[], options: ReplicaLogOptions): Promise<PartitionEvidence[]>
  /**
   * When the last record of one replica was written: its greatest timestamp. The broker reads its disk for it, so only when the operator asks;
   * refused where it has a failed directory. @throws TransportError
   */
  lastRecordTime(partition: PartitionState, broker: number): Promise<LastRecordTime>
  /** Reassignments under way among these partitions, by partitionName. */
  reassignments(partitions: readonly TopicPartition[]): Promise<ReadonlySet<string>>
  /** Which brokers offer what; asks every broker for its versions. */
  capabilities(): Promise<Capabilities>
  /** What this user may do on the cluster and on these topics (KIP-430). Writes nothing, tries nothing out. */
  permissions(topics: readonly string[]): Promise<Permissions>
  /** The log directories of one broker, with which replicas lie in each: a cheap part of a snapshot. @throws TransportError */
  directories(broker: number): Promise<LogDirsRead>
  /** log.dirs, metadata.log.dir and process.roles of one broker, as it tells them itself. Never fails. */
  brokerConfig(broker: number): Promise<BrokerConfigRead>
  /** The configuration of these topics, healthy ones too; those that could not be read are missing. @throws TransportError */
  topicConfigs(topics: readonly string[]): Promise<ReadonlyMap<string, TopicConfig>>
  /**
   * Asks every server that was named for its cluster: where they belong to more than one, nothing is written (by `reorder` and `elect` neither).
   * To be called before anybody is asked to confirm a write. @throws RequestFailedError, NoBrokerReachableError
   */
  refuseMixedClusters(): Promise<void>
  /** AlterPartitionReassignments with exactly these orders. At most 1,000 partitions. */
  reorder(orders: readonly AssignmentOrder[], timeoutMs: number): Promise<PartitionAnswer[]>
  /** ElectLeaders for exactly these partitions. At most 1,000. */
  elect(election: Election, timeoutMs: number): Promise<PartitionAnswer[]>
  /** Who would take these two requests now, and in which versions. Sends neither. */
  writingTarget(): Promise<WritingTarget>
  close(): Promise<void>
}

export interface SnapshotOptions {
  /** Log directories of every live broker (DescribeLogDirs). */
  readonly logDirs: boolean
  /** With logDirs: which replicas lie in each directory, not just how many. Some 100 bytes of memory for each. */
  readonly placements?: boolean
  /** ELR of topics with something wrong (DescribeTopicPartitions), where offered. */
  readonly elr: boolean
  /** Configuration of topics with something wrong (DescribeConfigs). */
  readonly configs: boolean
  /** DescribeQuorum. */
  readonly quorum: boolean
  /** The one read before, if any: partitions that are as they were are its objects. */
  readonly previous?: ClusterSnapshot | null
}

export interface ReplicaLogOptions {
  /** A broker that has not told a log within this time is late. ms */
  readonly durationMs: number
  /** The whole epoch history, not just the last epochs: needed for losses. */
  readonly history: boolean
  /** Log directory and size of each replica, too (DescribeLogDirs). Default: with the history. */
  readonly placements?: boolean
  /** What was read before (a plan's evidence): the epochs are looked for there first, which saves rounds. Never believed. */
  readonly expected?: readonly PartitionEvidence[]
  readonly onProgress?: (done: number, total: number) => void
}

/** none: it has no record with a timestamp. refused: it was not looked for; one line, why. */
export type LastRecordTime =
  | { readonly kind: 'time'; readonly offset: number; readonly at: Date }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: string }

export interface PartitionsRead {
  readonly found: readonly PartitionState[]
  /** Named partitions that the cluster does not have, or does not show us. */
  readonly missing: readonly (TopicPartition & {
    readonly code: 'unknownTopic' | 'unknownPartition' | 'permission' | 'error'
    readonly text: string
  })[]
  /** Brokers that are up, as this same read told. */
  readonly brokersUp: ReadonlySet<number>
  readonly clusterId: string
}

export interface AssignmentOrder extends TopicPartition {
  readonly replicas: readonly number[]
}

export type Election =
  | { readonly kind: 'unclean'; readonly partitions: readonly TopicPartition[] }
  | { readonly kind: 'designated'; readonly partitions: readonly (TopicPartition & { readonly leader: number })[] }

/** Whom a writing request goes to. */
export interface WritingTarget {
  /** Null: the bootstrap connection, whose broker is not known. */
  readonly broker: number | null
  /** `host:port` of the connection. */
  readonly address: string
  /** KRaft: it hands the request on to the controller. ZooKeeper mode: it is the controller. */
  readonly forwards: boolean
  /** Versions that would be used. */
  readonly alterVersion: number
  readonly electVersion: number
}

/** What the cluster answered for one partition; code 0 is no proof that anything was done (measured). */
export interface PartitionAnswer extends TopicPartition {
  readonly code: number
  /** Kafka's name of the code, ELECTION_NOT_NEEDED for 84. */
  readonly name: string
  readonly message: string | null
  readonly retriable: boolean
}

/**
 * A request as a whole came to nothing. `sent` false: it never left, nothing was changed. `sent` true: it may have been
 * carried out; read the state before anything else.
 */
export class RequestFailedError extends Error {
  override readonly name: string = 'RequestFailedError'
  constructor(
    message: string,
    readonly sent: boolean,
    readonly reason:
      | 'timeout'
      | 'connection'
      | 'refusedReadOnly'
      | 'mixedClusters'
      | 'malformed'
      | 'unsupported'
      | 'errorCode',
    readonly retriable: boolean,
    /** Kafka's name of the error, where an error code was the reason. */
    readonly code: string | null = null,
  ) {
    super(message)
  }
}

export interface BrokerCapabilities {
  readonly id: number
  /** ElectLeaders 3 is advertised. */
  readonly designatedElection: boolean
  /** ElectLeaders 3 and GetReplicaLogInfo 0 are both advertised: only together do they mean KIP-1275. */
  readonly replicaLogInfo: boolean
  /** Api name to version range. */
  readonly apis: ReadonlyMap<string, readonly [min: number, max: number]>
}

export interface Capabilities {
  readonly mode: 'kraft' | 'zookeeper' | 'unknown'
  readonly brokers: readonly BrokerCapabilities[]
  /** designated where every reachable broker offers it, reorder on stock KRaft, null in ZooKeeper mode (needs naming). */
  readonly method: 'designated' | 'reorder' | null
  /** This user may send what elects (ALTER and DESCRIBE on the cluster), as the brokers tell it; null: not told. */
  readonly mayElect: boolean | null
  /** The finalized feature eligible.leader.replicas.version is above 0. */
  readonly elr: boolean
}
