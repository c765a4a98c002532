import type { Glyphs } from '../glyphs.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, span } from '../layout/line.js'
import { cursorOf, type ListState } from '../state/list-state.js'
import type { Rows } from '../state/rows.js'
import { positionLine } from './list.js'

/** A row of a list of partitions with lines of text below them: `text` is what a line of text is called. */
interface TextOrPartition {
  readonly kind: string
}

const known = new WeakMap<readonly TextOrPartition[], number>()

/** How many of the rows are partitions; counted once for each list. */
function partitionsIn(rows: readonly TextOrPartition[]): number {
  let number = known.get(rows)
  if (number === undefined) {
    number = rows.reduce((sum, { kind }) => (kind === 'text' ? sum : sum + 1), 0)
    known.set(rows, number)
  }
  return number
}

/**
 * The position among partitions: "3 of 37 partitions". The lines of text below them do not count as such: there it is
 * "37 partitions; line 2 of 12 below them". `all`: the rows without the filter.
 */
export function partitionsPosition<Row extends TextOrPartition>(
  rows: Rows<Row>,
  all: readonly Row[],
  list: ListState,
  glyphs: Glyphs,
): Line {
  const length = partitionsIn(rows.rows)
  const total = partitionsIn(all)
  const word = total === 1 ? 'partition' : 'partitions'
  const { key, index } = cursorOf(list, rows)
  if (key === null || index < length) return positionLine(rows, list, glyphs, { length, total, word })
  const many = list.filter === '' ? '' : `${wholeNumber(length)} of `
  const filter = list.filter === '' ? '' : ` (filter ${list.filter})`
  const line = `line ${wholeNumber(index - length + 1)} of ${wholeNumber(rows.length - length)}`
  return [
    ' ',
    `${many}${wholeNumber(total)} ${word}${filter}`,
    span('muted', `; ${line} below ${total === 1 ? 'it' : 'them'}`),
  ]
}
