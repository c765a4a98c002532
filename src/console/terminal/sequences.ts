/** What this program says to a terminal, all of it. xterm's names (ctlseqs); every one is understood or ignored by tmux and screen. */
export const SEQUENCES = {
  /** Alternate screen with the cursor's place kept, no cursor, no wrapping at the right edge, bracketed paste, an empty screen. */
  enter: '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J',
  /** Once more where that was done already, and something may have been taken back meanwhile: without the cursor's place, which is kept since the first time. */
  enterAgain: '\x1b[?1047h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[2J',
  /** Ends a sequence that may be half written (CAN), and takes everything back, in the opposite order. */
  leave: '\x18\x1b[?2026l\x1b[0m\x1b[r\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l',
  /** The same for a terminal that only shows lines: bracketed paste alone was switched on. */
  enterLines: '\x1b[?2004h',
  leaveLines: '\x1b[?2004l',
  /** Synchronized output: what stands between them shows at once. Terminals that do not know it ignore it (tmux before 3.4, too). */
  beginFrame: '\x1b[?2026h',
  endFrame: '\x1b[?2026l',
  eraseToEnd: '\x1b[K',
  resetStyle: '\x1b[0m',
} as const

/** The cursor to the first column of a row; rows count from 0. */
export function toRow(row: number): string {
  return `\x1b[${row + 1}H`
}

/** Moves the rows `top` to `bottom` (from 0, both included) up by `by` rows, down if it is negative; the free rows are blank. */
export function scrollRows(top: number, bottom: number, by: number): string {
  const move = by > 0 ? `\x1b[${by}S` : `\x1b[${-by}T`
  return `\x1b[${top + 1};${bottom + 1}r${move}\x1b[r`
}
