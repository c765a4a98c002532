import { partitionName } from '../../cluster/snapshot.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition, WarningCode } from '../../recovery/planning/plan.js'
import { columns } from './columns.js'
import { byTopic, codesText, EXAMPLES, groupedLines, listsEach, type Told } from './grouping.js'
import { counted, ids, lossText, numberText } from './words.js'

export interface PlanTextOptions {
  /** Of the terminal; null: a pipe. */
  readonly width: number | null
  /** Every partition and warning, however many. */
  readonly all: boolean
}

const TOPICS = 10

/** A plan for people: what would be elected and what that loses, then the warnings, then what is left, the totals last. */
export function planText(plan: RecoveryPlan, { width, all }: PlanTextOptions): string[] {
  return [
    ...partitionLines(plan.partitions, width, all),
    ...warningLines(plan.partitions, all),
    ...leftText(plan, all),
    ...planSummary(plan),
  ]
}

function partitionLines(partitions: readonly PlannedPartition[], width: number | null, all: boolean): string[] {
  if (partitions.length === 0) return []
  if (listsEach(partitions.length, all)) return partitionRows(partitions, width)
  const topics = byTopic(partitions)
  const shown = topics.slice(0, TOPICS)
  const worst = [...partitions].sort((a, b) => b.loss.atLeast - a.loss.atLeast).slice(0, EXAMPLES)
  return [
    ...columns(
      [
        { title: 'TOPIC', mayCut: true },
        { title: 'TO ELECT', align: 'right' },
        { title: 'LOST AT LEAST', align: 'right' },
        { title: 'COMMITTED', align: 'right' },
        { title: 'NEW LEADERS (PARTITIONS)', short: 'NEW LEADERS' },
      ],
      shown.map(([topic, some]) => {
        const { atLeast, committed, open } = lossOf(some)
        return [topic, numberText(some.length), openText(atLeast, open), openText(committed, open), leadersText(some)]
      }),
      width,
    ),
    ...(topics.length > shown.length ? [`and ${counted(topics.length - shown.length, 'other topic')}`] : []),
    'those that lose most (--all lists every one):',
    ...partitionRows(worst, width),
  ]
}

function leadersText(partitions: readonly PlannedPartition[]): string {
  const counts = new Map<number, number>()
  for (const { designatedLeader } of partitions) counts.set(designatedLeader, (counts.get(designatedLeader) ?? 0) + 1)
  const most = [...counts].sort(([, a], [, b]) => b - a)
  const shown = most.slice(0, 3).map(([broker, number]) => `${broker} (${numberText(number)})`)
  return [...shown, ...(most.length > 3 ? ['...'] : [])].join(' ')
}

function partitionRows(partitions: readonly PlannedPartition[], width: number | null): string[] {
  return columns(
    [
      { title: 'PARTITION', mayCut: true },
      { title: 'DESIGNATED LEADER', short: 'LEADER', align: 'right' },
      { title: 'METHOD' },
      { title: 'LOST AT LEAST', align: 'right' },
      { title: 'COMMITTED', align: 'right' },
      { title: 'ELECTION ORDER', short: 'ORDER', drop: 2 },
      { title: 'ASSIGNMENT', drop: 1 },
      { title: 'KAFKA WOULD ELECT', short: "KAFKA'S", align: 'right' },
    ],
    partitions.map((entry) => [
      partitionName(entry),
      `${entry.designatedLeader}${entry.byHand ? ' by hand' : ''}`,
      entry.method,
      lossText(entry.loss),
      openText(entry.committedAtLeast, entry.loss.known === null),
      ids(entry.electionOrder),
      ids(entry.evidence.state.replicas),
      entry.kafkaWouldElect === null ? 'none' : String(entry.kafkaWouldElect),
    ]),
    width,
  )
}

function warningLines(partitions: readonly PlannedPartition[], all: boolean): string[] {
  const warnings = partitions.flatMap((planned) =>
    planned.warnings.map(({ code, text }) => toldOf(planned, code, text)),
  )
  if (listsEach(warnings.length, all)) {
    return warnings.map((one) => `${partitionName(one)}: warning ${one.code}: ${one.text}`)
  }
  return groupedLines(warnings).map((line) => `warning ${line}`)
}

function toldOf(planned: PlannedPartition, code: WarningCode, text: string): Told {
  const { topic, partition, loss, committedAtLeast } = planned
  const weight = code === 'loss' ? loss.atLeast : code === 'committedLoss' ? committedAtLeast : undefined
  return { topic, partition, code, text, ...(weight === undefined ? {} : { weight }) }
}

/** What is left to the operator, so that it stands with the plan; each by name goes to stderr. */
function leftText(plan: RecoveryPlan, all: boolean): string[] {
  const left = leftOf(plan).map(leftTold)
  if (left.length === 0 || listsEach(left.length, all)) return []
  return groupedLines(left).map((line) => `left ${line}`)
}

/** The totals: how many, how, what is lost, what is left and why. What stands right above a question. */
export function planSummary(plan: RecoveryPlan): string[] {
  const { partitions } = plan
  const left = leftOf(plan)
  const led = plan.skipped.length - left.length
  const { atLeast, committed, open } = lossOf(partitions)
  const methods = codesText(partitions.map(({ method }) => ({ code: method })))
  const alarmed = partitions.filter(({ warnings }) => warnings.some(({ code }) => code === 'alarmedLeader'))
  const leaders = [...new Set(alarmed.map(({ designatedLeader }) => designatedLeader))]
  return [
    ...(alarmed.length === 0
      ? []
      : [
          `WARNING: ${counted(alarmed.length, 'partition')} would get broker ${leaders.join(', ')} as leader, which the ALARM says to stop`,
        ]),
    `plan ${plan.planId} for ${plan.clusterId}: ${counted(partitions.length, 'partition')} planned, ${numberText(left.length)} left to the operator, ${numberText(led)} with a leader already`,
    ...(partitions.length === 0
      ? []
      : [
          `to elect: ${numberText(partitions.length)} (${methods}), lost at least ${openText(atLeast, open)}, of it committed at least ${openText(committed, open)}`,
        ]),
    ...(left.length === 0 ? [] : [`left to the operator: ${codesText(left)}`]),
    ...(open ? ['? is what replicas hold that were not read.'] : []),
  ]
}

function lossOf(partitions: readonly PlannedPartition[]): { atLeast: number; committed: number; open: boolean } {
  let atLeast = 0
  let committed = 0
  for (const planned of partitions) {
    atLeast += planned.loss.atLeast
    committed += planned.committedAtLeast
  }
  return { atLeast, committed, open: partitions.some(({ loss }) => loss.known === null) }
}

function openText(offsets: number, open: boolean): string {
  return lossText({ known: open ? null : offsets, atLeast: offsets })
}

export function leftOf({ skipped }: RecoveryPlan): SkippedPartition[] {
  return skipped.filter(({ code }) => code !== 'hasLeader')
}

export function leftTold({ topic, partition, code, reason }: SkippedPartition): Told {
  return { topic, partition, code, text: reason }
}
