import type { DecisionGroup, LossSum } from './decision-groups.js'
import type { DiagnosedPartition } from './diagnosed-partition.js'

/** A topic's partitions in one group. */
export interface TopicRollUp {
  readonly topic: string
  /** In the group's order. */
  readonly partitions: readonly DiagnosedPartition[]
  /** Null where the group has none. */
  readonly loss: LossSum | null
}

/** A group by topic; topics in the order in which the first partition of each stands in it. */
export function rollUpByTopic(group: Pick<DecisionGroup, 'partitions' | 'loss'>): TopicRollUp[] {
  const topics = new Map<string, DiagnosedPartition[]>()
  for (const partition of group.partitions) {
    const same = topics.get(partition.topic)
    if (same === undefined) topics.set(partition.topic, [partition])
    else same.push(partition)
  }
  return [...topics].map(([topic, partitions]) => ({
    topic,
    partitions,
    loss: group.loss === null ? null : lossOver(partitions),
  }))
}

/** What electing these as planned would lose; partitions that are not planned count for nothing. */
export function lossOver(partitions: Iterable<DiagnosedPartition>): LossSum {
  let atLeast = 0
  let open = false
  for (const { decided } of partitions) {
    if (decided === null || !('designatedLeader' in decided)) continue
    atLeast += decided.loss.atLeast
    open ||= decided.loss.known === null
  }
  return { atLeast, open }
}
