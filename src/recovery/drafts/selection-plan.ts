import { byTopicPartition, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import type { DecidedPartition, DiagnosedPartition } from '../diagnosis/diagnosed-partition.js'
import { type Diagnosis, evidenceReadAt } from '../diagnosis/diagnosis.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from '../planning/plan.js'
import { isPlanned, planPartition } from '../planning/plan-partition.js'
import { withSituation } from '../returns/situation-warnings.js'
import type { Draft, DraftChoice } from './draft.js'

/** A plan for part of a diagnosis, and what of the selection is not in it. */
export interface SelectionPlan {
  readonly plan: RecoveryPlan
  /** Taken out by hand. */
  readonly takenOut: readonly TopicPartition[]
  /** Not read yet, or changed since: nothing can be planned of them right now. */
  readonly notRead: readonly TopicPartition[]
  /** Not offline any more. */
  readonly gone: readonly TopicPartition[]
}

/** What a selection was planned from, in the order of topic and partition, to plan anew only what changed. */
interface Basis {
  readonly wanted: readonly TopicPartition[]
  readonly context: Diagnosis['context']
  readonly rows: readonly BasisRow[]
}

interface BasisRow {
  readonly found: DiagnosedPartition | undefined
  readonly choice: DraftChoice | undefined
  readonly decided: DecidedPartition | 'gone' | 'takenOut' | 'notRead'
}

const bases = new WeakMap<SelectionPlan, Basis>()

/**
 * The plan for these partitions, which is what a dry run shows: as diagnosed, but for what was chosen by hand in the draft. Ordered
 * by topic, then partition. Pure.
 * @param made.before for the same partitions: what changed nowhere is the same object as there, with the time at which its logs were seen then. That
 * saves a third of a second where 100,000 are planned
 */
export function planSelection(
  diagnosis: Diagnosis,
  selected: Iterable<TopicPartition>,
  draft: Draft,
  made: { readonly planId: string; readonly now: Date; readonly before?: SelectionPlan | null },
): SelectionPlan {
  const partitions: PlannedPartition[] = []
  const skipped: SkippedPartition[] = []
  const takenOut: TopicPartition[] = []
  const notRead: TopicPartition[] = []
  const gone: TopicPartition[] = []
  const wanted = inOrder(selected)
  const rows: BasisRow[] = []
  const before = basisOf(made.before, wanted, diagnosis)
  let next = 0
  for (const one of wanted) {
    let found = diagnosis.partitions[next]
    while (found !== undefined && byTopicPartition(found, one) < 0) found = diagnosis.partitions[++next]
    if (found !== undefined && byTopicPartition(found, one) !== 0) found = undefined
    const choice = draft.entries.size === 0 ? undefined : draft.entries.get(partitionName(one))?.choice
    const last = before?.rows[rows.length]
    const same = last !== undefined && last.found === found && last.choice === choice
    const row = same ? last : { found, choice, decided: decide(found, choice, diagnosis) }
    rows.push(row)
    const { decided } = row
    if (decided === 'gone') gone.push(named(one))
    else if (decided === 'takenOut') takenOut.push(named(one))
    else if (decided === 'notRead') notRead.push(named(one))
    else if (isPlanned(decided)) partitions.push(decided)
    else skipped.push(decided)
  }
  const { clusterId, method, strategy } = diagnosis.plan
  const plan = { planId: made.planId, clusterId, createdAt: made.now, method, strategy, partitions, skipped }
  const selection = { plan: withSituation(plan, diagnosis), takenOut, notRead, gone }
  bases.set(selection, { wanted, context: diagnosis.context, rows })
  return selection
}

function named({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}

function basisOf(
  before: SelectionPlan | null | undefined,
  wanted: readonly TopicPartition[],
  { context }: Pick<Diagnosis, 'context'>,
): Basis | null {
  const basis = before == null ? undefined : bases.get(before)
  return basis !== undefined && basis.wanted === wanted && basis.context === context ? basis : null
}

const ordered = new WeakMap<object, readonly TopicPartition[]>()

/** Each once, by topic, then partition. The same list for the same `selected`: scopes do not change. */
function inOrder(selected: Iterable<TopicPartition>): readonly TopicPartition[] {
  const known = ordered.get(selected)
  if (known !== undefined) return known
  const sorted = [...selected].sort(byTopicPartition)
  const unique = sorted.filter((one, index) => {
    const other = sorted[index - 1]
    return other === undefined || byTopicPartition(other, one) !== 0
  })
  if (Array.isArray(selected)) ordered.set(selected, unique)
  return unique
}

function decide(
  found: DiagnosedPartition | undefined,
  choice: DraftChoice | undefined,
  diagnosis: Diagnosis,
): BasisRow['decided'] {
  if (found === undefined) return 'gone'
  if (choice?.kind === 'takenOut') return 'takenOut'
  const { decided } = found
  if (decided === null || decided.evidence === null || found.outdated) return 'notRead'
  // The logs were seen so once more since; the evidence is as old as that.
  const readAt = evidenceReadAt(found, diagnosis) ?? decided.evidence.readAt
  const evidence = { ...decided.evidence, readAt }
  switch (choice?.kind) {
    case 'leader':
      return planPartition(evidence, diagnosis.context, {
        designatedLeader: choice.planned.designatedLeader,
        by: 'hand',
      })
    case 'accepted': {
      const accepted = new Set([...diagnosis.context.accepted, ...choice.codes])
      return planPartition(evidence, { ...diagnosis.context, accepted })
    }
    default:
      return { ...decided, evidence }
  }
}
