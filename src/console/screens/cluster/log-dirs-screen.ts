import { type ClusterSnapshot, type LogDir, partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import { findPartition } from '../../../recovery/diagnosis.js'
import { offlineBecauseOf } from '../../../recovery/use-cases/offline-log-dirs.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, listPosition } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { bytesText, wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, type Span, span, spansOf } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { cursorOf } from '../../state/list-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import { openCompare } from '../compare/open-compare.js'
import { openRow } from '../open-row.js'

export const LOG_DIRS_SCREEN = 'log-dirs'
export const DIR_SCREEN = 'dir'

/** As wide as what all of them hold: there are few, and no number is cut. */
function columnsFor(rows: readonly DirRow[], width: number): readonly ColumnSpec[] {
  const widest = (least: number, of: (row: DirRow) => string) => Math.max(least, ...rows.map((row) => of(row).length))
  const free = widest(4, (row) => cellsOf(row).free)
  const state = widest(5, ({ dir }) => stateText(dir))
  const path = Math.min(24, Math.max(...rows.map(({ dir }) => dir.path.length), 13))
  return [
    { title: 'broker', min: 6, want: 6, align: 'right' },
    {
      title: 'log directory',
      min: width < 76 ? 13 : path,
      want: 'rest',
      cut: 'middle',
    },
    { title: 'state', min: state, want: state },
    { title: 'free', min: free, want: free, align: 'right', drop: 1 },
    { title: 'replicas', min: 8, want: 8, align: 'right', drop: 2 },
    { title: 'offline by it', min: 13, want: 13, align: 'right' },
  ]
}

/** Every log directory with what is offline because of it. */
interface DirRow {
  readonly dir: LogDir
  /** Null: not to be told. */
  readonly offline: readonly TopicPartition[] | null
  /** Of these, how many have no leader. */
  readonly leaderless: number
}

const NONE: readonly DirRow[] = []
const known = new WeakMap<ClusterSnapshot, readonly DirRow[]>()

/** Failed ones first, then those that were not told. */
export function dirRows({ watched }: ConsoleData): readonly DirRow[] {
  const { snapshot } = watched
  if (snapshot === null) return NONE
  let rows = known.get(snapshot)
  if (rows === undefined) {
    rows = (snapshot.logDirs ?? [])
      .map((dir): DirRow => {
        const offline = offlineBecauseOf(dir, snapshot)
        const leaderless = (offline ?? []).filter((one) => findPartition(snapshot.partitions, one)?.leader === null)
        return { dir, offline, leaderless: leaderless.length }
      })
      .sort((a, b) => order(a.dir) - order(b.dir) || a.dir.broker - b.dir.broker || (a.dir.path < b.dir.path ? -1 : 1))
    known.set(snapshot, rows)
  }
  return rows
}

function order({ state }: LogDir): number {
  return { offline: 0, unknown: 1, online: 2 }[state]
}

function dirKey({ broker, path }: LogDir): string {
  return `${broker} ${path}`
}

export function stateText({ state, cordoned }: LogDir): string {
  if (state === 'offline') return 'FAILED'
  if (state === 'unknown') return 'not told'
  return cordoned ? 'online, cordoned' : 'online'
}

function cellsOf({ dir, offline }: DirRow) {
  const { usableBytes, totalBytes, replicaCount } = dir
  return {
    free:
      usableBytes === null
        ? '?'
        : totalBytes === null
          ? bytesText(usableBytes)
          : `${bytesText(usableBytes)} of ${bytesText(totalBytes)}`,
    replicas: replicaCount === null ? '?' : wholeNumber(replicaCount),
    offline: offline === null ? '?' : dir.state === 'online' ? '-' : wholeNumber(offline.length),
  }
}

export function logDirsScreen(): Screen<ConsoleData> {
  const make = createRows<DirRow>({
    key: ({ dir }) => dirKey(dir),
    markable: false,
    words: (row) => {
      const { free, replicas, offline } = cellsOf(row)
      return [row.dir.broker, row.dir.path, stateText(row.dir), free, replicas, offline].join('  ')
    },
    sorts: [
      { id: 'failed', label: 'failed first', compare: null },
      { id: 'free', label: 'least free first', compare: (a, b) => freeOf(a.dir) - freeOf(b.dir) },
    ],
  })
  const rowsOf = ({ data, list }: AppView<ConsoleData>) => make(dirRows(data), list)
  return {
    id: LOG_DIRS_SCREEN,
    title: 'Log dirs',
    rows: rowsOf,
    render: (view) => body(logDirsLines(view, rowsOf(view)), view.body),
    actions: [
      {
        id: 'log-dirs.open',
        keys: ['enter', 'right'],
        label: 'what is offline because of this directory',
        hint: 'what is offline',
        hintOrder: 10,
        scope: LOG_DIRS_SCREEN,
        enabled: ({ data, row }) => {
          const found = dirRows(data).find(({ dir }) => dirKey(dir) === row)
          if (found === undefined) return false
          if (found.offline === null) return 'which replicas lay in it is not told'
          return found.offline.length > 0 || 'nothing is offline because of it'
        },
        run: ({ row, control }) => {
          if (row !== null) control.open(DIR_SCREEN, { dir: row })
        },
      },
    ],
  }
}

function freeOf({ usableBytes }: LogDir): number {
  return usableBytes ?? Number.POSITIVE_INFINITY
}

export function logDirsLines(view: AppView<ConsoleData>, rows: Rows<DirRow>): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  const columns = columnsFor(rows.rows, width)
  const widths = columnWidths(columns, width - 3)
  const { ellipsis } = look.glyphs
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  const detail = under === undefined ? [] : wrapSentence(detailText(under), width - 2).slice(0, 3)
  while (detail.length < 3) detail.push('')
  const { snapshot } = data.watched
  return [
    ['   ', ...titleSpans(columns, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width,
        height: Math.max(1, size.rows - 2 - detail.length),
        empty:
          snapshot === null ? '   reading' : snapshot.logDirs === null ? '   log directories were not read' : '   none',
        row: (row) => {
          const { dir } = row
          const { free, replicas, offline } = cellsOf(row)
          const state: Span = span(
            dir.state === 'offline' ? 'danger' : dir.state === 'unknown' ? 'unknown' : 'plain',
            stateText(dir),
          )
          return rowSpans(columns, widths, [String(dir.broker), dir.path, state, free, replicas, offline], ellipsis)
        },
      },
      look.glyphs,
    ),
    ...detail.map((text): Line => ` ${text}`),
    [' ', ...spansOf(listPosition(rows, list, look.glyphs))],
  ]
}

function detailText({ dir, offline, leaderless }: DirRow): string {
  const { broker, path, state, error, cordoned } = dir
  if (state === 'online') {
    return cordoned ? `${path} on broker ${broker} takes no new replicas (cordoned): no failure.` : ''
  }
  const why = error === null ? '' : ` (${error})`
  const said =
    state === 'offline'
      ? `Broker ${broker} reports it offline${why}.`
      : `Broker ${broker} did not tell its state${why}.`
  if (offline === null) {
    return `${said} Which replicas lay in it is not told: the broker is not up, or has several failed directories.`
  }
  const replicas = `${wholeNumber(offline.length)} ${offline.length === 1 ? 'replica is' : 'replicas are'} offline because of it, ${wholeNumber(leaderless)} of their partitions without a leader.`
  return `${said} ${replicas} Repair: kafka-recovery repair --broker ${broker} --log-dir ${path}`
}

/** The partitions whose replica is offline because of one directory. */
export function dirScreen(): Screen<ConsoleData> {
  const make = createRows<TopicPartition>({
    key: partitionName,
    markable: false,
    words: partitionName,
    sorts: [{ id: 'name', label: 'by name', compare: null }],
  })
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>) => {
    const found = dirRows(data).find(({ dir }) => dirKey(dir) === view.params.dir)
    return make(found?.offline ?? NO_PARTITIONS, list)
  }
  return {
    id: DIR_SCREEN,
    title: 'Offline because of a log directory',
    rows: rowsOf,
    render: (view) => body(dirLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(DIR_SCREEN, { label: 'compare the replicas of this partition', hint: 'compare' }, (row, { control }) =>
        openCompare(control, row),
      ),
    ],
  }
}

const NO_PARTITIONS: readonly TopicPartition[] = []

export function dirLines(view: AppView<ConsoleData>, rows: Rows<TopicPartition>): Line[] {
  const { data, body: size, list, look } = view
  const states = data.watched.snapshot?.partitions ?? []
  const specs: readonly ColumnSpec[] = [
    { title: 'partition', min: 20, want: 'rest', cut: 'middle' },
    { title: 'leader', min: 16, want: 24 },
  ]
  const widths = columnWidths(specs, size.columns - 3)
  const { ellipsis } = look.glyphs
  return [
    [' ', span('title', `offline because of ${view.view.params.dir ?? ''}`)],
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width: size.columns,
        height: Math.max(1, size.rows - 3),
        empty: '   nothing any more',
        row: (partition) => {
          const leader = findPartition(states, partition)?.leader ?? null
          const text = leader === null ? span('offline', 'OFFLINE, no leader') : `led by ${leader}`
          return rowSpans(specs, widths, [partitionName(partition), text], ellipsis)
        },
      },
      look.glyphs,
    ),
    [' ', ...spansOf(listPosition(rows, list, look.glyphs))],
  ]
}
