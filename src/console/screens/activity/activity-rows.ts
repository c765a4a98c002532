import type { ConsoleData } from '../../console-data.js'
import { clockText } from '../../layout/amounts.js'
import { cutEnd } from '../../layout/cut.js'
import type { ListState } from '../../state/list-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import type { Token } from '../../theme.js'
import { noticeSentence, noticeToken, noticeWithin } from './notice-sentence.js'

export interface ActivityRow {
  readonly at: Date
  readonly text: string
  /** The same in one line of so many columns: what happened is not cut off. */
  within(width: number, ellipsis: string): string
  readonly token: Token
  readonly sent: boolean
}

/** What was noticed and what was sent, oldest first. The last row is always the same to the cursor: who stands there sees what comes. */
export const NEWEST = 'newest'

export function activityRows(): (data: ConsoleData, list: Pick<ListState, 'filter' | 'sort'>) => Rows<ActivityRow> {
  const known = new WeakMap<object, ActivityRow>()
  const numbers = new WeakMap<ActivityRow, number>()
  let counter = 0
  let last: {
    readonly notices: ConsoleData['notices']
    readonly sent: ConsoleData['sent']
    readonly ran: ConsoleData['ran']
    readonly rows: readonly ActivityRow[]
  } | null = null
  const rowOf = (source: object, make: () => ActivityRow) => {
    let row = known.get(source)
    if (row === undefined) {
      row = make()
      known.set(source, row)
      counter += 1
      numbers.set(row, counter)
    }
    return row
  }
  const keyOf = (row: ActivityRow) => String(numbers.get(row) ?? 0)
  const make = createRows<ActivityRow>({
    key: keyOf,
    markable: false,
    words: ({ at, text }) => `${clockText(at, true)} ${text}`,
    sorts: [{ id: 'time', label: 'newest last', compare: null }],
  })
  return ({ notices, sent, ran }, list) => {
    if (last === null || last.notices !== notices || last.sent !== sent || last.ran !== ran) {
      const noticed = notices.map((notice) =>
        rowOf(notice, () => ({
          at: notice.at,
          text: noticeSentence(notice),
          within: (width, ellipsis) => cutEnd(noticeWithin(notice, width, ellipsis), width, ellipsis),
          token: noticeToken(notice),
          sent: false,
        })),
      )
      const ours = sent.map((entry) => rowOf(entry, () => ownRow(entry.at, `SENT: ${entry.text}`)))
      const commands = ran.map((entry) => rowOf(entry, () => ownRow(entry.at, `RAN: ${entry.text}`)))
      const rows = [...noticed, ...ours, ...commands].sort((a, b) => a.at.getTime() - b.at.getTime())
      last = { notices, sent, ran, rows }
    }
    const found = make(last.rows, list)
    const end = found.length - 1
    return { ...found, start: end, keyAt: (index) => (index === end ? NEWEST : found.keyAt(index)) }
  }
}

/** What this console did: its text begins with what weighs most. */
function ownRow(at: Date, text: string): ActivityRow {
  return { at, text, within: (width, ellipsis) => cutEnd(text, width, ellipsis), token: 'title', sent: true }
}

/** The whole list as text, for a file. */
export function activityText(rows: readonly ActivityRow[], clusterId: string): string {
  return [`Cluster ${clusterId}`, ...rows.map(({ at, text }) => `${at.toISOString()}  ${text}`), ''].join('\n')
}
