import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import type { JournalPlace } from '../journal/journal.js'
import type { PlanningContext } from '../planning/planning-context.js'
import type { Clock } from './clock.js'

/** What putting orders back asks of a cluster. */
export type OrdersOfCluster = Pick<Cluster, 'readPartitions' | 'reassignments' | 'reorder'>
/** What carrying a plan out asks of a cluster. */
export type ClusterToRecover = OrdersOfCluster & Pick<Cluster, 'readReplicaLogs' | 'elect'>

export interface ApplyPorts {
  readonly journals: Omit<JournalPlace, 'now'>
  readonly clock: Clock
}

export interface ApplyOptions {
  /** As the plan was made with; brokers and reassignments are read anew. */
  readonly context: Pick<PlanningContext, 'strategy' | 'topicConfigs'>
  /** In ZooKeeper mode a mere re-ordering raises the leader epoch. */
  readonly mode: Capabilities['mode']
  readonly readOnly: boolean
  /** --recovery-election-attempts: retries of transient failures, so at most one request more. */
  readonly electionAttempts: number
  /** --recovery-duration-ms: a replica's log has to be read within it. */
  readonly recoveryDurationMs: number
  /** Given to the cluster with each writing request. */
  readonly requestTimeoutMs: number
  /** No batch is begun after it, counted from the start; null: no limit. */
  readonly timeLimitMs: number | null
  /** No batch is begun after it; the one under way is finished and put back. */
  readonly stop: AbortSignal | null
  /** Partitions a batch; at most, and by default, 1,000. */
  readonly batchSize?: number
  /** How long a change that was answered may take to show. ms, default 10,000. */
  readonly visibleWithinMs?: number
}

/** A batch is what one writing request carries. */
export { PARTITIONS_PER_WRITE as MAX_BATCH } from '../../cluster/partitions-per-write.js'
export const DEFAULT_VISIBLE_WITHIN_MS = 10_000
