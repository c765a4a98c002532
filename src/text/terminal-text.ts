/**
 * What a terminal would act on instead of showing it: C0 and C1 controls, DEL, Unicode's direction marks and overrides, zero-width
 * and line-separating characters, and halves of surrogate pairs. Topic names, error texts and paths come from outside.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what this is for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * A mark with no letter before it: a terminal would put it on whatever stands there, the blank of another column, and the width
 * measured of the text alone is not the width that it takes. What extends a grapheme after a blank is told by Unicode's
 * Grapheme_Cluster_Break: Extend (emoji modifiers among them) and SpacingMark (marks, and the two AM vowels).
 */
const MARK_ALONE = /(?<![^ ])[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u0e33\u0eb3]/gu

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

/** Text that is safe to show in one line of a terminal: each unsafe character as `\x1b`, `\u202e` or `\u{1f3fb}`. Idempotent. */
export function terminalText(text: string): string {
  // Most of it is.
  return PRINTABLE_ASCII.test(text) ? text : text.replace(UNSAFE, escaped).replace(MARK_ALONE, escaped)
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

/** JSON text in which every such character is escaped as JSON does; it means the same. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => `\\u${hex(character.charCodeAt(0), 4)}`)
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
