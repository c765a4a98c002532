import { displayWidth } from '../../text/display-width.js'
import type { Token } from '../theme.js'
import { cutEnd } from './cut.js'
import { type Line, lineWidth, type Span, span, spansOf, withRight } from './line.js'
import { wrapSentence } from './wrap.js'

/** A sentence as lines, each behind the indent, all of one meaning. */
export function sentenceLines(text: string, width: number, token: Token = 'plain', indent = ' '): Line[] {
  return wrapSentence(text, width - indent.length).map((line): Line => [span(token, indent + line)])
}

/** A reason that stands by itself begins as a sentence does; keys ("c takes ...") and names stay as they are written. */
export function asSentence(reason: string): string {
  return /^(a|[a-z]{2,}) /.test(reason) ? reason.charAt(0).toUpperCase() + reason.slice(1) : reason
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

/**
 * As many whole sentences as fit into `most` lines, the weightiest first, and how many more there are: a sentence that breaks off may
 * mean something else. Where not even the first fits it is cut.
 */
export function wholeSentences(
  sentences: readonly string[],
  width: number,
  most: number,
  ellipsis: string,
  more: (left: number) => string,
  token: Token = 'plain',
): Line[] {
  const told = sentences.filter((sentence) => sentence !== '')
  for (let count = told.length; count > 0; count -= 1) {
    const left = told.length - count
    const text = [...told.slice(0, count), ...(left > 0 ? [more(left)] : [])].join(' ')
    const lines = sentenceLines(text, width, token)
    if (lines.length <= most) return lines
  }
  return sentenceWithin(told.join(' '), width, most, ellipsis, token)
}

/** What fits into one line up to the end of a clause; a single clause that is too long is cut where it must. */
export function clauseWithin(text: string, width: number, ellipsis: string): string {
  if (displayWidth(text) <= width) return text
  const ends = [...text.matchAll(/[:;,.](?= )/g)].map(({ index }) => index).filter((index) => index > 0)
  const whole = ends.map((index) => text.slice(0, index)).filter((start) => displayWidth(start) <= width)
  return whole.at(-1) ?? cutEnd(text, width, ellipsis)
}

/** A heading with something at the right end of its first line; the heading is wrapped, never cut. */
export function headingLines(text: string, right: Line, width: number, token: Token = 'title'): Line[] {
  const rightWidth = lineWidth(right)
  const [first = '', ...more] = wrapSentence(text, width - 2 - (rightWidth === 0 ? 0 : rightWidth + 1))
  return [
    withRight([' ', span(token, first)], rightWidth === 0 ? '' : [...spansOf(right), ' '], width, ''),
    ...more.map((line): Line => [' ', span(token, line)]),
  ]
}

/** Facts behind one another, the next line begun between two of them; one that is wider than a line is wrapped by itself. */
export function factLines(facts: readonly Span[], width: number, between = '; '): Line[] {
  const lines: Line[] = []
  let line: Span[] = []
  facts.forEach((fact, index) => {
    // What goes on in the next line says so at its end.
    const mark = index === facts.length - 1 ? '' : between.trimEnd()
    const next = line.length === 0 ? [' ', fact] : [...line, between, fact]
    if (lineWidth(next) + mark.length <= width) {
      line = next
      return
    }
    if (line.length > 0) lines.push([...line, between.trimEnd()])
    const [text, token] = typeof fact === 'string' ? [fact, 'plain' as const] : [fact.text, fact.token]
    const parts = sentenceLines(text, width - mark.length, token).map(spansOf)
    line = [...(parts.pop() ?? [])]
    lines.push(...parts)
  })
  return line.length === 0 ? lines : [...lines, line]
}
