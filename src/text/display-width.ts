import stringWidth from 'string-width'

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/** Columns that a terminal takes for this text (wide characters take two). */
export function displayWidth(text: string): number {
  // Most of it is ASCII, and many thousand texts are measured.
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text)
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What is one character to a reader, combining marks included: nothing may be cut inside one. */
export function graphemes(text: string): string[] {
  return PRINTABLE_ASCII.test(text) ? text.split('') : Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
}

/** The longest start of `text` that fits into `columns`. */
export function headWithin(text: string, columns: number): string {
  if (PRINTABLE_ASCII.test(text)) return text.slice(0, Math.max(0, columns))
  let used = 0
  let head = ''
  for (const character of graphemes(text)) {
    used += displayWidth(character)
    if (used > columns) break
    head += character
  }
  return head
}

/** The longest end of `text` that fits into `columns`. */
export function tailWithin(text: string, columns: number): string {
  if (PRINTABLE_ASCII.test(text)) return columns <= 0 ? '' : text.slice(-columns)
  let used = 0
  let tail = ''
  for (const character of graphemes(text).reverse()) {
    used += displayWidth(character)
    if (used > columns) break
    tail = character + tail
  }
  return tail
}
