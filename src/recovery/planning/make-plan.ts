import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { byTopicPartition, partitionName } from '../../cluster/snapshot.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from './plan.js'
import { isPlanned, type LeaderChoice, planPartition } from './plan-partition.js'
import type { PlanningContext } from './planning-context.js'

export interface PlanInput {
  readonly clusterId: string
  readonly evidences: readonly PartitionEvidence[]
  /** Decided before anything was read: unknownTopic, unknownPartition, ... */
  readonly skippedAlready: readonly SkippedPartition[]
  readonly context: PlanningContext
  readonly now: Date
  readonly planId: string
  /** Leaders chosen by hand, by partitionName. */
  readonly choices?: ReadonlyMap<string, LeaderChoice>
}

/** The plan for these partitions; planned and skipped ones ordered by topic, then partition. Pure: the dry run is this. */
export function makePlan(input: PlanInput): RecoveryPlan {
  const partitions: PlannedPartition[] = []
  const skipped: SkippedPartition[] = [...input.skippedAlready]
  for (const evidence of input.evidences) {
    const decided = planPartition(evidence, input.context, input.choices?.get(partitionName(evidence.state)))
    if (isPlanned(decided)) partitions.push(decided)
    else skipped.push(decided)
  }
  return {
    planId: input.planId,
    clusterId: input.clusterId,
    createdAt: input.now,
    method: input.context.elections === 'designated' ? 'designated' : 'reorder',
    strategy: input.context.strategy,
    partitions: partitions.sort(byTopicPartition),
    skipped: skipped.sort(byTopicPartition),
  }
}
