import { type Broker, byTopicPartition, type TopicPartition } from '../../cluster/snapshot.js'
import type { RecoveryPlan } from '../planning/plan.js'
import type { PlanningContext } from '../planning/planning-context.js'
import type { Alarm } from '../returns/alarms.js'
import type { SeenEmpty } from '../returns/seen-empty.js'
import type { DecisionGroup } from './decision-groups.js'
import type { DiagnosedPartition, GroupId } from './diagnosed-partition.js'
import type { Overview } from './overview.js'

/** How far the reading of logs has come. */
export interface DiagnosisProgress {
  /** A log read is under way: brokers that have answered, of those asked. Null: none is. */
  readonly reading: { readonly partitions: number; readonly done: number; readonly brokers: number } | null
  /** Partitions whose logs were never read. */
  readonly notRead: number
  /** Partitions that changed after their logs were read. */
  readonly outdated: number
}

/** What differs from the diagnosis before this one. By topic, then partition. */
export interface DiagnosisChanges {
  readonly appeared: readonly TopicPartition[]
  readonly gotLeader: readonly (TopicPartition & { readonly leader: number })[]
  /** Not in the cluster any more, or not shown to this user. */
  readonly vanished: readonly TopicPartition[]
  /** Stand in another group than before. */
  readonly regrouped: readonly (TopicPartition & { readonly from: GroupId; readonly to: GroupId })[]
}

/**
 * All that is known of a cluster's partitions without a leader, at one moment. Immutable; parts that did not change are the same
 * objects as in the diagnosis before.
 */
export interface Diagnosis {
  /** From 1; grows with each. */
  readonly sequence: number
  readonly clusterId: string
  /** Every partition without a leader; by topic, then partition. */
  readonly partitions: readonly DiagnosedPartition[]
  /** A, B, C, D, those that wait for a broker, and `reading` if any is. Each partition is in exactly one. */
  readonly groups: readonly DecisionGroup[]
  readonly overview: Overview
  readonly alarms: readonly Alarm[]
  /** Brokers that are away, and were up with empty logs of partitions that still have no leader. */
  readonly seenEmpty: readonly SeenEmpty[]
  /** Over all partitions whose logs were read, nothing chosen by hand. */
  readonly plan: RecoveryPlan
  /** With it comparisons are made, and choices checked. */
  readonly context: PlanningContext
  readonly brokers: readonly Broker[]
  /** When the logs were read: the oldest and the newest evidence. Null: none was. */
  readonly evidenceReadAt: { readonly oldest: Date; readonly newest: Date } | null
  /** When every log was read again and found as it was; null: not since the first time. */
  readonly confirmedAt: Date | null
  readonly progress: DiagnosisProgress
  readonly changes: DiagnosisChanges
  /** What could not be read, one line each: the logs, the reassignments under way, or what the brokers offer. */
  readonly problems: readonly string[]
}

/** Finds a partition in a list that is ordered by topic, then partition. */
export function findPartition<T extends TopicPartition>(ordered: readonly T[], wanted: TopicPartition): T | undefined {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = ordered[middle]
    if (candidate !== undefined && byTopicPartition(candidate, wanted) < 0) low = middle + 1
    else high = middle
  }
  const found = ordered[low]
  return found !== undefined && byTopicPartition(found, wanted) === 0 ? found : undefined
}

/** When this partition's logs were last seen as its evidence has them; null: never read. */
export function evidenceReadAt(
  { decided, outdated }: DiagnosedPartition,
  { confirmedAt }: Pick<Diagnosis, 'confirmedAt'>,
): Date | null {
  const readAt = decided?.evidence?.readAt ?? null
  if (readAt === null || outdated || confirmedAt === null) return readAt
  return confirmedAt > readAt ? confirmedAt : readAt
}
