import { SEQUENCES, scrollRows, toRow } from '../terminal/sequences.js'
import { findScroll, type Scroll, scrolled } from './scroll.js'

/**
 * The bytes that turn the screen `before` into `after` (arrays of as many lines as the screen has rows): only lines that differ, each as cursor
 * address, line, erase to end of line. Where a block of lines only moved, the terminal moves it, if that is shorter. Empty: nothing differs.
 * `before` null: what stands there is not known, all lines are written.
 */
export function updateBytes(before: readonly string[] | null, after: readonly string[]): string {
  if (before === null)
    return framed(
      changedLines(
        after.map(() => null),
        after,
      ),
    )
  const plain = changedLines(before, after)
  if (plain.lines < 4) return framed(plain)
  const move = findScroll(before, after)
  if (move === null) return framed(plain)
  const moved = changedLines(scrolled(before, move), after, move)
  return framed(moved.text.length < plain.text.length ? moved : plain)
}

interface Changes {
  readonly text: string
  readonly lines: number
}

function changedLines(
  before: readonly (string | null)[],
  after: readonly string[],
  move: Scroll | null = null,
): Changes {
  let text = move === null ? '' : scrollRows(move.top, move.bottom, move.by)
  let lines = move === null ? 0 : 2
  after.forEach((line, row) => {
    if (before[row] === line) return
    lines += 1
    text += toRow(row) + line + SEQUENCES.eraseToEnd
  })
  return { text, lines }
}

/** A few lines are one packet anyway; more of them are shown at once where the terminal can do it. */
function framed({ text, lines }: Changes): string {
  return lines > 3 ? SEQUENCES.beginFrame + text + SEQUENCES.endFrame : text
}
