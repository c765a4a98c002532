/**
 * What a terminal would act on instead of showing it: C0 and C1 controls, DEL, Unicode's direction marks and overrides, zero-width
 * and line-separating characters, and halves of surrogate pairs. Topic names, error texts and paths come from outside.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what this is for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text that is safe to show in one line of a terminal: each unsafe character as `\x1b` or `\u202e`. Idempotent. */
export function terminalText(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
  })
}

/** JSON text in which every such character is escaped as JSON does; it means the same. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => `\\u${hex(character.charCodeAt(0), 4)}`)
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
