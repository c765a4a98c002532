import type { PartitionState, TopicPartition } from '../../../cluster/snapshot.js'
import { type Comparison, comparePartition } from '../../../recovery/comparison/comparison.js'
import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import { type Diagnosis, findPartition } from '../../../recovery/diagnosis/diagnosis.js'
import type { ConsoleData } from '../../console-data.js'

/** What is known of the partition that is compared. */
export type Compared =
  | { readonly kind: 'comparison'; readonly partition: DiagnosedPartition; readonly comparison: Comparison }
  /** Without a leader, its logs not read yet. */
  | { readonly kind: 'reading'; readonly partition: DiagnosedPartition }
  | { readonly kind: 'notOffline'; readonly state: PartitionState }
  /** Not in the cluster, or not shown to this user; or nothing was read yet. */
  | { readonly kind: 'unknown' }

/** The last dash parts topic and partition. */
export function parsePartitionName(name: string): TopicPartition | null {
  const dash = name.lastIndexOf('-')
  const partition = Number(name.slice(dash + 1))
  return dash > 0 && Number.isInteger(partition) ? { topic: name.slice(0, dash), partition } : null
}

interface Remembered {
  readonly context: Diagnosis['context']
  readonly brokers: Diagnosis['brokers']
  readonly choice: number | null
  readonly comparison: Comparison
}
const remembered = new WeakMap<DiagnosedPartition, Remembered>()

export function comparedPartition({ diagnosis, watched, draft }: ConsoleData, name: string): Compared {
  const wanted = parsePartitionName(name)
  if (diagnosis === null || wanted === null) return { kind: 'unknown' }
  const partition = findPartition(diagnosis.partitions, wanted)
  if (partition === undefined) {
    const state = findPartition(watched.snapshot?.partitions ?? [], wanted)
    return state === undefined ? { kind: 'unknown' } : { kind: 'notOffline', state }
  }
  const evidence = partition.decided?.evidence ?? null
  if (evidence === null) return { kind: 'reading', partition }
  const chosen = draft?.entries.get(name)?.choice
  const choice = chosen?.kind === 'leader' || chosen?.kind === 'accepted' ? chosen.planned.designatedLeader : null
  const { context, brokers } = diagnosis
  const last = remembered.get(partition)
  if (last !== undefined && last.context === context && last.brokers === brokers && last.choice === choice) {
    return { kind: 'comparison', partition, comparison: last.comparison }
  }
  const comparison = comparePartition(evidence, context, { brokers, ...(choice === null ? {} : { choice }) })
  remembered.set(partition, { context, brokers, choice, comparison })
  return { kind: 'comparison', partition, comparison }
}
