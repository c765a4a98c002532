import { partitionName } from '../../../cluster/snapshot.js'
import { type ReplicaProgress, type ReturnProgress, shareCaughtUp } from '../../../repair/progress.js'
import { REPLICA_WORDS } from '../../../repair/repair-lines.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, listPosition } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import type { Glyphs } from '../../glyphs.js'
import { durationText, wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, span, spansOf } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { REPAIR_RETURN_SCREEN, repairOf } from '../../repairing/repair-state.js'
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
    { title: 'partition', min: 14, want: 'rest', cut: 'middle' },
    { title: 'log end against its leader', min: 26, want: 46 },
    { title: 'a second', min: 8, want: 8, align: 'right', drop: 2 },
    { title: 'left', min: 11, want: 11, align: 'right', drop: 1 },
  ]
  const widths = columnWidths(specs, width - 3)
  const { ellipsis } = look.glyphs
  const head = wrapSentence(`${state.path} of broker ${state.broker}: ${wayBackText(progress)}`, width - 1).map(
    (text): Line => [' ', span(progress.done ? 'ok' : 'title', text)],
  )
  const total = totalLine(progress, width, look.glyphs)
  return [
    ...head,
    total,
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width,
        height: Math.max(1, size.rows - head.length - 3),
        empty: '   nothing is known to have been in it',
        row: (one) => {
          const { offsetsPerSecond, remainingMs } = one
          const moving = one.state === 'catchingUp'
          return rowSpans(
            specs,
            widths,
            [
              partitionName(one),
              span(tokenOf(one), replicaText(one, look.glyphs, (widths[1] ?? 26) < 40)),
              moving && offsetsPerSecond !== null ? wholeNumber(Math.round(offsetsPerSecond)) : '',
              moving && remainingMs !== null ? durationText(remainingMs) : '',
            ],
            ellipsis,
          )
        },
      },
      look.glyphs,
    ),
    [' ', ...spansOf(listPosition(rows, list, look.glyphs))],
  ]
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
  return [' [', ...barSpans(inSync / replicas.length, room, glyphs), `] ${text}`]
}

/** Full only when all is there. */
function barSpans(share: number, width: number, glyphs: Glyphs) {
  const full = share >= 1 ? width : Math.min(width - 1, Math.floor(share * width))
  return [span('ok', glyphs.barDone.repeat(full)), span('muted', glyphs.barLeft.repeat(width - full))]
}

const BAR = 14

/** `[####......] 45% 450 of 1,000 not in ISR yet`, or how it stands in words. */
function replicaText(one: ReplicaProgress, glyphs: Glyphs, narrow: boolean): string {
  if (one.state !== 'catchingUp') return REPLICA_WORDS[one.state]
  const share = shareCaughtUp(one) ?? 0
  const width = narrow ? 8 : BAR
  const full = share >= 1 ? width : Math.min(width - 1, Math.floor(share * width))
  const bar = `[${glyphs.barDone.repeat(full)}${glyphs.barLeft.repeat(width - full)}]`
  const percent = `${String(Math.floor(share * 100)).padStart(3)}%`
  const ends = `${wholeNumber(one.logEndOffset ?? 0)} of ${wholeNumber(one.leaderEndOffset ?? 0)}`
  return narrow ? `${bar} ${percent} not in ISR` : `${bar} ${percent} ${ends}, not in ISR`
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
