import { byTopicPartition } from '../../cluster/snapshot.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from '../planning/plan.js'
import { evidenceToJson } from './evidence-json.js'

/**
 * A plan as JSON: KIP-1275's form (each entry of `partitions` names topic, partition and designatedLeader) with everything
 * else under further keys. The same document is what `plan --json` prints and what a plan file holds.
 */
export function planToJson(plan: RecoveryPlan) {
  return {
    planId: plan.planId,
    clusterId: plan.clusterId,
    createdAt: plan.createdAt.toISOString(),
    method: plan.method,
    strategy: plan.strategy,
    partitions: [...plan.partitions].sort(byTopicPartition).map(plannedToJson),
    skipped: [...plan.skipped].sort(byTopicPartition).map(skippedToJson),
  }
}

export type PlanJson = ReturnType<typeof planToJson>

function plannedToJson(partition: PlannedPartition) {
  return {
    topic: partition.topic,
    topicId: partition.topicId,
    partition: partition.partition,
    designatedLeader: partition.designatedLeader,
    method: partition.method,
    electionOrder: partition.electionOrder,
    byHand: partition.byHand,
    kafkaWouldElect: partition.kafkaWouldElect,
    loss: partition.loss,
    committedAtLeast: partition.committedAtLeast,
    warnings: partition.warnings,
    evidence: evidenceToJson(partition.evidence, partition.ranking, partition.warnings),
  }
}

function skippedToJson(partition: SkippedPartition) {
  return {
    topic: partition.topic,
    partition: partition.partition,
    code: partition.code,
    reason: partition.reason,
    leader: partition.leader,
    blockedBy: partition.blockedBy,
    kafkaWouldElect: partition.kafkaWouldElect,
    evidence: partition.evidence === null ? null : evidenceToJson(partition.evidence, partition.ranking, []),
  }
}

/** The text of a plan file: one line for each partition, so that it can be read, compared and edited. */
export function planFileText(plan: RecoveryPlan): string {
  const { partitions, skipped, ...head } = planToJson(plan)
  const lines = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`)
  return `{\n${lines.join('\n')}\n  "partitions": ${listText(partitions)},\n  "skipped": ${listText(skipped)}\n}\n`
}

/** The output file of a manual recovery: what KIP-1275 names, and nothing beside it. */
export function designatedLeadersText(plan: RecoveryPlan): string {
  const partitions = [...plan.partitions]
    .sort(byTopicPartition)
    .map(({ topic, partition, designatedLeader }) => ({ topic, partition, designatedLeader }))
  return `{"partitions": ${listText(partitions)}}\n`
}

function listText(entries: readonly object[]): string {
  return entries.length === 0 ? '[]' : `[\n    ${entries.map((entry) => JSON.stringify(entry)).join(',\n    ')}\n  ]`
}
