import { partitionName } from '../../cluster/snapshot.js'
import { type PreviewedRequest, previewRequests, requestLines } from '../../recovery/apply/requests-preview.js'
import { isInternal } from '../../recovery/diagnosis/decision-groups.js'
import { ACCEPTABLE_CODES, type PlannedPartition, type SkippedPartition } from '../../recovery/planning/plan.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, plainText, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { type OpenedPlan, type PlanNow, planToElect } from './opened-plan.js'
import { codesText, lossOf, lostText, partitionsText } from './plan-words.js'

/** A row of the Plan screen. Partitions have their name as key; `#` begins the key of a row of text: no topic is called so. */
export type PlanRow =
  | {
      readonly kind: 'elect'
      readonly key: string
      readonly planned: PlannedPartition
      readonly changed: string | null
      readonly internal: boolean
    }
  | { readonly kind: 'left'; readonly key: string; readonly skipped: SkippedPartition; readonly overrulable: boolean }
  | { readonly kind: 'aside'; readonly key: string; readonly why: string }
  | { readonly kind: 'text'; readonly key: string; readonly line: Line }

/** Whether a row's key names a partition: rows of text cannot be marked. */
export function isPartitionKey(key: string): boolean {
  return !key.startsWith('#')
}

export interface PlanRowsOptions {
  /** Columns for text. */
  readonly width: number
  /** ms; as in the requests. */
  readonly requestTimeoutMs: number
  readonly leaderOf: (partition: { readonly topic: string; readonly partition: number }) => number | null
  readonly internalTopics: ReadonlySet<string>
}

/** All of the dry run, from top to bottom: what is elected, what is not, the totals, and every request that would be sent. */
export function planRows(plan: OpenedPlan, now: PlanNow, options: PlanRowsOptions): PlanRow[] {
  const { selection, changed } = now
  const internal = (topic: string) => isInternal(topic, options.internalTopics)
  const elect = selection.plan.partitions.map((planned): PlanRow => {
    const key = partitionName(planned)
    return { kind: 'elect', key, planned, changed: changed.get(key) ?? null, internal: internal(planned.topic) }
  })
  return [
    // What is not elected as it was seen stands on top, internal topics next.
    ...elect.sort((a, b) => rankOf(a) - rankOf(b)),
    ...selection.plan.skipped.map(
      (skipped): PlanRow => ({
        kind: 'left',
        key: partitionName(skipped),
        skipped,
        overrulable: ACCEPTABLE_CODES.some((code) => code === skipped.code),
      }),
    ),
    ...selection.takenOut.map((one) => aside(one, 'taken out')),
    ...selection.notRead.map((one) => aside(one, 'being read')),
    ...selection.gone.map((one) => {
      const leader = options.leaderOf(one)
      return aside(one, leader === null ? 'not offline' : `led by ${leader} now`)
    }),
    ...textRows(plan, now, options),
  ]
}

/** Every word on the row, for the filter. */
export function planRowWords(row: PlanRow): string {
  switch (row.kind) {
    case 'elect': {
      const { planned, changed } = row
      const warnings = planned.warnings.map(({ code }) => code).join(' ')
      const replicas = planned.ranking.map(({ broker, eligible }) => `${broker}${eligible ? '+' : 'x'}`).join(' ')
      return `${row.key} ${planned.designatedLeader} ${planned.method} ${replicas} ${lostText(planned.loss)} ${warnings} ${changed === null ? 'as planned' : `changed: ${changed}`}${planned.byHand ? ' by hand' : ''}`
    }
    case 'left':
      return `${row.key} left ${row.skipped.code} ${row.skipped.reason}`
    case 'aside':
      return `${row.key} ${row.why}`
    case 'text':
      return plainText(row.line)
  }
}

function rankOf(row: PlanRow): number {
  return row.kind !== 'elect' ? 3 : row.changed !== null ? 0 : row.internal ? 1 : 2
}

function aside(partition: { readonly topic: string; readonly partition: number }, why: string): PlanRow {
  return { kind: 'aside', key: partitionName(partition), why }
}

function textRows(plan: OpenedPlan, now: PlanNow, options: PlanRowsOptions): PlanRow[] {
  const rows: PlanRow[] = []
  const add = (lines: readonly Line[]) => {
    for (const line of lines) rows.push({ kind: 'text', key: `#${rows.length}`, line })
  }
  const wrapped = (text: string, indent = '  ') => wrapSentence(text, options.width, indent)
  const toElect = planToElect(now)
  const { partitions } = toElect
  const internal = partitions.filter(({ topic }) => isInternal(topic, options.internalTopics))
  add(['', [span('title', 'In all')]])
  add(
    wrapped(
      partitions.length === 0
        ? 'nothing to elect'
        : `${partitionsText(partitions.length)} to elect, lost at least ${lostText(lossOf(partitions))}`,
    ),
  )
  const committed = partitions.reduce((sum, { committedAtLeast }) => sum + committedAtLeast, 0)
  if (committed > 0) add(wrapped(`committed data is lost: at least ${wholeNumber(committed)} offsets`))
  if (internal.length > 0) {
    add(wrapped(`${wholeNumber(internal.length)} of internal topics: consumers or transactions depend on them`))
  }
  if (toElect.skipped.length > 0) {
    add(wrapped(`${partitionsText(toElect.skipped.length)} left to you: ${codesText(toElect.skipped)}`))
  }
  if (partitions.length === 0) return rows
  add([
    '',
    ...wrapped('Requests, word for word, in the order in which they would be sent', '').map(
      (text): Line => [span('title', text)],
    ),
  ])
  add(wrapped('Before each the state is read again; what changed is left out of it. Nothing has been sent.', ''))
  for (const request of requestsOf(plan, partitions, options)) add(requestText(request, options.width))
  return rows
}

function requestsOf(
  { target }: OpenedPlan,
  partitions: readonly PlannedPartition[],
  { requestTimeoutMs }: PlanRowsOptions,
): PreviewedRequest[] | string[] {
  if (target === null) return ['(being asked: which broker takes them, in which version)']
  if ('problem' in target) return [`(no broker would take them now: ${target.problem})`]
  return previewRequests({ partitions }, target, { timeoutMs: requestTimeoutMs })
}

function requestText(request: PreviewedRequest | string, width: number): Line[] {
  if (typeof request === 'string') return wrapSentence(request, width)
  const [head = '', ...rest] = requestLines(request)
  return [
    ...wrapSentence(head, width, '  ').map((text): Line => [span('title', text)]),
    ...rest.flatMap((text) => wrapSentence(text.trimStart(), width - 2, '  ').map((part): Line => `  ${part}`)),
  ]
}
