import type { PartitionEvidence } from '../../src/cluster/replica-log.js'
import { byTopicPartition, partitionName } from '../../src/cluster/snapshot.js'
import { groupOf, type StoppedForRepair } from '../../src/recovery/diagnosis/decision-groups.js'
import type { DiagnosedPartition } from '../../src/recovery/diagnosis/diagnosed-partition.js'
import type { Diagnosis } from '../../src/recovery/diagnosis/diagnosis.js'
import { makePlan } from '../../src/recovery/planning/make-plan.js'
import { planPartition } from '../../src/recovery/planning/plan-partition.js'
import type { PlanningContext } from '../../src/recovery/planning/planning-context.js'
import { startFindings } from '../../src/recovery/returns/start-advice.js'

/** Partitions as the live diagnosis would have them, from evidence alone. By topic, then partition. */
export function diagnosedPartitions(
  evidences: readonly PartitionEvidence[],
  context: PlanningContext,
  stopped: StoppedForRepair = new Map(),
): DiagnosedPartition[] {
  return evidences
    .filter(({ state }) => state.leader === null)
    .map((evidence): DiagnosedPartition => {
      const { state } = evidence
      const decided = planPartition(evidence, context)
      return {
        topic: state.topic,
        partition: state.partition,
        state,
        since: { kind: 'before', at: new Date(0) },
        decided,
        group: groupOf(partitionName(state), decided, startFindings(evidence, context), stopped),
        outdated: false,
      }
    })
    .sort(byTopicPartition)
}

/** A diagnosis as far as selections and drafts look at it. */
export function diagnosisOf(
  evidences: readonly PartitionEvidence[],
  context: PlanningContext,
  differing: Partial<Diagnosis> = {},
): Diagnosis {
  return {
    clusterId: 'here',
    partitions: diagnosedPartitions(evidences, context),
    context,
    confirmedAt: null,
    alarms: [],
    seenEmpty: [],
    plan: makePlan({
      clusterId: 'here',
      evidences: evidences.filter(({ state }) => state.leader === null),
      skippedAlready: [],
      context,
      now: new Date(0),
      planId: 'plan',
    }),
    ...differing,
  } as Diagnosis
}
