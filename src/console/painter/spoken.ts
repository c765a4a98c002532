/**
 * For terminals whose cursor stays at the end (TERM=dumb) and for screen readers, which speak what is written: the lines that were not on the
 * frame before, one after the other, as text that scrolls. Sequences in them are none but the profile's (no styles for these).
 */
export function spokenLines(before: readonly string[] | null, after: readonly string[]): string {
  const known = new Set((before ?? []).flatMap((line) => [line, withoutCursor(line)]))
  return after
    .filter((line) => !DRAWN_ONLY.test(line) && !known.has(line))
    .map((line) => `${line.trimEnd()}\r\n`)
    .join('')
}

/** Blank, or a rule between two parts. */
const DRAWN_ONLY = /^[\s\u2500-]*$/

/** The row that the cursor left is the same row: only the one that it came to is told. */
function withoutCursor(line: string): string {
  return line.replace(/^( ?)>/, '$1 ')
}

/** Nobody can listen to fifteen updates a second: data that changed by itself is told that often. ms */
export const SPOKEN_INTERVAL = 10_000
