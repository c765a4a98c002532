import { partitionName } from '../../../cluster/snapshot.js'
import { type ReplicaProgress, type ReturnProgress, shareCaughtUp } from '../../../repair/progress.js'
import { REPLICA_WORDS } from '../../../repair/repair-lines.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import { barParts } from '../../components/progress-bar.js'
import type { ConsoleData } from '../../console-data.js'
import type { Glyphs } from '../../glyphs.js'
import { durationText, wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, type Span, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { REPAIR_RETURN_SCREEN, repairOf } from '../../repairing/repair-state.js'
import { cursorOf } from '../../state/list-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import { openCompare } from '../compare/open-compare.js'
import { openRow } from '../open-row.js'

/** The way back: the broker, the directory, and each replica with its log end against its leader's. */
export function returnScreen(): Screen<ConsoleData> {
  const make = createRows<ReplicaProgress>({
    key: partitionName,
    markable: false,
    words: (one) => `${partitionName(one)}  ${REPLICA_WORDS[one.state]}`,
    sorts: [
      { id: 'waiting', label: 'those on their way first', compare: null },
      { id: 'name', label: 'by name', compare: (a, b) => (partitionName(a) < partitionName(b) ? -1 : 1) },
    ],
  })
  let last: { readonly of: object; readonly rows: readonly ReplicaProgress[] } | null = null
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>): Rows<ReplicaProgress> => {
    const progress = repairOf(data, view)?.repair?.reading.progress
    if (progress === undefined) return make(NONE, list)
    if (last?.of !== progress) {
      last = { of: progress, rows: [...progress.replicas].sort((a, b) => ORDER[a.state] - ORDER[b.state]) }
    }
    return make(last.rows, list)
  }
  return {
    id: REPAIR_RETURN_SCREEN,
    title: 'The return of a log directory',
    rows: rowsOf,
    render: (view) => body(returnLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(REPAIR_RETURN_SCREEN, { label: 'compare its replicas', hint: 'compare' }, (row, { control }) =>
        openCompare(control, row),
      ),
    ],
  }
}

const NONE: readonly ReplicaProgress[] = []

const ORDER: Readonly<Record<ReplicaProgress['state'], number>> = {
  noLeader: 0,
  offline: 0,
  unread: 1,
  catchingUp: 1,
  away: 2,
  givenUp: 3,
  inSync: 4,
  leads: 4,
}

function returnLines(view: AppView<ConsoleData>, rows: Rows<ReplicaProgress>): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  const state = repairOf(data, view.view)
  const progress = state?.repair?.reading.progress
  if (state === null || progress === undefined) return [' not read yet']
  const specs: readonly ColumnSpec[] = [
    { title: 'partition', min: 12, want: 'rest', cut: 'middle' },
    { title: 'caught up', min: 15, want: 27 },
    { title: 'log end', min: 10, want: 13, align: 'right', drop: 4 },
    { title: "its leader's", min: 12, want: 13, align: 'right', drop: 3 },
    { title: 'a second', min: 8, want: 8, align: 'right', drop: 2 },
    { title: 'left', min: 10, want: 10, align: 'right', drop: 1 },
    { title: 'ISR', min: 3, want: 3 },
  ]
  const widths = columnWidths(specs, width - 3)
  const { ellipsis } = look.glyphs
  const head = wrapSentence(`${state.path} of broker ${state.broker}: ${wayBackText(progress)}`, width - 1).map(
    (text): Line => [' ', span(progress.done ? 'ok' : 'title', text)],
  )
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  const detail = under === undefined ? [] : wrapSentence(wholeText(under), width - 1).slice(0, 3)
  while (detail.length < 3) detail.push('')
  return [
    ...head,
    totalLine(progress, width, look.glyphs),
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width,
        height: Math.max(1, size.rows - head.length - detail.length - 3),
        empty: '   nothing is known to have been in it',
        row: (one) => rowSpans(specs, widths, cellsOf(one, look.glyphs, widths[1] ?? 15), ellipsis),
      },
      look.glyphs,
    ),
    ...detail.map((text): Line => ` ${text}`),
    positionLine(rows, list, look.glyphs),
  ]
}

function cellsOf(one: ReplicaProgress, glyphs: Glyphs, width: number): Span[] {
  const { state, logEndOffset, leaderEndOffset, offsetsPerSecond, remainingMs } = one
  const moving = state === 'catchingUp'
  return [
    partitionName(one),
    span(tokenOf(one), moving ? barText(one, glyphs, width) : SHORT[state]),
    logEndOffset === null ? '?' : wholeNumber(logEndOffset),
    leaderEndOffset === null ? '?' : wholeNumber(leaderEndOffset),
    moving && offsetsPerSecond !== null ? wholeNumber(Math.round(offsetsPerSecond)) : '',
    moving && remainingMs !== null ? durationText(remainingMs) : '',
    state === 'inSync' || state === 'leads' ? 'yes' : 'no',
  ]
}

/** In the column of the bar; whole below the list. */
const SHORT: Readonly<Record<ReplicaProgress['state'], string>> = {
  inSync: 'in sync',
  leads: 'in sync',
  away: 'broker is away',
  offline: 'offline',
  noLeader: 'no leader',
  givenUp: 'WRITTEN OFF',
  unread: 'not read',
  catchingUp: '',
}

/** All that is known of one, in a sentence. */
function wholeText(one: ReplicaProgress): string {
  const { state, logEndOffset, leader, leaderEndOffset, offsetsPerSecond, remainingMs } = one
  if (state !== 'catchingUp') return `${partitionName(one)}: ${REPLICA_WORDS[state]}.`
  const rate = offsetsPerSecond === null ? '' : `, ${wholeNumber(Math.round(offsetsPerSecond))} offsets a second`
  const left = remainingMs === null ? '' : `, some ${durationText(remainingMs)} to go`
  return `${partitionName(one)}: log end ${wholeNumber(logEndOffset ?? 0)} of ${wholeNumber(leaderEndOffset ?? 0)} of broker ${leader ?? '?'}${rate}${left}; ${REPLICA_WORDS.catchingUp}.`
}

/** "broker up, directory online, 3 of 5 replicas in sync". */
function wayBackText({ broker, directory, done }: ReturnProgress): string {
  const where =
    directory === null
      ? 'its directories are not told'
      : directory === 'missing'
        ? 'the directory is not among its directories (any more)'
        : `the directory is ${directory}`
  return done ? 'all that was in it is in sync again' : `the broker is ${broker}, ${where}`
}

function totalLine({ replicas, inSync }: ReturnProgress, width: number, glyphs: Glyphs): Line {
  const text = `${wholeNumber(inSync)} of ${wholeNumber(replicas.length)} in sync`
  const room = Math.min(40, width - text.length - 6)
  if (room < 5 || replicas.length === 0) return ` ${text}`
  const bar = barParts(inSync / replicas.length, room, glyphs)
  return [' [', span('ok', bar.done), span('muted', bar.left), `] ${text}`]
}

/** `[####......]  45%` */
function barText(one: ReplicaProgress, glyphs: Glyphs, width: number): string {
  const share = shareCaughtUp(one) ?? 0
  const { done, left } = barParts(share, Math.max(4, width - 7), glyphs)
  return `[${done}${left}] ${String(Math.floor(share * 100)).padStart(3)}%`
}

function tokenOf({ state }: ReplicaProgress) {
  switch (state) {
    case 'inSync':
    case 'leads':
      return 'ok'
    case 'catchingUp':
      return 'plain'
    case 'away':
    case 'unread':
      return 'unknown'
    case 'offline':
    case 'noLeader':
    case 'givenUp':
      return 'warning'
  }
}
