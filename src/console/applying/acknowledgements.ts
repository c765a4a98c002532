import { partitionName } from '../../cluster/snapshot.js'
import { isInternal } from '../../recovery/diagnosis/decision-groups.js'
import type { PlannedPartition } from '../../recovery/planning/plan.js'
import type { OpenedPlan } from '../planning/opened-plan.js'

/** Something that is overruled, or reaches further than its own records: it wants a text of its own typed, once for the whole set. */
export interface Acknowledgement {
  /** A code, or `internal`. */
  readonly kind: string
  /** What has to be typed: "accept contested 17". */
  readonly text: string
  readonly partitions: readonly PlannedPartition[]
  /** One line each: why. */
  readonly reasons: readonly string[]
}

/** The next that is still missing for these; null: all is acknowledged. */
export function missingAcknowledgement(
  partitions: readonly PlannedPartition[],
  acknowledged: OpenedPlan['acknowledged'],
  internalTopics: ReadonlySet<string>,
): Acknowledgement | null {
  const sets = new Map<string, PlannedPartition[]>()
  const add = (kind: string, planned: PlannedPartition) => {
    const some = sets.get(kind)
    if (some === undefined) sets.set(kind, [planned])
    else some.push(planned)
  }
  for (const planned of partitions) {
    for (const { overruled } of planned.warnings) if (overruled !== undefined) add(overruled, planned)
    if (isInternal(planned.topic, internalTopics)) add('internal', planned)
  }
  for (const [kind, some] of sets) {
    const known = acknowledged.get(kind)
    if (some.every((planned) => known?.has(partitionName(planned)) === true)) continue
    return {
      kind,
      text: acceptText(kind, some.length),
      partitions: some,
      reasons: kind === 'internal' ? byTopic(some) : some.map((one) => reasonOf(kind, one)),
    }
  }
  return null
}

/** "accept contested 17" */
export function acceptText(kind: string, number: number): string {
  return `accept ${kind} ${number}`
}

/** With this set acknowledged. */
export function withAcknowledged(
  plan: OpenedPlan,
  kind: string,
  partitions: readonly { readonly topic: string; readonly partition: number }[],
): OpenedPlan {
  const names = new Set([...(plan.acknowledged.get(kind) ?? []), ...partitions.map(partitionName)])
  return { ...plan, acknowledged: new Map(plan.acknowledged).set(kind, names) }
}

/** "__consumer_offsets: 1 3 4 7": why is the same for all, and all of them are to be seen. */
function byTopic(partitions: readonly PlannedPartition[]): string[] {
  const topics = new Map<string, number[]>()
  for (const { topic, partition } of partitions) topics.set(topic, [...(topics.get(topic) ?? []), partition])
  return [...topics].map(([topic, numbers]) => `${topic}: ${numbers.join(' ')}`)
}

function reasonOf(kind: string, planned: PlannedPartition): string {
  const warning = planned.warnings.find(({ overruled }) => overruled === kind)
  return `${partitionName(planned)}: ${warning?.text ?? kind}`
}
