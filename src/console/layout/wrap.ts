import { displayWidth, headWithin } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'

/** Columns. */
const WIDEST_CHARACTER = 2

/**
 * A sentence over as many lines as it needs, broken between words; a word that is wider than a line is broken itself. `indent` stands
 * before every line but the first. Always at least one line, none wider than `width` (of 1 or more).
 */
export function wrapSentence(sentence: string, width: number, indent = ''): string[] {
  const columns = Math.max(1, width)
  // An indent must leave room for the widest character, or that one would be lost.
  const hanging = displayWidth(indent) + WIDEST_CHARACTER <= columns ? indent : ''
  const lines: string[] = []
  let line = ''
  for (const word of terminalText(sentence).split(' ')) {
    if (word === '') continue
    const prefix = line === '' ? (lines.length === 0 ? '' : hanging) : `${line} `
    if (displayWidth(prefix) + displayWidth(word) <= columns) {
      line = prefix + word
      continue
    }
    if (line !== '') lines.push(line)
    line = breakWord(word, columns, lines, hanging)
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

/** Pushes whole lines of a word that is too wide for one; returns the line that is begun. */
function breakWord(word: string, columns: number, lines: string[], indent: string): string {
  let rest = word
  for (;;) {
    const prefix = lines.length === 0 ? '' : indent
    const room = columns - displayWidth(prefix)
    if (displayWidth(rest) <= room) return prefix + rest
    // A single character may be wider than the line: it is left out then, nothing else helps.
    const head = headWithin(rest, room) || (rest.at(0) ?? '')
    if (displayWidth(head) <= room) lines.push(prefix + head)
    rest = rest.slice(head.length)
    if (rest === '') return ''
  }
}
