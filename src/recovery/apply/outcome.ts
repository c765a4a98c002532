import type { TopicPartition } from '../../cluster/snapshot.js'

/** What became of one partition of the input. Each ends in exactly one. */
export type OutcomeResult =
  | 'elected'
  | 'alreadyHasLeader'
  | 'failed'
  | 'skipped'
  | 'stale'
  | 'notAttempted'
  /** The cluster was lost after a request was sent. */
  | 'unknown'

export interface PartitionOutcome {
  readonly topic: string
  readonly partition: number
  readonly result: OutcomeResult
  /** A SkipCode, a Kafka error name, or a word of our own; null on success. */
  readonly code: string | null
  /** One line; null on success. */
  readonly error: string | null
  readonly leader: number | null
  readonly designatedLeader: number | null
  /** Election requests that named it. */
  readonly attempts: number
  readonly loss: {
    /** Lower bound from the plan, offsets; null: nothing was planned. */
    readonly predicted: number | null
    /** Worked out after the election; null: not measured. */
    readonly measured: number | null
  }
}

/** An assignment that was re-ordered and not put back; it is also told in the error of its partition's outcome. */
export interface OrderLeft extends TopicPartition {
  /** One line. */
  readonly reason: string
  /** The file for kafka-reassign-partitions that would put it back; null: none would. */
  readonly reassignmentJson: string | null
}

export interface RecoveryReport {
  readonly outcome: readonly PartitionOutcome[]
  readonly summary: Readonly<Partial<Record<OutcomeResult, number>>>
  readonly durationMs: number
  readonly ordersLeft: readonly OrderLeft[]
  /** Path of the journal, where it stays open for `restore`: some order is not known to be back. */
  readonly openJournal: string | null
}

export type RecoveryPhase = 'read logs' | 'journal' | 're-order' | 'elect' | 'verify' | 'put back'

/** What apply() tells while it runs; front ends only render it. */
export type RecoveryEvent =
  | { readonly type: 'started'; readonly total: number; readonly batches: number }
  | { readonly type: 'phase'; readonly phase: RecoveryPhase; readonly batch: number; readonly batches: number }
  | { readonly type: 'outcome'; readonly outcome: PartitionOutcome }
  | { readonly type: 'retry'; readonly attempt: number; readonly of: number; readonly reason: string }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'stopping'; readonly reason: string }
  | { readonly type: 'finished'; readonly report: RecoveryReport }
