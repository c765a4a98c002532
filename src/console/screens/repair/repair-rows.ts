import { costNumbers } from '../../../repair/common-steps.js'
import {
  diagnosisLines,
  hasImpact,
  impactLines,
  nothingText,
  type RepairLine,
  STATUS_WORDS,
} from '../../../repair/repair-lines.js'
import type { RepairStep } from '../../../repair/repair-step.js'
import type { Repair } from '../../../repair/use-cases/read-repair-steps.js'
import type { ConsoleData } from '../../console-data.js'
import type { Glyphs } from '../../glyphs.js'
import { ageText, clockText, wholeNumber } from '../../layout/amounts.js'
import type { Line } from '../../layout/line.js'
import type { RepairState } from '../../repairing/repair-state.js'
import type { Token } from '../../theme.js'
import { stepLines } from './step-lines.js'
import { toldLines } from './told-lines.js'

/** One row of the Repair screen: one line, and more below it while the cursor is there. */
export interface RepairRow {
  /** `known`, `cost`, `return`, or a step's id. */
  readonly key: string
  readonly title: string
  readonly token: Token
  /** Before the title: its number and sign. */
  readonly sign: string
  readonly step: RepairStep | null
  lines(width: number, all: boolean, data: Pick<ConsoleData, 'place' | 'now'>): Line[]
}

/** What is known, what it costs, and the steps in their order. */
export function repairRows({ repair }: RepairState, glyphs: Glyphs): readonly RepairRow[] {
  if (repair === null) return []
  const { reading, steps } = repair
  const { impact, progress, phase, held } = reading
  const told = (key: string, title: string, lines: (now: Date) => readonly RepairLine[], token: Token): RepairRow => ({
    key,
    title,
    token,
    sign: '  ',
    step: null,
    lines: remembered((width, all, now) => toldLines(lines(now), width, all)),
  })
  return [
    told(
      'known',
      `What is known: ${knownText(repair)}`,
      (now) => [
        ...alarmLines(repair),
        ...(phase === 'nothing' ? [plain(nothingText(reading))] : []),
        ...diagnosisLines(reading, (at) => `${clockText(at)} (${ageText(now.getTime() - at.getTime())})`),
        ...reading.problems.map((text): RepairLine => ({ ...plain(text), tone: 'warning' })),
      ],
      phase === 'wiped' || phase === 'emptyBack' ? 'danger' : 'plain',
    ),
    ...(hasImpact(reading)
      ? [
          told(
            'cost',
            impact.noGoAhead === null ? `A restart: ${restartText(repair)}` : impact.noGoAhead,
            () => impactLines(impact),
            impact.noGoAhead !== null || impact.emptiedLeads.length > 0 ? 'danger' : 'plain',
          ),
        ]
      : []),
    ...steps.map(
      (step, index): RepairRow => ({
        key: step.id,
        title: `${STATUS_WORDS[step.status].padEnd(8)} ${step.title}${evidenceText(step)}`,
        token: STEP_TOKENS[step.status],
        sign: `${String(index + 1).padStart(2)}${step.status === 'done' ? glyphs.ok : step.status === 'now' ? glyphs.warning : ' '}`,
        step,
        lines: (width, _, { place, now }) => stepLines(step, repair, place, width, now),
      }),
    ),
    // Without steps there is still a return to look at.
    ...(steps.length === 0 && held.partitions.length > 0
      ? [
          told(
            'return',
            `The replicas: ${wholeNumber(progress.inSync)} of ${wholeNumber(progress.replicas.length)} in sync`,
            () => [plain('enter: each of them')],
            'plain',
          ),
        ]
      : []),
  ]
}

/** There may be thousands of partitions to tell of, and ages in it go on once a second: worked out once for each second. */
function remembered(make: (width: number, all: boolean, now: Date) => Line[]): RepairRow['lines'] {
  let last: { readonly of: string; readonly lines: Line[] } | null = null
  return (width, all, { now }) => {
    const of = `${width} ${all} ${now.getTime()}`
    if (last?.of !== of) last = { of, lines: make(width, all, now) }
    return last.lines
  }
}

/** What was so before this repair is told with what shows it. */
function evidenceText({ seen, seenAt }: RepairStep): string {
  return seen === null || seenAt === null ? '' : `: ${seen} at ${clockText(seenAt)}`
}

const STEP_TOKENS: Readonly<Record<RepairStep['status'], Token>> = {
  done: 'ok',
  now: 'warning',
  byHand: 'plain',
  later: 'muted',
  blocked: 'muted',
  unseen: 'unknown',
  already: 'plain',
}

function plain(text: string): RepairLine {
  return { text, indent: 0, tone: 'plain', partitions: [], each: [] }
}

function alarmLines({ reading }: Repair): RepairLine[] {
  return reading.situation.alarms.map(({ text }): RepairLine => ({ ...plain(`ALARM: ${text}`), tone: 'danger' }))
}

/** The row in one line: how many are in which case. */
function knownText({ reading }: Repair): string {
  const { affected, held, wiped } = reading
  if (wiped.length > 0) return `${wholeNumber(wiped.length)} MAYBE WIPED`
  const leaderless = affected.filter(({ kind }) => kind === 'leaderless')
  const alone = leaderless.filter(({ otherCopies }) => otherCopies === 'no').length
  const served = affected.filter(({ kind }) => kind === 'servedElsewhere').length
  if (held.source === 'unknown') return 'which partitions it held is NOT known'
  return [
    `${wholeNumber(held.partitions.length)} partitions${held.exact ? '' : ' or fewer'}`,
    ...(leaderless.length === 0 ? [] : [`${wholeNumber(leaderless.length)} without a leader`]),
    ...(alone === 0 ? [] : [`${wholeNumber(alone)} with NO other copy`]),
    ...(served === 0 ? [] : [`${wholeNumber(served)} served by others`]),
  ].join(', ')
}

function restartText({ reading: { impact } }: Repair): string {
  const { away, emptiedLeads } = impact
  const emptied = emptiedLeads.length === 0 ? [] : [`started empty it WIPES ${wholeNumber(emptiedLeads.length)}`]
  const cost = away ? [] : [costNumbers(impact)]
  return [...emptied, ...cost].join('; ') || 'costs nothing more'
}
