import { partitionName, type TopicPartition } from '../cluster/snapshot.js'
import type { DecidedPartition, DiagnosedPartition } from './diagnosed-partition.js'
import { type Diagnosis, evidenceReadAt, findPartition } from './diagnosis.js'
import type { Draft } from './draft.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from './plan.js'
import { isPlanned, planPartition } from './plan-partition.js'
import { withSituation } from './situation-warnings.js'

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

/**
 * The plan for these partitions, which is what a dry run shows: as diagnosed, but for what was chosen by hand in the draft. Ordered
 * by topic, then partition. Pure.
 */
export function planSelection(
  diagnosis: Diagnosis,
  selected: Iterable<TopicPartition>,
  draft: Draft,
  made: { readonly planId: string; readonly now: Date },
): SelectionPlan {
  const partitions: PlannedPartition[] = []
  const skipped: SkippedPartition[] = []
  const takenOut: TopicPartition[] = []
  const notRead: TopicPartition[] = []
  const gone: TopicPartition[] = []
  const wanted = new Map([...selected].map((partition) => [partitionName(partition), partition]))
  const present = new Set<DiagnosedPartition>()
  for (const { topic, partition } of wanted.values()) {
    const found = findPartition(diagnosis.partitions, { topic, partition })
    if (found === undefined) gone.push({ topic, partition })
    else present.add(found)
  }
  for (const found of diagnosis.partitions) {
    if (!present.has(found)) continue
    const { topic, partition } = found
    const decided =
      draft.entries.get(partitionName(found))?.choice.kind === 'takenOut' ? null : decide(found, diagnosis, draft)
    if (decided === null) takenOut.push({ topic, partition })
    else if (decided === 'notRead') notRead.push({ topic, partition })
    else if (isPlanned(decided)) partitions.push(decided)
    else skipped.push(decided)
  }
  const { clusterId, method, strategy } = diagnosis.plan
  const plan = { planId: made.planId, clusterId, createdAt: made.now, method, strategy, partitions, skipped }
  return {
    plan: withSituation(plan, diagnosis),
    takenOut,
    notRead,
    gone,
  }
}

function decide(found: DiagnosedPartition, diagnosis: Diagnosis, draft: Draft): DecidedPartition | 'notRead' {
  const { decided } = found
  if (decided === null || decided.evidence === null || found.outdated) return 'notRead'
  // The logs were seen so once more since; the evidence is as old as that.
  const readAt = evidenceReadAt(found, diagnosis) ?? decided.evidence.readAt
  const evidence = { ...decided.evidence, readAt }
  const choice = draft.entries.get(partitionName(found))?.choice
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
