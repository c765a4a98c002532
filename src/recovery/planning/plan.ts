import type { PartitionEvidence } from '../../cluster/replica-log.js'

/** What of a partition's state and evidence a plan depends on, and what the plan says of it. Pure data: it goes into a file. */

export type ElectionMethod = 'designated' | 'reorder' | 'unclean'
export type Strategy = 'rank' | 'longest-log'

export type SkipCode =
  | 'hasLeader'
  | 'noCandidate'
  | 'blocked'
  | 'empty'
  | 'unread'
  | 'unknownEpoch'
  | 'contested'
  | 'reassigning'
  | 'unknownTopic'
  | 'unknownPartition'

/** By hand or with --accept these can be overruled; noCandidate, blocked and reassigning never. */
export type AcceptableCode = Extract<SkipCode, 'empty' | 'unread' | 'unknownEpoch' | 'contested'>
export const ACCEPTABLE_CODES: readonly AcceptableCode[] = ['empty', 'unread', 'unknownEpoch', 'contested']

export type WarningCode =
  | 'betterMissing'
  | 'loss'
  | 'committedLoss'
  | 'internalTopic'
  | 'late'
  | 'longestNotFirst'
  | 'tiered'
  | 'compacted'
  | 'uncleanEnabled'
  | 'accepted'
  | 'alarmedLeader'

export interface Warning {
  readonly code: WarningCode
  /** One line. */
  readonly text: string
  /** For `accepted`: which code was overruled. */
  readonly overruled?: AcceptableCode
  /** For `accepted`: overruled by a choice by hand, and not accepted by its code. */
  readonly byHand?: true
}

/** Offsets from (inclusive) to (inclusive), all of one leader epoch (null: unknown). */
export interface LostRange {
  readonly from: number
  readonly to: number
  readonly epoch: number | null
}

export interface ReplicaLoss {
  readonly broker: number
  /** Offsets that this replica would lose: up to so many records. Null: it has records whose epochs are unknown. */
  readonly offsets: number | null
  readonly ranges: readonly LostRange[]
}

export interface Loss {
  /** Distinct (epoch, offset) lost over all replicas; null unless every replica of the assignment was read. */
  readonly known: number | null
  readonly atLeast: number
  readonly perReplica: readonly ReplicaLoss[]
}

export interface RankedReplica {
  readonly broker: number
  readonly eligible: boolean
  /** Why it is not eligible; null when it is. */
  readonly reason: string | null
  /** From 1; null when not eligible. */
  readonly rank: number | null
}

export interface PlannedPartition {
  readonly topic: string
  readonly topicId: string | null
  readonly partition: number
  readonly designatedLeader: number
  readonly method: ElectionMethod
  /** The order to put the assignment into before the election; same members. Equal to the present one for `unclean`. */
  readonly electionOrder: readonly number[]
  /** Whom an ordinary unclean election would take in the present order; null: nobody. */
  readonly kafkaWouldElect: number | null
  readonly loss: Loss
  /** Committed records lost, always a lower bound (offsets). */
  readonly committedAtLeast: number
  readonly warnings: readonly Warning[]
  readonly ranking: readonly RankedReplica[]
  readonly evidence: PartitionEvidence
  /** Chosen by a person or a plan file rather than by rank. */
  readonly byHand: boolean
}

export interface SkippedPartition {
  readonly topic: string
  readonly partition: number
  readonly code: SkipCode
  /** One line: why, and the way on. */
  readonly reason: string
  readonly blockedBy: number | null
  readonly kafkaWouldElect: number | null
  /** Its leader, for hasLeader. */
  readonly leader: number | null
  /** Null where nothing was read (unknownTopic, ...). */
  readonly evidence: PartitionEvidence | null
  readonly ranking: readonly RankedReplica[]
}

export interface RecoveryPlan {
  readonly planId: string
  readonly clusterId: string
  readonly createdAt: Date
  /** How the cluster's elections are made: designated (KIP-1275), or on stock brokers reorder (with unclean where it does). */
  readonly method: 'designated' | 'reorder'
  readonly strategy: Strategy
  readonly partitions: readonly PlannedPartition[]
  readonly skipped: readonly SkippedPartition[]
}
