import { randomUUID } from 'node:crypto'
import { byTopicPartition, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { type Diagnosis, findPartition } from '../../recovery/diagnosis/diagnosis.js'
import { chooseLeader, type Draft, type DraftEntry, emptyDraft } from '../../recovery/drafts/draft.js'
import { type ElectFile, parseElectFile } from '../../recovery/files/elect-file.js'
import { readRegularFile } from '../../recovery/files/input-file.js'
import type { PlannedPartition, RecoveryPlan } from '../../recovery/planning/plan.js'
import { choiceOf } from '../../recovery/use-cases/plan-from-file.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { ConsoleServices } from '../services.js'
import { absolutePath } from './export-plan.js'
import { showPlan } from './open-plan.js'
import type { OpenedPlan, PlanNow, SeenPlan } from './opened-plan.js'
import { partitionsText } from './plan-words.js'

/** `:open plan FILE`: a saved plan beside what the cluster is now, each row as planned or with what changed. */
export async function openSavedPlan(
  control: ConsoleControl<ConsoleData>,
  services: ConsoleServices,
  given: string | null,
): Promise<void> {
  const path = given ?? (await control.ask({ label: 'Path of the plan file:' }))
  if (path === null || path.trim() === '') return
  const absolute = absolutePath(path)
  try {
    const file = await parseElectFile(await readRegularFile(absolute), absolute)
    const { diagnosis } = control.data
    if (diagnosis === null) {
      control.notice('Nothing was read of the cluster yet: open it again in a moment.', 'warning')
      return
    }
    if (file.kind === 'plan' && file.plan.clusterId !== diagnosis.clusterId) {
      const text = `the plan is of cluster ${file.plan.clusterId}, this is ${diagnosis.clusterId}: connect to that one, or make a new plan here`
      control.notice(text, 'danger')
      return
    }
    const { plan, refused } = openedFrom(file, absolute, control.data.draft, diagnosis)
    showPlan(control, services, plan)
    const [first] = refused
    if (first !== undefined)
      control.notice(`${partitionsText(refused.length)} cannot be planned as the file says: ${first}`, 'warning')
  } catch (error) {
    control.notice(errorText(error), 'danger')
  }
}

function openedFrom(
  file: ElectFile,
  path: string,
  draft: Draft | null,
  diagnosis: Diagnosis,
): { readonly plan: OpenedPlan; readonly refused: readonly string[] } {
  const scopeOf = (partitions: readonly TopicPartition[]) => ({
    title: partitionsText(partitions.length),
    partitions: partitions.map(({ topic, partition }) => ({ topic, partition })),
  })
  const opened = {
    openedAt: new Date(),
    file: { path, kind: 'opened' },
    acknowledged: new Map(),
    target: null,
  } as const
  if (file.kind === 'plain') {
    const { choices, refused } = plainChoices(file.partitions, diagnosis)
    const scope = scopeOf(file.partitions)
    return { plan: { ...opened, planId: randomUUID(), scope, fileChoices: choices, now: null }, refused }
  }
  const { plan } = file
  const fileChoices = new Map<string, DraftEntry>()
  const seen = new Map<string, SeenPlan>()
  for (const planned of plan.partitions) {
    const name = partitionName(planned)
    if (choiceOf(planned) !== undefined) fileChoices.set(name, leaderChoice(planned))
    const choice = draft?.entries.get(name)?.choice ?? fileChoices.get(name)?.choice
    seen.set(name, { planned, choice, decided: null })
  }
  const scope = scopeOf([...plan.partitions, ...plan.skipped].sort(byTopicPartition))
  const now = nothingMadeYet(plan, seen)
  return { plan: { ...opened, planId: plan.planId, scope, fileChoices, now }, refused: [] }
}

/** The leaders of KIP-1275's plain file, chosen by hand on what was read here; one that cannot be chosen is not elected at all. */
function plainChoices(
  named: readonly (TopicPartition & { readonly designatedLeader: number })[],
  diagnosis: Diagnosis,
): { readonly choices: ReadonlyMap<string, DraftEntry>; readonly refused: readonly string[] } {
  const choices = new Map<string, DraftEntry>()
  const refused: string[] = []
  for (const { topic, partition, designatedLeader } of named) {
    const name = partitionName({ topic, partition })
    const found = findPartition(diagnosis.partitions, { topic, partition })
    // Not offline: the plan says so by itself.
    if (found === undefined) continue
    const evidence = found.decided?.evidence ?? null
    const chosen =
      evidence === null
        ? ({ kind: 'refused', reason: 'its logs are not read yet' } as const)
        : chooseLeader(emptyDraft(diagnosis.clusterId), evidence, designatedLeader, diagnosis.context)
    const entry = chosen.kind === 'draft' ? chosen.draft.entries.get(name) : undefined
    if (chosen.kind === 'refused') refused.push(`${name}: ${chosen.reason}`)
    choices.set(name, entry ?? { topic, partition, choice: { kind: 'takenOut' } })
  }
  return { choices, refused }
}

/** Its rows are what is compared with; the plan itself is made from the next diagnosis. */
function nothingMadeYet(plan: RecoveryPlan, seen: ReadonlyMap<string, SeenPlan>): PlanNow {
  return {
    selection: { plan, takenOut: [], notRead: [], gone: [] },
    changed: new Map(),
    seen,
    madeFrom: null,
  }
}

function leaderChoice(planned: PlannedPartition): DraftEntry {
  const { topic, partition } = planned
  return { topic, partition, choice: { kind: 'leader', planned } }
}
