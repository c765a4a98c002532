import { fillCommand } from '../../../repair/repair-commands.js'
import type { RepairStep, StepAction } from '../../../repair/repair-step.js'
import { endText } from '../../../repair/run-command.js'
import type { RunRecord } from '../../../repair/run-records.js'
import type { Repair } from '../../../repair/use-cases/read-repair-steps.js'
import type { Place } from '../../console-data.js'
import { ageText, clockText } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { commandText } from '../../planning/plan-words.js'
import type { Token } from '../../theme.js'

/** What is said of one step: why, what to do, how to check it, what is seen of it now, and the last run of its command. */
export function stepLines(step: RepairStep, { reading, runs }: Repair, place: Place, width: number, now: Date): Line[] {
  const labelled = (label: string, text: string, token: Token = 'plain') =>
    wrapSentence(text, width - LABEL).map((part, index): Line => {
      return [span('muted', (index === 0 ? label : '').padEnd(LABEL)), span(token, part)]
    })
  const last = runs.filter((run) => run.step === step.id).at(-1)
  return [
    ...labelled('why', step.why),
    ...step.how.flatMap((action, index) => labelled(index === 0 ? 'do' : '', ...actionText(action, place))),
    ...labelled('check', step.check),
    ...(step.seen === null
      ? []
      : step.seenAt === null
        ? labelled('now', step.seen)
        : labelled(
            'seen',
            `${step.seen} at ${clockText(step.seenAt)}, ${ageText(now.getTime() - step.seenAt.getTime())}`,
          )),
    ...(step.status === 'unseen' ? labelled('seen', 'not seen from here whether this was done', 'unknown') : []),
    ...enterText(step, reading, place).flatMap(([text, token]) => labelled('enter', text, token)),
    ...(last === undefined ? [] : labelled('ran', lastRunText(last, now))),
  ]
}

const LABEL = 7

/** A command is to be copied as it stands. */
function actionText(action: StepAction, place: Place): readonly [text: string, token: Token] {
  switch (action.kind) {
    case 'words':
      return [action.text, 'plain']
    case 'config':
      return [action.line, 'input']
    case 'onHost':
      return [commandText(action.words), 'input']
    case 'program':
      return [[place.program, commandText(action.words), place.connectionOptions].filter(Boolean).join(' '), 'input']
  }
}

/** What enter does on it here. */
function enterText(step: RepairStep, reading: Repair['reading'], place: Place): [text: string, token: Token][] {
  if (step.status === 'done' || step.status === 'already') return []
  if (step.id === 'elect') return step.partitions.length === 0 ? [] : [['opens the plan of exactly these', 'key']]
  if (step.id === 'gate') return [['shows what keeps it shut', 'key']]
  if (step.id === 'watch') return [['shows each replica on its way back', 'key']]
  if (step.command === null) return []
  const { broker, path, host } = reading
  const filled = fillCommand(place.repairCommands, step.command, { broker, host, logDir: path })
  switch (filled.kind) {
    case 'none':
      return []
    case 'impossible':
      return [[filled.reason, 'warning']]
    case 'command':
      return [[`runs, after it is confirmed: ${commandText(filled.argv)}`, 'key']]
  }
}

function lastRunText(run: RunRecord, now: Date): string {
  return `${clockText(run.startedAt)}, ${ageText(now.getTime() - run.startedAt.getTime())}: ${endText(run)}`
}
