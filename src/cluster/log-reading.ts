import type { GetReplicaLogInfo } from '../protocol/rpc/get-replica-log-info.js'
import type { EpochSearch } from './epoch-search.js'
import type { PartitionMap } from './partition-map.js'
import type { NotReadCause, ReplicaRead } from './replica-log.js'
import type { PartitionState, TopicPartition } from './snapshot.js'

export interface ReplicaLogFailure {
  readonly cause: NotReadCause
  readonly reason: string
}
export type ReplicaLogResults = PartitionMap<ReplicaRead>
export type LogReadings = PartitionMap<LogReading>

export interface BrokerReadOptions {
  readonly broker: number
  readonly history: boolean
  /** performance.now() at which this broker is late. */
  readonly deadline: number
  /** Offered together with ElectLeaders 3 only: released brokers use its key for something else. */
  readonly replicaLogInfo: typeof GetReplicaLogInfo | null
  /**
   * The last written epoch as it was told before, where it was. Only a hint where to begin the search when a log is read again: it saves rounds, and a wrong
   * one does no harm.
   */
  readonly lastEpoch: (partition: TopicPartition) => number | undefined
}

/** Partitions in one request: some 50 KB to send, some 50 KB to come back, each some milliseconds of work without a pause. */
export const PARTITIONS_PER_REQUEST = 2_000
/** Beyond every log: so the answer is the diverging epoch, never records. */
export const BEYOND_EVERY_LOG = 9_000_000_000_000_000n

/** Takes a partition out, with an error code of the broker's or a failure of our own. */
export type Fail = (partition: TopicPartition, cause: number | ReplicaLogFailure) => void

/** One replica's log, as far as it was read. */
export interface LogReading {
  readonly partition: PartitionState
  start: number | null
  end: number | null
  lastWritten: number | undefined
  highWatermark: number | null
  /** Its epoch was asked for, and the answer is not there yet. */
  asked: boolean
  search: EpochSearch | null
}

/** ms */
export function remainingTime({ deadline }: BrokerReadOptions): number {
  return Math.max(1, Math.round(deadline - performance.now()))
}

export function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
