import { displayWidth } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'
import type { Theme, Token } from '../theme.js'
import { cutEnd } from './cut.js'

/** A piece of a line: plain text, or text with a meaning that the theme gives a look to. */
export type Span = string | { readonly text: string; readonly token: Token }

/**
 * One line of a screen, before it is styled. Screens make these, never escape sequences: those come from the theme alone, and whatever is in
 * the text is escaped when the line is drawn.
 */
export type Line = string | readonly Span[]

/** A span with a meaning. */
export function span(token: Token, text: string): Span {
  return { text, token }
}

/** Columns that the line takes. */
export function lineWidth(line: Line): number {
  return spansOf(line).reduce((sum, part) => sum + displayWidth(terminalText(textOf(part))), 0)
}

/** The text alone, for screen readers, copies and tests. */
export function plainText(line: Line): string {
  return spansOf(line).map(textOf).join('')
}

/** Two lines as one: `right` ends at `width`, `left` is cut where there is no room for both. */
export function withRight(left: Line, right: Line, width: number, ellipsis: string): Line {
  const rightWidth = lineWidth(right)
  if (rightWidth >= width) return cutLine(right, width, ellipsis)
  const kept = cutLine(left, width - rightWidth - 1, ellipsis)
  const blanks = ' '.repeat(width - rightWidth - lineWidth(kept))
  return [...spansOf(kept), blanks, ...spansOf(right)]
}

/** The line's start that fits into `width` columns, marked as cut if it was. */
export function cutLine(line: Line, width: number, ellipsis: string): Line {
  const room = Math.max(0, width)
  let left = room
  const kept: Span[] = []
  const parts = spansOf(line)
  for (const [index, part] of parts.entries()) {
    const text = terminalText(textOf(part))
    const rest = parts.slice(index + 1)
    const cut = cutEnd(text, left, ellipsis)
    if (cut !== text) return [...kept, withText(part, cut)]
    left -= displayWidth(text)
    if (left === 0 && lineWidth(rest) > 0) {
      // It fits to the last column, but more follows: the mark takes the place of its end.
      return [...kept, withText(part, headMarked(text, ellipsis))]
    }
    // As it was measured: what stands at its start is escaped as such, though a piece comes before it.
    kept.push(withText(part, text))
  }
  return kept
}

/** The line as the terminal gets it: escaped, cut to `width`, with the theme's sequences. `over` is laid over the whole line (a selected row). */
export function drawLine(line: Line, width: number, theme: Theme, over: Token = 'plain'): string {
  const drawn = joined(spansOf(cutLine(line, width, theme.ellipsis)))
    .map((part) => (typeof part === 'string' ? terminalText(part) : theme.style(part.token, terminalText(part.text))))
    .join('')
  return over === 'plain' ? drawn : theme.style(over, drawn)
}

/** Neighbours of one meaning as one piece: each piece costs its sequences. */
function joined(parts: readonly Span[]): readonly Span[] {
  const pieces: Span[] = []
  for (const part of parts) {
    const last = pieces.at(-1)
    if (last !== undefined && tokenOf(last) === tokenOf(part))
      pieces[pieces.length - 1] = withText(last, textOf(last) + textOf(part))
    else pieces.push(part)
  }
  return pieces
}

function tokenOf(part: Span): Token {
  return typeof part === 'string' ? 'plain' : part.token
}

function headMarked(text: string, ellipsis: string): string {
  const width = displayWidth(text)
  return cutEnd(`${text}${'.'.repeat(displayWidth(ellipsis) + 1)}`, width, ellipsis)
}

/** The pieces of a line. */
export function spansOf(line: Line): readonly Span[] {
  return typeof line === 'string' ? [line] : line
}

function textOf(part: Span): string {
  return typeof part === 'string' ? part : part.text
}

function withText(part: Span, text: string): Span {
  return typeof part === 'string' ? text : { text, token: part.token }
}
