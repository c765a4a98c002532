/** Longer values are cut: a message is one line of a terminal, not a copy of the file. Characters. */
const SHOWN_LENGTH = 80

/**
 * Text from a file or an option, safe for a terminal and for one line of a log: control characters, line separators and
 * marks that reorder text are written as \uXXXX, and long text is cut. Not for secrets: those are never shown at all.
 */
export function printable(text: string, maxLength: number = SHOWN_LENGTH): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return cut.replace(
    // Control and format characters, lone surrogates, line and paragraph separators.
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
