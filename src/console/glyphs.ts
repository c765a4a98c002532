import type { TerminalProfile } from './terminal/profile.js'

/** Signs that stand beside or instead of words. Each has an ASCII form that means the same; none is an emoji or wider than one column. */
export interface Glyphs {
  /** Before the row that keys act on. */
  readonly cursor: string
  /** Before the row that stands where the row under the cursor was: keys act on nothing. */
  readonly gone: string
  readonly mark: string
  readonly ellipsis: string
  readonly rule: string
  readonly vertical: string
  readonly barDone: string
  readonly barLeft: string
  /** More rows above, below. */
  readonly above: string
  readonly below: string
  readonly ok: string
  readonly failed: string
  readonly warning: string
  readonly unknown: string
}

const UNICODE: Glyphs = {
  cursor: '>',
  gone: '~',
  mark: '*',
  ellipsis: '…',
  rule: '─',
  vertical: '│',
  barDone: '█',
  barLeft: '░',
  above: '↑',
  below: '↓',
  ok: '✓',
  failed: '✗',
  warning: '!',
  unknown: '?',
}

const ASCII: Glyphs = {
  cursor: '>',
  gone: '~',
  mark: '*',
  ellipsis: '...',
  rule: '-',
  vertical: '|',
  barDone: '#',
  barLeft: '.',
  above: '^',
  below: 'v',
  ok: '+',
  failed: 'x',
  warning: '!',
  unknown: '?',
}

export function glyphsFor(profile: TerminalProfile): Glyphs {
  return profile.unicode ? UNICODE : ASCII
}
