import { partitionName } from '../../cluster/snapshot.js'
import type { OutcomeResult, PartitionOutcome, RecoveryReport } from '../../recovery/apply/outcome.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'
import { runLines } from '../command-line.js'
import type { ConnectionOptions } from '../options/connection.js'
import type { Output } from '../output.js'
import { columns } from './columns.js'
import { byTopic, codesText, groupedLines, listsEach, type Told } from './grouping.js'
import { noteTold } from './noted.js'
import type { PlanTextOptions } from './plan-text.js'
import { counted, lossText, numberText } from './words.js'

export function isDone({ result }: PartitionOutcome): boolean {
  return result === 'elected' || result === 'alreadyHasLeader'
}

/** What became of each partition, then the sums. A loss is never a bare number where a replica was not read. */
export function reportText(report: RecoveryReport, plan: RecoveryPlan, { width, all }: PlanTextOptions): string[] {
  const { outcome } = report
  const incomplete = new Set(plan.partitions.filter(({ loss }) => loss.known === null).map(partitionName))
  const open = (outcomes: readonly PartitionOutcome[]) => outcomes.some((one) => incomplete.has(partitionName(one)))
  const elected = outcome.filter(({ result }) => result === 'elected')
  return [
    ...(listsEach(outcome.length, all) ? outcomeRows(outcome, incomplete, width) : topicRows(outcome, open, width)),
    ...(listsEach(outcome.length, all) ? [] : groupedLines(failuresOf(report))),
    ...(elected.length === 0
      ? []
      : [
          `lost by the ${numberText(elected.length)} elected: predicted at least ${lossSum(elected, 'predicted', open(elected))}, measured ${lossSum(elected, 'measured', open(elected))}`,
        ]),
    `${summaryText(report)} in ${(report.durationMs / 1000).toFixed(1)} s`,
  ]
}

function outcomeRows(
  outcome: readonly PartitionOutcome[],
  incomplete: ReadonlySet<string>,
  width: number | null,
): string[] {
  if (outcome.length === 0) return []
  return columns(
    [
      { title: 'PARTITION', mayCut: true },
      { title: 'RESULT' },
      { title: 'LEADER', align: 'right' },
      { title: 'LOSS PREDICTED', short: 'PREDICTED', align: 'right' },
      { title: 'MEASURED', align: 'right' },
    ],
    outcome.map((one) => [
      partitionName(one),
      one.result,
      one.leader === null ? '-' : String(one.leader),
      outcomeLoss(one.loss.predicted, incomplete.has(partitionName(one))),
      outcomeLoss(one.loss.measured, incomplete.has(partitionName(one))),
    ]),
    width,
  )
}

function topicRows(
  outcome: readonly PartitionOutcome[],
  open: (outcomes: readonly PartitionOutcome[]) => boolean,
  width: number | null,
): string[] {
  const topics = byTopic(outcome)
  const shown = topics.slice(0, 10)
  return [
    ...columns(
      [
        { title: 'TOPIC', mayCut: true },
        { title: 'RESULTS' },
        { title: 'LOSS MEASURED', short: 'MEASURED', align: 'right' },
      ],
      shown.map(([topic, some]) => [
        topic,
        codesText(some.map(({ result }) => ({ code: result }))),
        lossSum(
          some.filter(({ result }) => result === 'elected'),
          'measured',
          open(some),
        ),
      ]),
      width,
    ),
    ...(topics.length > shown.length ? [`and ${counted(topics.length - shown.length, 'other topic')}`] : []),
    '(--all lists every partition)',
  ]
}

function lossSum(elected: readonly PartitionOutcome[], which: 'predicted' | 'measured', open: boolean): string {
  let atLeast = 0
  let known = !open
  for (const { loss } of elected) {
    atLeast += loss[which] ?? 0
    known &&= loss[which] !== null
  }
  return lossText({ known: known ? atLeast : null, atLeast })
}

function outcomeLoss(offsets: number | null, incomplete: boolean): string {
  return offsets === null ? '-' : lossText({ known: incomplete ? null : offsets, atLeast: offsets })
}

/** What was done first, then what was not. */
const RESULTS: readonly OutcomeResult[] = [
  'elected',
  'alreadyHasLeader',
  'failed',
  'unknown',
  'stale',
  'notAttempted',
  'skipped',
]

export function summaryText({ summary }: RecoveryReport): string {
  const parts = RESULTS.flatMap((result) => {
    const number = summary[result]
    return number === undefined ? [] : `${numberText(number)} ${result}`
  })
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}

/** Each partition that was not done, or whose assignment is not as before. */
export function failuresOf({ outcome }: RecoveryReport): Told[] {
  return outcome
    .filter((one) => !isDone(one) || one.error !== null)
    .map(({ topic, partition, result, error, code }) => ({
      topic,
      partition,
      code: result,
      text: error ?? code ?? 'no reason was told',
    }))
}

/** On stderr: each partition that was not done, and where some assignment is not known to be as before. */
export function noteFailures(
  output: Output,
  report: RecoveryReport,
  all: boolean,
  connection: ConnectionOptions,
): void {
  noteTold(output, failuresOf(report), all, !output.json)
  if (report.openJournal !== null) {
    output.note(`some assignments are not known to be as before (${report.openJournal}): kafka-recovery restore`)
    for (const line of runLines(connection, ['restore'], output.stderrColumns)) output.note(line)
  }
}
