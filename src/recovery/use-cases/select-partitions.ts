import {
  byTopicPartition,
  type ClusterSnapshot,
  type PartitionState,
  partitionName,
  type TopicPartition,
} from '../../cluster/snapshot.js'
import type { SkippedPartition } from '../planning/plan.js'

/** What a job is asked to work on; keyed by topic and partition, never by a place in a list that may change. */
export type Selection =
  | { readonly kind: 'allOffline' }
  | { readonly kind: 'named'; readonly partitions: readonly TopicPartition[] }

export interface SelectedPartitions {
  /** By topic, then partition; with and without a leader. */
  readonly found: readonly PartitionState[]
  /** Named, but not in the cluster, as a plan says it. */
  readonly missing: readonly SkippedPartition[]
}

/** Finds the selected partitions in a snapshot. Pure: asking for a topic that does not exist sends nothing that could create it. */
export function selectPartitions(selection: Selection, snapshot: ClusterSnapshot): SelectedPartitions {
  if (selection.kind === 'allOffline') {
    return { found: snapshot.partitions.filter(({ leader }) => leader === null), missing: [] }
  }
  const named = new Map(selection.partitions.map((partition) => [partitionName(partition), partition]))
  const topics = new Set(selection.partitions.map(({ topic }) => topic))
  const found: PartitionState[] = []
  const known = new Set<string>()
  for (const state of snapshot.partitions) {
    if (!topics.has(state.topic)) continue
    known.add(state.topic)
    if (named.delete(partitionName(state))) found.push(state)
  }
  return {
    found: found.sort(byTopicPartition),
    missing: [...named.values()].sort(byTopicPartition).map((partition) => missing(partition, known)),
  }
}

function missing({ topic, partition }: TopicPartition, known: ReadonlySet<string>): SkippedPartition {
  const unknownTopic = !known.has(topic)
  return {
    topic,
    partition,
    code: unknownTopic ? 'unknownTopic' : 'unknownPartition',
    reason: unknownTopic
      ? `the cluster has no topic ${topic}, or does not show it to this user (DESCRIBE on the topic)`
      : `the topic ${topic} has no partition ${partition}`,
    blockedBy: null,
    kafkaWouldElect: null,
    leader: null,
    evidence: null,
    ranking: [],
  }
}
