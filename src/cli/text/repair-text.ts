import { partitionName } from '../../cluster/snapshot.js'
import { type ReplicaProgress, type ReturnProgress, shareCaughtUp } from '../../repair/progress.js'
import {
  diagnosisLines,
  hasImpact,
  impactLines,
  REPLICA_WORDS,
  type RepairLine,
  STATUS_WORDS,
  WAY_TITLES,
} from '../../repair/repair-lines.js'
import type { RepairStep, RepairWay, StepAction } from '../../repair/repair-step.js'
import { endText } from '../../repair/run-command.js'
import type { RunRecord } from '../../repair/run-records.js'
import type { RepairReading } from '../../repair/use-cases/read-repair.js'
import type { Repair } from '../../repair/use-cases/read-repair-steps.js'
import { wayReasonText } from '../../repair/way.js'
import { commandLines, runLines } from '../command-line.js'
import type { ConnectionOptions } from '../options/connection.js'
import { alarmText } from './advice-text.js'
import { listsEach, namesText } from './grouping.js'
import { counted, numberText } from './words.js'

export interface RepairTextOptions {
  readonly width: number | null
  readonly all: boolean
}

/** What is known of the directory, and what its repair would do. */
export function diagnosisText(reading: RepairReading, { all }: RepairTextOptions): string[] {
  const lines = [...diagnosisLines(reading, timeText), ...(hasImpact(reading) ? impactLines(reading.impact) : [])]
  return [...alarmText(reading.situation.alarms), ...lines.flatMap((line) => textOf(line, all))]
}

/** Where nobody is named in the line itself some of those it is about are told, however many there are. */
const EXAMPLES = 10

function textOf({ text, indent, partitions, each }: RepairLine, all: boolean): string[] {
  const left = '  '.repeat(indent)
  const whole = listsEach(each.length, all)
  const shown = whole ? each : partitions.length > 0 ? [] : each.slice(0, EXAMPLES)
  const rest = each.length - shown.length
  return [
    `${left}${text}${partitions.length === 0 ? '' : `: ${namesText(partitions, all)}`}`,
    ...shown.map((one) => `${left}  ${one}`),
    ...(whole || partitions.length > 0 ? [] : [`${left}  and ${numberText(rest)} more`]),
  ]
}

/** Behind us, each for its own reason. */
const PASSED: ReadonlySet<RepairStep['status']> = new Set(['done', 'unseen', 'already'])

/** The steps of one way, each with where it stands; those that are done in one line. */
export function stepsText(
  steps: readonly RepairStep[],
  { taken, reading }: Pick<Repair, 'taken' | 'reading'>,
  runs: readonly RunRecord[],
  connection: ConnectionOptions,
  { width, all }: RepairTextOptions,
): string[] {
  const { way, changedFrom } = taken
  const why = wayReasonText(taken, reading.seenEmptiedAt === null ? null : timeText(reading.seenEmptiedAt))
  const others = (Object.keys(WAY_TITLES) as RepairWay[]).filter((one) => one !== way)
  return [
    `STEPS: ${WAY_TITLES[way]} (other ways: ${others.map((one) => `--way ${one}: ${WAY_TITLES[one]}`).join('; ')})`,
    `  this way since: ${why}${changedFrom === null ? '' : ` (before: ${WAY_TITLES[changedFrom]})`}`,
    ...steps.flatMap((step, index) => {
      const head = `${step.status === 'now' ? '>' : ' '}${index + 1}. [${STATUS_WORDS[step.status]}] ${step.title}`
      const last = runs.filter((run) => run.step === step.id).at(-1)
      const run = last === undefined ? [] : [`     last run here: ${timeText(last.startedAt)}: ${endText(last)}`]
      const seen = step.seenAt === null ? step.seen : `${step.seen ?? 'seen'} at ${timeText(step.seenAt)}`
      if (PASSED.has(step.status) && !all)
        return [head, ...(seen === null || step.id === 'stop' ? [] : [`     ${seen}`]), ...run]
      return [
        head,
        `     why:   ${step.why}`,
        ...step.how.flatMap((action) => actionLines(action, connection, width)),
        `     check: ${step.check}`,
        ...(seen === null ? [] : [`     ${step.seenAt === null ? 'now: ' : 'seen:'}  ${seen}`]),
        ...run,
      ]
    }),
  ]
}

function actionLines(action: StepAction, connection: ConnectionOptions, width: number | null): string[] {
  switch (action.kind) {
    case 'words':
      return [`     do:    ${action.text}`]
    case 'config':
      return [`     set:   ${action.line}`]
    case 'onHost':
      return commandLines(action.words, width).map((line) => `     ${line}`)
    case 'program':
      return runLines(connection, action.words, width).map((line) => `     ${line}`)
  }
}

/** `2 of 5 in sync; orders-1 45% (450 of 1,000), 20 offsets/s, some 28 s`. */
export function progressText(progress: ReturnProgress, { all }: Pick<RepairTextOptions, 'all'>): string[] {
  const { broker, directory, replicas, inSync, done } = progress
  const where =
    directory === null
      ? 'directories not told'
      : directory === 'missing'
        ? 'directory not among its directories (any more)'
        : `directory ${directory}`
  const waiting = replicas.filter(({ state }) => state !== 'inSync' && state !== 'leads')
  const shown = listsEach(waiting.length, all) ? waiting : waiting.slice(0, 10)
  return [
    `broker ${broker}, ${where}; ${numberText(inSync)} of ${counted(replicas.length, 'replica')} in sync${done ? ': done' : ''}`,
    ...shown.map((one) => `  ${partitionName(one)}: ${replicaText(one)}`),
    ...(shown.length < waiting.length ? [`  and ${numberText(waiting.length - shown.length)} more`] : []),
  ]
}

function replicaText(one: ReplicaProgress): string {
  if (one.state !== 'catchingUp') return REPLICA_WORDS[one.state]
  const share = shareCaughtUp(one)
  const percent = share === null ? '?' : `${Math.floor(share * 100)}%`
  const rate = one.offsetsPerSecond === null ? '' : `, ${numberText(Math.round(one.offsetsPerSecond))} offsets/s`
  const rest = one.remainingMs === null ? '' : `, some ${numberText(Math.ceil(one.remainingMs / 1000))} s to go`
  return `${bar(share)} ${percent} (${numberText(one.logEndOffset)} of ${numberText(one.leaderEndOffset)} of broker ${one.leader ?? '?'})${rate}${rest}, ${REPLICA_WORDS.catchingUp}`
}

const BAR_WIDTH = 20
function bar(share: number | null): string {
  const full = Math.round((share ?? 0) * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`
}

function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
