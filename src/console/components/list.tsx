import type { ReactElement } from 'react'
import type { Glyphs } from '../glyphs.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, lineWidth, type Span, span, spansOf } from '../layout/line.js'
import { type Cursor, cursorOf, type ListState, type ListWindow } from '../state/list-state.js'
import type { Rows } from '../state/rows.js'
import { Lines } from './lines.js'
import { useLook } from './look.js'

export interface ListProps<Row> {
  readonly rows: Rows<Row>
  readonly list: ListState
  readonly width: number
  /** Rows on the screen, the position line not counted. */
  readonly height: number
  /** The row's cells, `width - 3` columns of room: a cursor and a mark stand before them. Only rows in the window are asked for. */
  readonly row: (row: Row) => Line
  /** Shown where there are no rows. */
  readonly empty: Line
  /** Whether the list has the keys; it shows no cursor otherwise. */
  readonly active?: boolean
}

/**
 * A window on a list of any length: cursor `>`, mark `*`, and `~` where the row under the cursor has left the list (keys act on nothing then).
 * It takes `height` rows, however many there are.
 */
export function List<Row>(props: ListProps<Row>): ReactElement | null {
  const { glyphs } = useLook()
  return <Lines lines={listLines(props, glyphs)} width={props.width} />
}

/** The lines that `List` draws; for screens that lay them out themselves. */
export function listLines<Row>(
  { rows, list, width, height, row, empty, active = true }: ListProps<Row>,
  glyphs: Glyphs,
): readonly Line[] {
  const cursor = cursorOf(list, rows)
  const top = windowTop(list.window, cursor, height, rows.length)
  const lines: Line[] = rows.length === 0 ? [empty] : []
  for (let index = top; index < Math.min(rows.length, top + height); index += 1) {
    const item = rows.rows[index]
    if (item === undefined) break
    const here = active && index === cursor.index
    const sign = here ? (cursor.key === null ? glyphs.gone : glyphs.cursor) : ' '
    const marked = list.marks.has(rows.keyAt(index))
    const before = `${sign}${marked ? glyphs.mark : ' '} `
    const cells = row(item)
    lines.push(here && cursor.key !== null ? selected(before, cells, width) : spans(before, cells, marked))
  }
  while (lines.length < height) lines.push('')
  return lines.slice(0, height)
}

/** What a position line counts, where that is not simply every row. */
export interface Counted {
  readonly length: number
  /** Without the filter. */
  readonly total: number
  /** "partitions" */
  readonly word: string
}

/** "3 of 1,200", "12 of 9,412 (filter orders)", with marks; and why keys do nothing, if they do. */
export function listPosition<Row>(rows: Rows<Row>, list: ListState, glyphs: Glyphs, counted?: Counted): Line {
  const { length, total, word } = counted ?? { length: rows.length, total: rows.total, word: '' }
  const behind = word === '' ? '' : ` ${word}`
  const cursor = cursorOf(list, rows)
  const parts: Span[] = []
  if (length > 0 && cursor.key !== null) parts.push(`${wholeNumber(cursor.index + 1)} of `)
  parts.push(wholeNumber(length))
  if (length !== total || list.filter !== '') parts.push(` of ${wholeNumber(total)}${behind} (filter ${list.filter})`)
  else parts.push(behind)
  if (rows.sort !== null && rows.sorts.length > 1 && length > 1) parts.push(`, ${rows.sort.label}`)
  if (list.marks.size > 0) parts.push(', ', span('marked', `${wholeNumber(list.marks.size)} marked`))
  if (list.range !== null) parts.push(', marking a range')
  if (cursor.gone !== null)
    parts.push('. ', span('warning', `${glyphs.gone} ${cursor.gone} left the list, move to go on`))
  return parts
}

/** The same as the line below a list, in line with its rows. */
export function positionLine<Row>(rows: Rows<Row>, list: ListState, glyphs: Glyphs, counted?: Counted): Line {
  return [' ', ...spansOf(listPosition(rows, list, glyphs, counted))]
}

/** The window follows the cursor, a row at a time; it never shows blanks while there are rows above. Remembers what it decided. */
export function windowTop(window: ListWindow, cursor: Cursor, height: number, length: number): number {
  const highest = Math.max(0, length - height)
  const shown = Math.min(Math.max(window.top, cursor.index - height + 1), cursor.index)
  window.top = Math.max(0, Math.min(shown, highest))
  window.height = Math.max(1, height)
  return window.top
}

/** The whole line is laid over, to the right edge, so that it can be followed on a wide screen. */
function selected(before: string, cells: Line, width: number): Line {
  const text = typeof cells === 'string' ? [cells] : cells
  const blanks = ' '.repeat(Math.max(0, width - before.length - lineWidth(cells)))
  return [before, ...text, blanks].map((part) => span('selected', typeof part === 'string' ? part : part.text))
}

function spans(before: string, cells: Line, marked: boolean): Line {
  return [marked ? span('marked', before) : before, ...(typeof cells === 'string' ? [cells] : cells)]
}
