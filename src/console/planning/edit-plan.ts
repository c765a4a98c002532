import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { partitionName } from '../../cluster/snapshot.js'
import { chooseLeader, type Draft, takeOut } from '../../recovery/drafts/draft.js'
import { readRegularFile } from '../../recovery/files/input-file.js'
import { type NamedPartition, parsePartitionFile } from '../../recovery/files/partition-file.js'
import { designatedLeadersText } from '../../recovery/files/plan-json.js'
import type { PlannedPartition, RecoveryPlan } from '../../recovery/planning/plan.js'
import type { PlanningContext } from '../../recovery/planning/planning-context.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { type Line, span } from '../layout/line.js'
import { changeDraft } from './change-draft.js'
import { planToElect } from './opened-plan.js'
import { lostText } from './plan-words.js'

type Control = ConsoleControl<ConsoleData>

/**
 * The plan in KIP-1275's form in the operator's editor: leaders may be changed, and lines taken out. What comes back is read as strictly as any
 * file, shown as a difference, and taken into the draft only after a yes.
 */
export async function editPlan(control: Control, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { plan: opened } = control.data
  if (opened?.now == null) return
  const before = planToElect(opened.now)
  if (before.partitions.length === 0) return control.notice('There is nothing to edit: nothing is planned.', 'warning')
  // Of this run's own, and for its owner alone.
  const folder = await mkdtemp(join(tmpdir(), 'kafka-recovery-edit-'))
  const file = join(folder, 'designated-leaders.json')
  try {
    const text = designatedLeadersText(before)
    await writeFile(file, text, { mode: 0o600 })
    // Lines may only go, and leaders change: what is far longer is no edited plan, and to read it would stop the screen.
    const limit = 2 * Buffer.byteLength(text) + 65_536
    for (;;) {
      const problem = await control.outside((left) => runEditor(editorOf(env), file, left))
      if (problem !== null) return control.notice(problem, 'danger')
      const edited = await editedFile(file, limit)
      if (typeof edited !== 'string') return await offerDifference(control, opened.planId, before, edited)
      const again = await control.ask({ label: `${edited}. Edit it again? y/n`, initial: 'y' })
      if (again?.trim().toLowerCase() !== 'y') return control.notice('Nothing was taken over from the editor.', 'muted')
    }
  } finally {
    // At once: the console may be on its way out.
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As git and others choose it. A command line, not a path: it may have arguments. */
function editorOf(env: Readonly<Record<string, string | undefined>>): string {
  return [env.VISUAL, env.EDITOR].find((value) => value !== undefined && value.trim() !== '') ?? 'vi'
}

/** A command and its arguments, and nothing that only a shell understands. */
const PLAIN_COMMAND = /^[\w@%+:,./-]+(?:\s+[\w@%+=:,./-]+)*$/

/** Why it did not work, one line; null: it did. `left`: the console is being left, and the editor ends with it. */
async function runEditor(editor: string, file: string, left: AbortSignal): Promise<string | null> {
  // In the shell's place where that can be: the signal that ends the shell would not reach the editor.
  const exec = PLAIN_COMMAND.test(editor.trim()) ? 'exec ' : ''
  const { exitCode, signal, failed, shortMessage } = await execa('sh', ['-c', `${exec}${editor} "$1"`, 'sh', file], {
    stdio: 'inherit',
    reject: false,
    cancelSignal: left,
  })
  if (!failed) return null
  if (signal !== undefined) return `the editor was ended by ${signal}: nothing was taken over`
  return exitCode === undefined
    ? `the editor could not be run (${shortMessage}): set $EDITOR`
    : `the editor ended with ${exitCode}: nothing was taken over (it was: ${editor})`
}

async function editedFile(file: string, limit: number): Promise<readonly NamedPartition[] | string> {
  try {
    return parsePartitionFile(await readRegularFile(file, limit), file).partitions
  } catch (error) {
    return errorText(error)
  }
}

/** What the editor changed of a plan. */
export interface PlanEdit {
  readonly leaders: readonly { readonly from: PlannedPartition; readonly to: PlannedPartition }[]
  readonly takenOut: readonly PlannedPartition[]
  /** One line each: what cannot be. */
  readonly refused: readonly string[]
  readonly draft: Draft
}

/** The difference, laid into the draft. Pure. */
export function planEdit(
  before: RecoveryPlan,
  edited: readonly NamedPartition[],
  draft: Draft,
  context: PlanningContext,
): PlanEdit {
  const named = new Map(edited.map((one) => [partitionName(one), one]))
  const leaders: PlanEdit['leaders'][number][] = []
  const refused: string[] = []
  let next = draft
  for (const planned of before.partitions) {
    const name = partitionName(planned)
    const leader = named.get(name)?.designatedLeader
    named.delete(name)
    if (leader === null) refused.push(`${name}: no "designatedLeader": take the line out, or name one`)
    if (leader == null || leader === planned.designatedLeader) continue
    const chosen = chooseLeader(next, planned.evidence, leader, context)
    if (chosen.kind === 'refused') {
      refused.push(`${name}: ${chosen.reason}`)
      continue
    }
    next = chosen.draft
    const choice = next.entries.get(name)?.choice
    if (choice?.kind === 'leader') leaders.push({ from: planned, to: choice.planned })
  }
  for (const name of named.keys())
    refused.push(`${name}: is not in this plan: leaders and lines may be changed or taken out`)
  const kept = new Set(edited.map(partitionName))
  const takenOut = before.partitions.filter((planned) => !kept.has(partitionName(planned)))
  return { leaders, takenOut, refused, draft: takeOut(next, takenOut) }
}

async function offerDifference(
  control: Control,
  planId: string,
  before: RecoveryPlan,
  edited: readonly NamedPartition[],
): Promise<void> {
  const { draft, diagnosis, plan } = control.data
  if (draft === null || diagnosis === null || plan?.planId !== planId) return
  const edit = planEdit(before, edited, draft, diagnosis.context)
  const changes = edit.leaders.length + edit.takenOut.length
  if (edit.refused.length > 0) {
    await control.ask({
      label: `Nothing is taken over: ${edit.refused.length === 1 ? 'one line' : `${edit.refused.length} lines`} cannot be. enter: go on`,
      body: edit.refused.map((text): Line => [span('danger', text)]),
    })
    return
  }
  if (changes === 0) return control.notice('Nothing was changed in the editor.', 'muted')
  const answer = await control.ask({
    label: `Take ${changes === 1 ? 'this change' : `these ${changes} changes`} into the draft? y/n`,
    body: differenceLines(edit),
  })
  if (answer?.trim().toLowerCase() !== 'y') return control.notice('Nothing was taken over from the editor.', 'muted')
  // Only what was shown: other choices made meanwhile stay as they are.
  changeDraft(control, (current) => {
    const entries = new Map(current.entries)
    for (const one of [...edit.leaders.map(({ to }) => to), ...edit.takenOut]) {
      const entry = edit.draft.entries.get(partitionName(one))
      if (entry !== undefined) entries.set(partitionName(one), entry)
    }
    return { ...current, entries }
  })
}

function differenceLines({ leaders, takenOut }: PlanEdit): Line[] {
  return [
    ...leaders.map(
      ({ from, to }): Line => [
        `${partitionName(from)}: leader ${from.designatedLeader} -> `,
        span('warning', String(to.designatedLeader)),
        `, lost at least ${lostText(from.loss)} -> `,
        span('warning', lostText(to.loss)),
      ],
    ),
    ...takenOut.map((one): Line => [`${partitionName(one)}: `, span('warning', 'taken out')]),
  ]
}
