import type { PartitionState, TopicPartition } from '../../cluster/snapshot.js'
import type { PlannedPartition, SkippedPartition } from '../planning/plan.js'

export type DecidedPartition = PlannedPartition | SkippedPartition

/**
 * By what can be decided of a partition:
 * A can be elected: no missing replica led last or is in ISR or ELR. B better wait: a missing one did. C left to the operator.
 * D blocked: Kafka would take another. waits-N: comes back with broker N, which was stopped for a repair. reading: its logs
 * were not read yet.
 */
export type GroupId = 'A' | 'B' | 'C' | 'D' | 'reading' | `waits-${number}`

/** Since when a partition has been without a leader. before: it was already when the first read was made, at `at`. */
export interface OfflineSince {
  readonly kind: 'before' | 'at'
  readonly at: Date
}

/** One partition without a leader, with all that is known and decided of it. Immutable: a new one where anything changed. */
export interface DiagnosedPartition extends TopicPartition {
  /** As the cluster shows it now; never with a leader. */
  readonly state: PartitionState
  readonly since: OfflineSince
  /** Null: its logs were not read yet. Made from its evidence, whose state may be an older one where `outdated`. */
  readonly decided: DecidedPartition | null
  readonly group: GroupId
  /** It changed after its logs were read; they are being read again. */
  readonly outdated: boolean
}
