import type { Token } from '../theme.js'
import { cutEnd } from './cut.js'
import { type Line, lineWidth, type Span, span } from './line.js'
import { wrapSentence } from './wrap.js'

/** A sentence as lines, each behind the indent, all of one meaning. */
export function sentenceLines(text: string, width: number, token: Token = 'plain', indent = ' '): Line[] {
  return wrapSentence(text, width - indent.length).map((line): Line => [span(token, indent + line)])
}

/** At most `most` lines of it; the last is marked where more would follow. */
export function sentenceWithin(
  text: string,
  width: number,
  most: number,
  ellipsis: string,
  token: Token = 'plain',
): Line[] {
  const lines = wrapSentence(text, width - 1)
  return lines.slice(0, most).map((line, index): Line => {
    const cut = index === most - 1 && lines.length > most
    return [span(token, ` ${cut ? cutEnd(`${line} ${lines[most] ?? ''}`, width - 1, ellipsis) : line}`)]
  })
}

/** The line of the row under the cursor: laid over to the right edge, so that it can be followed on a wide screen. */
export function cursorLine(parts: readonly Span[], width: number): Line {
  const blanks = ' '.repeat(Math.max(0, width - lineWidth(parts)))
  return [...parts, blanks].map((part) => span('selected', typeof part === 'string' ? part : part.text))
}
