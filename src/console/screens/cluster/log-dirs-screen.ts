import type { ClusterSnapshot, LogDir, TopicPartition } from '../../../cluster/snapshot.js'
import { findPartition } from '../../../recovery/diagnosis/diagnosis.js'
import { offlineBecauseOf } from '../../../recovery/use-cases/offline-log-dirs.js'
import type { NotedDirectory } from '../../../repair/use-cases/note-directories.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { bytesText, clockText, wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, type Span, span } from '../../layout/line.js'
import { sentenceLines } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { openRepair, repairKey } from '../../repairing/repair-state.js'
import { cursorOf } from '../../state/list-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import type { Token } from '../../theme.js'
import { openRow } from '../open-row.js'

export const LOG_DIRS_SCREEN = 'log-dirs'
/** What is offline because of one of them. */
export const DIR_SCREEN = 'dir'

/** As wide as what all of them hold: there are few, and no number is cut. */
function columnsFor(rows: readonly DirRow[], width: number): readonly ColumnSpec[] {
  const widest = (least: number, of: (row: DirRow) => string) => Math.max(least, ...rows.map((row) => of(row).length))
  const free = widest(4, (row) => cellsOf(row).free)
  const state = widest(5, stateText)
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

/** Every log directory, told or remembered, with what is offline because of it. */
interface DirRow {
  readonly dir: LogDir
  /** What is remembered of it; null: nothing. */
  readonly noted: NotedDirectory | null
  readonly standing: Standing
  /** Null: not to be told. */
  readonly offline: readonly TopicPartition[] | null
  /** Of these, how many have no leader. */
  readonly leaderless: number
}

const NONE: readonly DirRow[] = []
let known: {
  readonly snapshot: ClusterSnapshot
  readonly noted: ConsoleData['noted']
  readonly rows: readonly DirRow[]
} | null = null

/**
 * How a directory stands, as far as one look tells: `returning` has lost replicas that are not in sync again; the last three are remembered alone: their broker is
 * down, answers without it, or did not tell.
 */
type Standing = 'failed' | 'untold' | 'returning' | 'online' | 'brokerDown' | 'gone'

/** Failed ones first, then those that were not told, and those on their way back. */
export function dirRows({ watched, noted }: Pick<ConsoleData, 'watched' | 'noted'>): readonly DirRow[] {
  const { snapshot } = watched
  if (snapshot === null) return NONE
  if (known === null || known.snapshot !== snapshot || known.noted !== noted) {
    known = { snapshot, noted, rows: rowsFrom(snapshot, noted ?? []) }
  }
  return known.rows
}

function rowsFrom(snapshot: ClusterSnapshot, noted: readonly NotedDirectory[]): readonly DirRow[] {
  const told = snapshot.logDirs ?? []
  const remembered = new Map(noted.map((one) => [repairKey(one), one]))
  const rows = told.map((dir): DirRow => {
    const offline = offlineBecauseOf(dir, snapshot)
    const leaderless = (offline ?? []).filter((one) => findPartition(snapshot.partitions, one)?.leader === null)
    const before = remembered.get(repairKey(dir)) ?? null
    remembered.delete(repairKey(dir))
    const standing = { offline: 'failed', unknown: 'untold', online: before?.lost ? 'returning' : 'online' } as const
    return { dir, noted: before, standing: standing[dir.state], offline, leaderless: leaderless.length }
  })
  const states = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
  const telling = new Set(told.map(({ broker }) => broker))
  for (const one of remembered.values()) {
    const state = states.get(one.broker)
    if (state === undefined) continue
    const standing = telling.has(one.broker) ? 'gone' : state === 'down' ? 'brokerDown' : 'untold'
    rows.push({ dir: untold(one), noted: one, standing, offline: null, leaderless: 0 })
  }
  return rows.sort(
    (a, b) =>
      ORDER[a.standing] - ORDER[b.standing] || a.dir.broker - b.dir.broker || (a.dir.path < b.dir.path ? -1 : 1),
  )
}

const ORDER: Readonly<Record<Standing, number>> = {
  failed: 0,
  untold: 1,
  gone: 2,
  returning: 2,
  brokerDown: 3,
  online: 4,
}

/** A directory that nobody tells of now. */
function untold({ broker, path }: NotedDirectory): LogDir {
  return {
    broker,
    path,
    state: 'unknown',
    cordoned: false,
    error: null,
    totalBytes: null,
    usableBytes: null,
    replicaCount: null,
    replicas: null,
  }
}

export function stateText({ dir, standing, noted }: Pick<DirRow, 'dir' | 'standing' | 'noted'>): string {
  switch (standing) {
    case 'failed':
      return 'FAILED'
    case 'untold':
      return 'not told'
    case 'gone':
      return 'not there'
    case 'brokerDown':
      return noted?.lost ? 'down, had FAILED' : 'broker down'
    case 'returning':
      return 'catching up'
    case 'online':
      return dir.cordoned ? 'online, cordoned' : 'online'
  }
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
    key: ({ dir }) => repairKey(dir),
    markable: false,
    words: (row) => {
      const { free, replicas, offline } = cellsOf(row)
      return [row.dir.broker, row.dir.path, stateText(row), free, replicas, offline].join('  ')
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
      openRow(
        LOG_DIRS_SCREEN,
        { label: 'diagnosis and repair of this directory, step by step', hint: 'repair' },
        (row, { data, control }) => {
          const found = dirRows(data).find(({ dir }) => repairKey(dir) === row)
          if (found !== undefined) openRepair(control, found.dir)
        },
      ),
      {
        id: 'log-dirs.offline',
        keys: ['o'],
        label: 'what is offline because of this directory',
        hint: 'what is offline',
        hintOrder: 20,
        scope: LOG_DIRS_SCREEN,
        enabled: ({ data, row }) => {
          const found = dirRows(data).find(({ dir }) => repairKey(dir) === row)
          if (found === undefined) return false
          if (found.offline === null) return 'which replicas lay in it is not told: enter looks what is remembered'
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

const TOKENS: Readonly<Record<Standing, Token>> = {
  failed: 'danger',
  untold: 'unknown',
  gone: 'warning',
  returning: 'warning',
  brokerDown: 'unknown',
  online: 'plain',
}

export function logDirsLines(view: AppView<ConsoleData>, rows: Rows<DirRow>): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  const columns = columnsFor(rows.rows, width)
  const widths = columnWidths(columns, width - 3)
  const { ellipsis } = look.glyphs
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  const room = width < 76 ? 5 : 3
  const detail = under === undefined ? [] : wrapSentence(detailText(under), width - 2).slice(0, room)
  while (detail.length < room) detail.push('')
  const { snapshot } = data.watched
  const unkept =
    data.notingProblem === null
      ? []
      : sentenceLines(
          `Nobody will know afterwards what was in a directory: ${data.notingProblem}`,
          width,
          'warning',
        ).slice(0, 3)
  return [
    ['   ', ...titleSpans(columns, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width,
        height: Math.max(1, size.rows - 2 - detail.length - unkept.length),
        empty:
          snapshot === null ? '   reading' : snapshot.logDirs === null ? '   log directories were not read' : '   none',
        row: (row) => {
          const { dir } = row
          const { free, replicas, offline } = cellsOf(row)
          const state: Span = span(TOKENS[row.standing], stateText(row))
          return rowSpans(columns, widths, [String(dir.broker), dir.path, state, free, replicas, offline], ellipsis)
        },
      },
      look.glyphs,
    ),
    ...detail.map((text): Line => ` ${text}`),
    ...unkept,
    positionLine(rows, list, look.glyphs),
  ]
}

function detailText({ dir, standing, noted, offline, leaderless }: DirRow): string {
  const { broker, path, error, cordoned } = dir
  const why = error === null ? '' : ` (${error})`
  const seen =
    noted?.replicas == null
      ? ''
      : ` When it was seen last (${clockText(noted.seenAt)}) it held ${wholeNumber(noted.replicas)} replicas.`
  switch (standing) {
    case 'online':
      return cordoned ? `${path} on broker ${broker} takes no new replicas (cordoned): no failure.` : ''
    case 'returning':
      return `It is online; ${wholeNumber(noted?.lost?.replicas ?? 0)} replicas that it lost are not all in sync again. enter: the way back.`
    case 'gone':
      return `Broker ${broker} does not name it any more: it was taken out of log.dirs.${seen} enter: the way back.`
    case 'brokerDown':
      return noted?.lost
        ? `Broker ${broker} is down. Before that the directory had FAILED (${clockText(noted.lost.since)}), with ${wholeNumber(noted.lost.replicas)} replicas in it. enter: the repair, step by step.`
        : `Broker ${broker} is down: how it stands cannot be known from here.${seen}`
    case 'failed':
    case 'untold': {
      const said =
        standing === 'failed'
          ? `Broker ${broker} reports it offline${why}: read that broker's log first.`
          : `Broker ${broker} did not tell its state${why}.`
      if (offline === null) return `${said}${seen} enter: what is known, and the repair.`
      const replicas = `${wholeNumber(offline.length)} ${offline.length === 1 ? 'replica is' : 'replicas are'} offline because of it, ${wholeNumber(leaderless)} of their partitions without a leader.`
      return `${said} ${replicas} enter: the repair, step by step.`
    }
  }
}
