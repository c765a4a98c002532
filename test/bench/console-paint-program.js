// The program that console-paint.js measures: the built console over a list of partitions. BENCH_ROWS; BENCH_SAME: ms between data that is new
// but equal; BENCH_CHANGE: ms between data in which a hundred rows changed and one left.

import '../../dist/console/react-mode.js'
import { createElement, Fragment } from 'react'
import { runConsole } from '../../dist/console/app/run-console.js'
import { Lines } from '../../dist/console/components/lines.js'
import { List, listPosition } from '../../dist/console/components/list.js'
import { wholeNumber } from '../../dist/console/layout/amounts.js'
import { columnWidths, rowSpans } from '../../dist/console/layout/columns.js'
import { createRows } from '../../dist/console/state/rows.js'
import { openTerminal } from '../../dist/console/terminal/terminal.js'

const COLUMNS = [
  { title: 'partition', min: 20, want: 'rest', cut: 'middle' },
  { title: 'replicas', min: 12, want: 12 },
  { title: 'best', min: 5, want: 5, align: 'right' },
  { title: 'end', min: 14, want: 14, align: 'right' },
  { title: 'lost', min: 10, want: 14, align: 'right' },
]
const length = Number(process.env.BENCH_ROWS)
const made = (index, lost) => ({
  name: `orders-eu-${index}`,
  replicas: '7x 2+ 4+',
  best: index % 9,
  end: index * 977,
  lost,
})
const rowsOf = createRows({
  key: ({ name }) => name,
  words: ({ name, replicas }) => `${name} ${replicas}`,
  sorts: [{ id: 'read', label: 'as read', compare: null }],
})

const screen = {
  id: 'partitions',
  title: 'Partitions',
  rows: ({ data, list }) => rowsOf(data, list),
  render({ data, list, body, look }) {
    const rows = rowsOf(data, list)
    const widths = columnWidths(COLUMNS, body.columns - 3)
    const row = ({ name, replicas, best, end, lost }) =>
      rowSpans(
        COLUMNS,
        widths,
        [name, replicas, String(best), wholeNumber(end), { text: `${wholeNumber(lost)} + ?`, token: 'unknown' }],
        '…',
      )
    return createElement(
      Fragment,
      null,
      createElement(List, { rows, list, width: body.columns, height: body.rows - 1, row, empty: 'none' }),
      createElement(Lines, { lines: [listPosition(rows, list, look.glyphs)], width: body.columns }),
    )
  },
}

const opened = openTerminal({ ascii: false })
if (opened.kind === 'refused') throw new Error(opened.reason)
const running = runConsole({
  terminal: opened.terminal,
  screens: [screen],
  first: 'partitions',
  data: Array.from({ length }, (_, index) => made(index, index % 1000)),
  header: ({ data }) => [`SIMULATED bench  ${wholeNumber(data.length)} OFFLINE`, ''],
})
if (process.env.BENCH_SAME)
  setInterval(() => running.control.update((data) => [...data]), Number(process.env.BENCH_SAME))
if (process.env.BENCH_CHANGE) {
  let turn = 0
  setInterval(() => {
    turn += 1
    running.control.update((data) =>
      data
        .filter((_, index) => index !== length - 1 - turn)
        .map((row, index) => (index % 1000 === 7 ? made(index, turn) : row)),
    )
  }, Number(process.env.BENCH_CHANGE))
}
const end = await running.finished
process.exit(end.kind === 'quit' ? end.exit : 1)
