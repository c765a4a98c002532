import { displayWidth } from '../../text/display-width.js'
import { SEQUENCES, scrollRows, toRow } from '../terminal/sequences.js'
import { findScroll, type Scroll, scrolled } from './scroll.js'

/**
 * The bytes that turn the screen `before` into `after` (arrays of as many lines as the screen has rows): only lines that differ, each as cursor
 * address, line, erase to end of line. Where a block of lines only moved, the terminal moves it, if that is shorter. Empty: nothing differs.
 * `before` null: what stands there is not known, all lines are written.
 */
export function updateBytes(before: readonly string[] | null, after: readonly string[], columns: number): string {
  if (before === null) return framed(changedLines(null, after, columns))
  const plain = changedLines(before, after, columns)
  if (plain.lines < 4) return framed(plain)
  const move = findScroll(before, after)
  if (move === null) return framed(plain)
  const moved = changedLines(scrolled(before, move), after, columns, move)
  return framed(moved.text.length < plain.text.length ? moved : plain)
}

interface Changes {
  readonly text: string
  readonly lines: number
}

function changedLines(
  before: readonly string[] | null,
  after: readonly string[],
  columns: number,
  move: Scroll | null = null,
): Changes {
  let text = move === null ? '' : scrollRows(move.top, move.bottom, move.by)
  let lines = move === null ? 0 : 2
  after.forEach((line, row) => {
    const old = before === null ? null : (before[row] ?? '')
    if (old === line) return
    lines += 1
    const width = shownWidth(line)
    // After the last column the cursor stands on it still: erasing from there would take the last character away (tmux 3.3, xterm).
    const erase = width < columns && (old === null || shownWidth(old) > width || !isSure(old))
    // Where the terminal may take fewer columns than were measured, the row is blank before: nothing of the old line may stay behind it.
    text += isSure(line)
      ? toRow(row) + line + (erase ? SEQUENCES.eraseToEnd : '')
      : toRow(row) + SEQUENCES.eraseToEnd + line
  })
  return { text, lines }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles take no room
const STYLES = /\x1b\[[\d;]*m/g

/** ASCII, and what this program draws itself: every terminal agrees on their width. On emoji and many scripts they do not. */
const SURE = /^[\x20-\x7e\u00b7\u2026\u2190-\u21ff\u2500-\u25ff]*$/

function isSure(line: string): boolean {
  return SURE.test(line.replace(STYLES, ''))
}

function shownWidth(line: string): number {
  return displayWidth(line.replace(STYLES, ''))
}

/** A few lines are one packet anyway; more of them are shown at once where the terminal can do it. */
function framed({ text, lines }: Changes): string {
  return lines > 3 ? SEQUENCES.beginFrame + text + SEQUENCES.endFrame : text
}
