import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../layout/columns.js'
import type { Line, Span } from '../layout/line.js'
import { sentenceLines } from '../layout/sentence.js'
import { cursorOf, type ListState } from '../state/list-state.js'
import type { Rows } from '../state/rows.js'
import type { Size } from '../terminal/terminal.js'
import { listLines, positionLine } from './list.js'
import type { Look } from './look.js'

export interface DetailedList<Row> {
  readonly rows: Rows<Row>
  readonly list: ListState
  readonly size: Size
  readonly columns: readonly ColumnSpec[]
  /** In the order of the columns. */
  readonly cells: (row: Row) => readonly Span[]
  /** Where there are no rows. */
  readonly empty: string
  /** What is told of the row under the cursor, below the list. */
  readonly details: (row: Row) => string
  /** Lines that are kept for it, whatever the row: the list must not jump. */
  readonly detailRows: number
  /** Below that. */
  readonly notes?: readonly Line[]
}

/** A whole screen: the titles, the list, what is told of the row under the cursor, notes, and the position. */
export function detailedListLines<Row>(table: DetailedList<Row>, look: Look): Line[] {
  const { rows, list, size, columns, detailRows, notes = [] } = table
  const widths = columnWidths(columns, size.columns - 3)
  const { ellipsis } = look.glyphs
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  const details = under === undefined ? [] : sentenceLines(table.details(under), size.columns).slice(0, detailRows)
  while (details.length < detailRows) details.push('')
  return [
    ['   ', ...titleSpans(columns, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width: size.columns,
        height: Math.max(1, size.rows - 2 - detailRows - notes.length),
        empty: `   ${table.empty}`,
        row: (row) => rowSpans(columns, widths, table.cells(row), ellipsis),
      },
      look.glyphs,
    ),
    ...details,
    ...notes,
    positionLine(rows, list, look.glyphs),
  ]
}
