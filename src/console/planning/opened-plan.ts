import type { Capabilities } from '../../cluster/cluster.js'
import type { TopicPartition } from '../../cluster/snapshot.js'
import type { RequestTarget } from '../../recovery/apply/requests-preview.js'
import type { DecidedPartition } from '../../recovery/diagnosis/diagnosed-partition.js'
import type { Diagnosis } from '../../recovery/diagnosis/diagnosis.js'
import type { Draft, DraftEntry } from '../../recovery/drafts/draft.js'
import type { SelectionPlan } from '../../recovery/drafts/selection-plan.js'
import type { PlannedPartition, RecoveryPlan } from '../../recovery/planning/plan.js'

/** Which partitions a plan is for. Named by topic and partition: whatever moves in a list, the plan stays with these. */
export interface PlanScope {
  /** "12 of 1,200 (filter orders); 28 marks hidden" */
  readonly title: string
  readonly partitions: readonly TopicPartition[]
  /** Nothing of it is elected unless this broker is down: it is for a repair of that broker. */
  readonly whileDown?: number
}

/** What of a partition the operator has seen on the Plan screen, or a file says: what is shown later is compared with it. */
export interface SeenPlan {
  readonly planned: PlannedPartition
  /** The choice that it was made with. By identity: another choice is the operator's own doing, and no change. */
  readonly choice: DraftEntry['choice'] | undefined
  /** The diagnosis' own object, as a short way to see that nothing changed; null: it comes from a file. */
  readonly decided: DecidedPartition | null
}

/** A plan as it would be made now. */
export interface PlanNow {
  readonly selection: SelectionPlan
  /** By partitionName, those that are not as they were seen any more: one line, what. They are not elected until that is taken over. */
  readonly changed: ReadonlyMap<string, string>
  readonly seen: ReadonlyMap<string, SeenPlan>
  /** Null: it stands as in its file, no diagnosis was laid against it yet. */
  readonly madeFrom: {
    readonly diagnosis: Pick<Diagnosis, 'partitions' | 'context'>
    readonly draft: Draft | null
  } | null
}

/** Who takes the writing requests, and what the brokers offer; asked when the plan was opened. */
export type PlanTarget = RequestTarget & { readonly capabilities: Pick<Capabilities, 'mode' | 'method' | 'mayElect'> }

/** The plan on the Plan screen. */
export interface OpenedPlan {
  readonly planId: string
  readonly openedAt: Date
  readonly scope: PlanScope
  /** The file that it was opened from, or last written to; null: it is in no file. */
  readonly file: { readonly path: string; readonly kind: 'opened' | 'written' } | null
  /** Leaders that the file names; a choice in the draft stands above them. */
  readonly fileChoices: ReadonlyMap<string, DraftEntry>
  /** By partitionName, what was overruled with its own acknowledgement typed: by code, and `internal`. */
  readonly acknowledged: ReadonlyMap<string, ReadonlySet<string>>
  /** Who would take the writing requests, or why nobody would; null: not asked yet. */
  readonly target: PlanTarget | { readonly problem: string } | null
  /** Null: nothing was diagnosed yet. */
  readonly now: PlanNow | null
}

/** What would be carried out: the plan without what changed since it was seen. */
export function planToElect({ selection, changed }: PlanNow): RecoveryPlan {
  if (changed.size === 0) return selection.plan
  const { plan } = selection
  return { ...plan, partitions: plan.partitions.filter((one) => !changed.has(`${one.topic}-${one.partition}`)) }
}
