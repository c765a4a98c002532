import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { byTopicPartition } from '../../cluster/snapshot.js'
import { evidenceToJson } from '../../recovery/files/evidence-json.js'
import type { RankedReplica, RecoveryPlan } from '../../recovery/planning/plan.js'

export interface Compared {
  readonly evidence: PartitionEvidence
  readonly ranking: readonly RankedReplica[]
}

/** cli.md, "replicas". */
export function replicasToJson(partitions: readonly Compared[]) {
  return { partitions: partitions.map(({ evidence, ranking }) => evidenceToJson(evidence, ranking, [])) }
}

/** Whatever a plan has evidence of, planned or left to the operator. */
export function comparedIn(plan: RecoveryPlan): Compared[] {
  return [...plan.partitions, ...plan.skipped]
    .flatMap(({ evidence, ranking }) => (evidence === null ? [] : [{ evidence, ranking }]))
    .sort((a, b) => byTopicPartition(a.evidence.state, b.evidence.state))
}

export function evidencesIn(plan: RecoveryPlan): PartitionEvidence[] {
  return comparedIn(plan).map(({ evidence }) => evidence)
}
