/**
 * For terminals whose cursor stays at the end (TERM=dumb) and for screen readers, which speak what is written: the lines that were not on the
 * frame before, one after the other, as text that scrolls. Sequences in them are none but the profile's (no styles for these).
 */
export function spokenLines(before: readonly string[] | null, after: readonly string[]): string {
  const known = new Set(before ?? [])
  return after
    .filter((line) => line.trim() !== '' && !known.has(line))
    .map((line) => `${line.trimEnd()}\r\n`)
    .join('')
}

/** Nobody can listen to fifteen updates a second: data that changed by itself is told that often. ms */
export const SPOKEN_INTERVAL = 10_000
