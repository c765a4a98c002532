import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { byTopicPartition, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { type Diagnosis, findPartition } from '../diagnosis/diagnosis.js'
import type { AcceptableCode, PlannedPartition } from '../planning/plan.js'
import { isPlanned, planPartition } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { changedSince } from '../planning/stale.js'

/** What a person decided of one partition. `planned`: the plan that was looked at, with its evidence; checked anew later. */
export type DraftChoice =
  | { readonly kind: 'leader'; readonly planned: PlannedPartition }
  | { readonly kind: 'accepted'; readonly codes: readonly AcceptableCode[]; readonly planned: PlannedPartition }
  | { readonly kind: 'takenOut' }

export interface DraftEntry extends TopicPartition {
  readonly choice: DraftChoice
}

/** Choices made by hand, one for each partition at most. Immutable: each change gives a new one. */
export interface Draft {
  readonly clusterId: string
  /** By partitionName. */
  readonly entries: ReadonlyMap<string, DraftEntry>
}

export function emptyDraft(clusterId: string): Draft {
  return { clusterId, entries: new Map() }
}

/** A draft, or one line why the choice is none: the broker cannot be elected, or Kafka would take another. */
export type Chosen =
  | { readonly kind: 'draft'; readonly draft: Draft }
  | { readonly kind: 'refused'; readonly reason: string }

/** Chooses a leader by hand. It overrules every AcceptableCode; noCandidate, blocked and reassigning never. */
export function chooseLeader(
  draft: Draft,
  evidence: PartitionEvidence,
  broker: number,
  context: PlanningContext,
): Chosen {
  const planned = planPartition(evidence, context, { designatedLeader: broker, by: 'hand' })
  if (!isPlanned(planned)) return { kind: 'refused', reason: planned.reason }
  return { kind: 'draft', draft: withEntries(draft, [{ ...nameOf(planned), choice: { kind: 'leader', planned } }]) }
}

/** These are not to be elected, whatever the plan says. */
export function takeOut(draft: Draft, partitions: Iterable<TopicPartition>): Draft {
  return withEntries(
    draft,
    [...partitions].map((partition) => ({ ...nameOf(partition), choice: { kind: 'takenOut' } })),
  )
}

export interface AcceptedDraft {
  readonly draft: Draft
  /** Those of the listed ones that are planned now. */
  readonly accepted: readonly TopicPartition[]
  /** Still left to the operator, for another reason. */
  readonly stillLeft: readonly (TopicPartition & { readonly reason: string })[]
}

/**
 * Overrules one code for a listed set of partitions, "accept contested 17". A partition left for several reasons wants each of them
 * accepted: what was accepted of it before is kept.
 */
export function acceptCode(
  draft: Draft,
  code: AcceptableCode,
  evidences: Iterable<PartitionEvidence>,
  context: PlanningContext,
): AcceptedDraft {
  const entries: DraftEntry[] = []
  const stillLeft: (TopicPartition & { readonly reason: string })[] = []
  for (const evidence of evidences) {
    const before = draft.entries.get(partitionName(evidence.state))?.choice
    const codes = new Set<AcceptableCode>([...(before?.kind === 'accepted' ? before.codes : []), code])
    const planned = planPartition(evidence, { ...context, accepted: new Set([...context.accepted, ...codes]) })
    if (isPlanned(planned))
      entries.push({ ...nameOf(planned), choice: { kind: 'accepted', codes: [...codes], planned } })
    else stillLeft.push({ ...nameOf(planned), reason: planned.reason })
  }
  return { draft: withEntries(draft, entries), accepted: entries.map(nameOf), stillLeft }
}

/** Takes choices back: these are as planned by rank again. */
export function forget(draft: Draft, partitions: Iterable<TopicPartition>): Draft {
  const entries = new Map(draft.entries)
  for (const partition of partitions) entries.delete(partitionName(partition))
  return entries.size === draft.entries.size ? draft : { ...draft, entries }
}

/** What has become of a choice. gone: it needs none any more: it has a leader, or is not there. unread: not checked yet. */
export type ChoiceStatus =
  | { readonly kind: 'asPlanned' }
  | { readonly kind: 'changed'; readonly what: string }
  | { readonly kind: 'gone'; readonly what: string }
  | { readonly kind: 'unread' }

export interface CheckedChoice extends DraftEntry {
  readonly status: ChoiceStatus
}

/** Every choice against what is known now; by topic, then partition. `leaderOf`: who leads one that is not offline any more. */
export function checkDraft(
  draft: Draft,
  diagnosis: Pick<Diagnosis, 'partitions' | 'context' | 'clusterId'>,
  leaderOf: (partition: TopicPartition) => number | null = () => null,
): CheckedChoice[] {
  return [...draft.entries.values()]
    .sort(byTopicPartition)
    .map((entry) => ({ ...entry, status: statusOf(entry, draft, diagnosis, leaderOf) }))
}

function statusOf(
  entry: DraftEntry,
  draft: Draft,
  { partitions, context, clusterId }: Pick<Diagnosis, 'partitions' | 'context' | 'clusterId'>,
  leaderOf: (partition: TopicPartition) => number | null,
): ChoiceStatus {
  if (clusterId !== draft.clusterId) return { kind: 'changed', what: `it was chosen on cluster ${draft.clusterId}` }
  const now = findPartition(partitions, entry)
  if (now === undefined) {
    const leader = leaderOf(entry)
    return { kind: 'gone', what: leader === null ? 'it is not offline any more' : `broker ${leader} leads it by now` }
  }
  const { choice } = entry
  if (choice.kind === 'takenOut') return { kind: 'asPlanned' }
  const evidence = now.decided?.evidence ?? null
  if (evidence === null || now.outdated) return { kind: 'unread' }
  const what = changedSince(choice.planned, evidence, context)
  return what === null ? { kind: 'asPlanned' } : { kind: 'changed', what }
}

function withEntries(draft: Draft, added: readonly DraftEntry[]): Draft {
  if (added.length === 0) return draft
  const entries = new Map(draft.entries)
  for (const entry of added) entries.set(partitionName(entry), entry)
  return { ...draft, entries }
}

function nameOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}
