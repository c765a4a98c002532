import type { Broker } from '../../../cluster/snapshot.js'
import type { Diagnosis } from '../../../recovery/diagnosis/diagnosis.js'
import { type StartLine, startLineText, uselessStartText } from '../../../recovery/returns/start-lines.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { detailedListLines } from '../../components/detailed-list.js'
import type { ConsoleData } from '../../console-data.js'
import { clockText, wholeNumber } from '../../layout/amounts.js'
import type { ColumnSpec } from '../../layout/columns.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { createRows, type Rows } from '../../state/rows.js'
import { scopeParams } from '../listing/partition-lists.js'
import { openRow } from '../open-row.js'
import { ordinal } from '../partitions/overview-lines.js'
import { GROUP_SCREEN } from '../partitions/overview-screen.js'

export const BROKERS_SCREEN = 'brokers'

function columnsFor(rows: readonly BrokerRow[], width: number): readonly ColumnSpec[] {
  const address = width < 76 ? 10 : Math.min(28, Math.max(7, ...rows.map(({ broker }) => addressOf(broker).length)))
  return [
    { title: 'broker', min: 6, want: 6, align: 'right' },
    { title: 'state', min: 6, want: 6 },
    { title: 'since', min: 12, want: 13, drop: 1 },
    { title: 'address', min: address, want: 'rest', cut: 'middle' },
    ...(racksIn(rows) ? [{ title: 'rack', min: 4, want: 10, drop: 3 }] : []),
    { title: 'offline on it', min: 13, want: 13, align: 'right' },
    { title: 'would lead', min: 10, want: 10, align: 'right' },
    { title: 'start', min: 5, want: 6, drop: 2 },
  ]
}

function racksIn(rows: readonly BrokerRow[]): boolean {
  return rows.some(({ broker }) => broker.rack !== null)
}

/** What the offline partitions say of each broker; worked out once for each diagnosis. */
interface BrokerCounts {
  /** Offline partitions with a replica on it. */
  readonly on: ReadonlyMap<number, number>
  /** Partitions of which it is the designated leader, by rank. */
  readonly leads: ReadonlyMap<number, number>
}
const counted = new WeakMap<Diagnosis['partitions'], BrokerCounts>()
const NO_COUNTS: BrokerCounts = { on: new Map(), leads: new Map() }

export function brokerCounts(diagnosis: Diagnosis | null): BrokerCounts {
  if (diagnosis === null) return NO_COUNTS
  let counts = counted.get(diagnosis.partitions)
  if (counts === undefined) {
    const on = new Map<number, number>()
    const leads = new Map<number, number>()
    for (const { state, decided } of diagnosis.partitions) {
      for (const broker of state.replicas) on.set(broker, (on.get(broker) ?? 0) + 1)
      if (decided === null || !('designatedLeader' in decided)) continue
      leads.set(decided.designatedLeader, (leads.get(decided.designatedLeader) ?? 0) + 1)
    }
    counts = { on, leads }
    counted.set(diagnosis.partitions, counts)
  }
  return counts
}

interface BrokerRow {
  readonly broker: Broker
  readonly since: string
  readonly on: string
  readonly leads: string
  readonly start: StartLine | null
}

/** Brokers that are not up first, in the order in which to start them; then the others. */
export function brokerRows(): (data: ConsoleData) => readonly BrokerRow[] {
  let last: { readonly of: readonly unknown[]; readonly rows: readonly BrokerRow[] } | null = null
  return (data) => {
    const { watched, diagnosis, notices, firstReadAt } = data
    const of = [watched.snapshot?.brokers, diagnosis, notices, firstReadAt]
    if (last?.of.every((part, index) => part === of[index])) return last.rows
    const { on, leads } = brokerCounts(diagnosis)
    const advice = diagnosis?.overview.advice
    const lines = advice?.kind === 'start' ? advice.lines : []
    const unread = diagnosis === null || diagnosis.progress.notRead > 0
    const number = (count: number | undefined) => `${wholeNumber(count ?? 0)}${unread ? ' + ?' : ''}`
    const rows = (watched.snapshot?.brokers ?? [])
      .map((broker): BrokerRow => {
        const start = lines.find((line) => line.broker === broker.id) ?? null
        return {
          broker,
          since: sinceOf(broker, data),
          on: diagnosis === null ? '?' : wholeNumber(on.get(broker.id) ?? 0),
          leads: broker.state === 'up' ? number(leads.get(broker.id)) : '-',
          start,
        }
      })
      .sort((a, b) => place(a) - place(b) || a.broker.id - b.broker.id)
    last = { of, rows }
    return rows
  }
}

function place({ broker, start }: BrokerRow): number {
  if (broker.state === 'up') return Number.MAX_SAFE_INTEGER
  return start?.order ?? Number.MAX_SAFE_INTEGER - 1
}

/** Since when it has been in that state, as far as this console saw. */
function sinceOf({ id }: Broker, { notices, firstReadAt }: ConsoleData): string {
  const change = notices.findLast((notice) => notice.kind === 'broker' && notice.broker === id)
  if (change !== undefined) return clockText(change.at)
  return firstReadAt === null ? '?' : `before ${clockText(firstReadAt)}`
}

export function stateWord({ state }: Broker): string {
  return state === 'up' ? 'up' : state.toUpperCase()
}

function addressOf({ host, port }: Broker): string {
  return host === null ? 'not told' : `${host}:${port ?? '?'}`
}

export function brokersScreen(): Screen<ConsoleData> {
  const allRows = brokerRows()
  const make = createRows<BrokerRow>({
    key: ({ broker }) => String(broker.id),
    markable: false,
    words: ({ broker, since, on, leads, start }) =>
      [
        broker.id,
        stateWord(broker),
        since,
        addressOf(broker),
        broker.rack ?? '',
        on,
        leads,
        start?.useful === true ? ordinal(start.order) : '',
      ].join('  '),
    sorts: [
      { id: 'state', label: 'missing first', compare: null },
      { id: 'id', label: 'by id', compare: (a, b) => a.broker.id - b.broker.id },
    ],
  })
  const rowsOf = ({ data, list }: AppView<ConsoleData>) => make(allRows(data), list)
  return {
    id: BROKERS_SCREEN,
    title: 'Brokers',
    rows: rowsOf,
    render: (view) => body(brokersLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(
        BROKERS_SCREEN,
        { label: 'offline partitions with a replica on this broker', hint: 'its offline ones' },
        (row, { control }) => control.open(GROUP_SCREEN, scopeParams({ group: 'all', broker: Number(row) })),
      ),
    ],
  }
}

/** Lines that tell of the broker under the cursor. */
const DETAIL = 4

export function brokersLines({ data, body: size, list, look }: AppView<ConsoleData>, rows: Rows<BrokerRow>): Line[] {
  const racks = racksIn(rows.rows)
  return detailedListLines(
    {
      rows,
      list,
      size,
      columns: columnsFor(rows.rows, size.columns),
      cells: ({ broker, since, on, leads, start }) => [
        String(broker.id),
        span(broker.state === 'up' ? 'plain' : 'offline', stateWord(broker)),
        since,
        addressOf(broker),
        ...(racks ? [broker.rack ?? ''] : []),
        on,
        leads,
        start?.useful === true ? ordinal(start.order) : '',
      ],
      empty: list.filter === '' ? 'reading' : 'nothing passes the filter',
      details: (row) => detailText(row, data),
      detailRows: DETAIL,
      notes: problemLines(data, size.columns).slice(0, Math.max(0, Math.min(5, size.rows - 12))),
    },
    look,
  )
}

function detailText({ broker, leads, start }: BrokerRow, { diagnosis }: ConsoleData): string {
  const said = broker.error === null ? '' : ` ${broker.error}.`
  if (broker.state === 'up') {
    return `Broker ${broker.id} is up. By rank it would lead ${leads} of the offline partitions.${said}`
  }
  const state = broker.state === 'fenced' ? 'is fenced: it answers, but the controller does not count on it' : 'is down'
  const advice = diagnosis?.overview.advice
  if (advice?.kind === 'startNothing') return `Broker ${broker.id} ${state}. Start nothing yet: an alarm stands.${said}`
  const emptiedBefore = diagnosis?.overview.seenEmpty.find((one) => one.broker === broker.id)
  if (emptiedBefore !== undefined) return `Broker ${broker.id} ${state}. ${emptiedBefore.text}${said}`
  if (start !== null && !start.useful) return `Broker ${broker.id} ${state}. ${uselessStartText(start)}${said}`
  if (start === null) return `Broker ${broker.id} ${state}. No offline partition has a replica on it.${said}`
  const emptied =
    start.emptiedWipes === 0
      ? ''
      : ` With an EMPTIED disk it may wipe others in ${wholeNumber(start.emptiedWipes)}: elect those before it starts.`
  return `Broker ${broker.id} ${state}. Start it ${ordinal(start.order)}, with its old disks: ${startLineText(start)}.${emptied}${said}`
}

/** What could not be read, one sentence each. */
function problemLines({ diagnosis, watched }: ConsoleData, width: number): Line[] {
  // Who is down is told by the rows themselves.
  const problems = (watched.snapshot?.problems ?? []).filter(({ code }) => code !== 'brokerDown')
  const told = [...problems.map(({ text }) => text), ...(diagnosis?.problems ?? [])]
  return [...new Set(told)].flatMap((text) =>
    wrapSentence(`Not read: ${text}`, width - 2, '  ').map((line): Line => [' ', span('warning', line)]),
  )
}
