import { byTopicPartition, partitionName } from '../../cluster/snapshot.js'
import type { DecidedPartition } from '../../recovery/diagnosis/diagnosed-partition.js'
import { type Diagnosis, findPartition } from '../../recovery/diagnosis/diagnosis.js'
import { type Draft, emptyDraft } from '../../recovery/drafts/draft.js'
import { planSelection } from '../../recovery/drafts/selection-plan.js'
import type { PlannedPartition } from '../../recovery/planning/plan.js'
import { changedSince } from '../../recovery/planning/stale.js'
import type { ConsoleData } from '../console-data.js'
import type { OpenedPlan, PlanNow, SeenPlan } from './opened-plan.js'

/** The data with its plan brought up to date with diagnosis and draft; the same object where nothing changed for it. Pure. */
export function followPlan(data: ConsoleData): ConsoleData {
  const { plan, diagnosis, draft } = data
  if (plan === null || diagnosis === null) return data
  const now = planNow(plan, diagnosis, draft)
  return now === plan.now ? data : { ...data, plan: { ...plan, now } }
}

/** The same, made anew even if nothing changed: its evidence is as young as it can be. For what leaves this console. */
export function renewPlan(data: ConsoleData): ConsoleData {
  const { plan } = data
  if (plan?.now == null) return data
  return followPlan({ ...data, plan: { ...plan, now: { ...plan.now, madeFrom: null } } })
}

/** The plan as it would be made now, with what changed since it was seen. */
export function planNow(plan: OpenedPlan, diagnosis: Diagnosis, draft: Draft | null): PlanNow {
  if (plan.now !== null && isOf(plan.now, diagnosis, draft)) return plan.now
  const choices = withFileChoices(draft ?? emptyDraft(diagnosis.clusterId), plan)
  const last = plan.now?.madeFrom == null ? null : plan.now
  const selection = planSelection(diagnosis, plan.scope.partitions, choices, {
    planId: plan.planId,
    now: plan.openedAt,
    before: last?.selection ?? null,
  })
  const before: ReadonlyMap<string, SeenPlan> = plan.now?.seen ?? new Map()
  // Who is left out, or away for a moment, is compared with what was seen when it is planned again.
  let seen: Map<string, SeenPlan> | null = null
  const see = (name: string, what: SeenPlan) => {
    seen ??= new Map(before)
    seen.set(name, what)
  }
  const changed = new Map<string, string>()
  const planned = last?.selection.plan.partitions ?? []
  const left = leftByFile(plan)
  let next = 0
  for (const one of selection.plan.partitions) {
    let known = planned[next]
    while (known !== undefined && byTopicPartition(known, one) < 0) known = planned[++next]
    // The same object: planned, and compared with what was seen, as last time.
    if (known === one && last !== null) {
      if (last.changed.size > 0) keepChange(partitionName(one), last.changed, changed)
      continue
    }
    const name = partitionName(one)
    const choice = choices.entries.get(name)?.choice
    const decided = findPartition(diagnosis.partitions, one)?.decided ?? null
    const was = before.get(name)
    const code = was === undefined && choice === undefined ? left.get(name) : undefined
    if (code !== undefined) {
      changed.set(name, code)
      continue
    }
    if (was === undefined || was.choice !== choice) {
      see(name, { planned: one, choice, decided })
      continue
    }
    const what = whatChanged(was, one, decided, diagnosis)
    // Nothing that matters: the way is short again next time.
    if (what === null) see(name, { ...was, decided })
    else changed.set(name, what)
  }
  return { selection, changed, seen: seen ?? before, madeFrom: { diagnosis, draft } }
}

/**
 * By partitionName, what a plan that is in a file has left to the operator, and nobody has seen planned: whoever confirms "the plan of that file"
 * must not elect more than stands there.
 */
function leftByFile({ file, now }: OpenedPlan): ReadonlyMap<string, string> {
  if (file === null || now === null) return new Map()
  const left = new Map(
    now.selection.plan.skipped.map((one) => [
      partitionName(one),
      `it was left to you as ${one.code}, and can be elected now`,
    ]),
  )
  // Since then it is among the planned.
  for (const [name, what] of now.changed) if (!now.seen.has(name)) left.set(name, what)
  return left
}

function keepChange(name: string, from: ReadonlyMap<string, string>, to: Map<string, string>): void {
  const what = from.get(name)
  if (what !== undefined) to.set(name, what)
}

/** What changed is taken as seen: it is what will be elected. */
export function takeOverChanges(plan: OpenedPlan): OpenedPlan {
  const { now } = plan
  if (now === null || now.changed.size === 0) return plan
  const seen = new Map(now.seen)
  for (const planned of now.selection.plan.partitions) {
    const name = partitionName(planned)
    const last = seen.get(name)
    if (now.changed.has(name)) seen.set(name, { choice: last?.choice, planned, decided: null })
  }
  return { ...plan, now: { ...now, seen, changed: new Map() } }
}

export function withFileChoices(draft: Draft, { fileChoices }: OpenedPlan): Draft {
  if (fileChoices.size === 0) return draft
  return { ...draft, entries: new Map([...fileChoices, ...draft.entries]) }
}

function isOf({ madeFrom }: PlanNow, diagnosis: Diagnosis, draft: Draft | null): boolean {
  if (madeFrom === null) return false
  const { diagnosis: before } = madeFrom
  return (
    madeFrom.draft === draft &&
    before.partitions === diagnosis.partitions &&
    // Not when the logs were found as they were: that is only a time, and a plan may have 100,000 partitions (`evidenceTime` tells it).
    before.context === diagnosis.context
  )
}

function whatChanged(
  last: SeenPlan,
  planned: PlannedPartition,
  decided: DecidedPartition | null,
  { context }: Diagnosis,
): string | null {
  const what =
    last.decided !== null && last.decided === decided ? null : changedSince(last.planned, planned.evidence, context)
  if (what !== null) return what
  if (last.planned.designatedLeader !== planned.designatedLeader) {
    return `the designated leader was ${last.planned.designatedLeader}, and is ${planned.designatedLeader}`
  }
  if (last.planned.method !== planned.method) return `the method was ${last.planned.method}, and is ${planned.method}`
  return null
}
