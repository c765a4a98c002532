import { ConfigError } from './config-error.js'
import { printable } from './printable.js'

/** One setting of a properties file. `value` is as java.util.Properties gives it: not trimmed. */
export interface PropertyEntry {
  readonly key: string
  readonly value: string
  /** Where the key stands, counted from 1. */
  readonly line: number
}

export interface JavaProperties {
  /** By key; of duplicates the last one, as in Java. */
  readonly entries: ReadonlyMap<string, PropertyEntry>
  /** One line each, with file and line number: duplicates, backslashes that do not continue their line, and the like. */
  readonly warnings: readonly string[]
}

/**
 * Reads a .properties file as java.util.Properties does (measured against Java 17, see test/config/fixtures). Two things
 * are not Java's: a UTF-8 byte order mark is taken away (Java would make it part of the first key), and the file is UTF-8
 * (Kafka's tools read command configs as ISO-8859-1, so a raw non-ASCII character gets a warning).
 *
 * Written here because `properties-file` 5.0.7 differs from Java where a line holds nothing but a backslash (Java then
 * starts anew: a comment after it is a comment), and because its error on a malformed \u escape quotes the value.
 *
 * @param file name for messages
 * @param readByKafkaAs how Kafka itself reads this kind of file: command configs as ISO-8859-1, the files of a
 *   FileConfigProvider as UTF-8 (measured on 4.4.0); where that differs from here there is a warning
 * @throws ConfigError if the bytes are not UTF-8, or a \u escape is malformed; never quotes a value
 */
export function readJavaProperties(
  bytes: Uint8Array,
  file: string,
  readByKafkaAs: 'ISO-8859-1' | 'UTF-8' = 'ISO-8859-1',
): JavaProperties {
  const name = printable(file)
  const entries = new Map<string, PropertyEntry>()
  const warnings: string[] = []
  const problems: string[] = []
  const content = decodeUtf8(bytes, file)
  for (const { text, line } of logicalLines(content, name, warnings)) {
    const { rawKey, rawValue } = splitAtSeparator(text)
    const key = unescaped(rawKey)
    const value = unescaped(rawValue)
    if (key === null || value === null) {
      problems.push(`${name}:${line}: malformed \\u escape: four hexadecimal digits must follow, as in \\u00e9`)
      continue
    }
    const earlier = entries.get(key)
    if (earlier !== undefined) {
      warnings.push(
        `${name}:${line}: ${printable(key)} is set a second time (first on line ${earlier.line}); the last one counts`,
      )
    }
    entries.set(key, { key, value, line })
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const firstNonAscii = readByKafkaAs === 'UTF-8' ? -1 : content.search(/^[^#!\n\r]*[\u0080-\uffff]/m)
  if (firstNonAscii !== -1) {
    const line = content.slice(0, firstNonAscii).split(/\r\n|\r|\n/).length
    warnings.push(
      `${name}:${line}: characters beyond ASCII are read as UTF-8 here, but as ISO-8859-1 by Kafka's own tools: \\uXXXX means the same to both`,
    )
  }
  return { entries, warnings }
}

/** What Kafka's ConfigDef takes off both ends of every value (String.trim): all characters up to and including the space. */
export function javaTrim(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && value.charCodeAt(start) <= 0x20) start++
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end--
  return value.slice(start, end)
}

function decodeUtf8(bytes: Uint8Array, file: string): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  // Without a mark UTF-16 text is full of zero bytes, which no properties file has a use for.
  if (utf16 || bytes.subarray(0, 1024).includes(0)) {
    throw new ConfigError(`${printable(file)}: not UTF-8 (it looks like UTF-16): save the file as UTF-8`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ConfigError(
      `${printable(file)}: not UTF-8: save the file as UTF-8, or write characters beyond ASCII as \\uXXXX`,
    )
  }
}

interface LogicalLine {
  /** Continuations joined, leading blanks taken away, escapes as they are. */
  readonly text: string
  readonly line: number
}

/** Joins continued lines, drops blank ones and comments. Adds hints to `warnings`. */
function* logicalLines(content: string, name: string, warnings: string[]): Generator<LogicalLine> {
  const lines = content.split(/\r\n|\r|\n/)
  let index = 0
  while (index < lines.length) {
    const line = index + 1
    let text = withoutLeadingBlanks(lines[index] ?? '')
    index++
    if (text === '' || text.startsWith('#') || text.startsWith('!')) continue
    let joined = ''
    for (;;) {
      if (/(?<!\\)(?:\\\\)*\\[ \t\f]+$/.test(text)) {
        warnings.push(
          `${name}:${index}: the backslash before the blanks at the end of this line does not continue it: remove the blanks`,
        )
      }
      if (!endsInContinuation(text)) {
        joined += text
        break
      }
      joined += text.slice(0, -1)
      // Nothing gathered yet: Java starts anew with the next line, which may be a comment.
      if (joined === '' || index === lines.length) break
      text = withoutLeadingBlanks(lines[index] ?? '')
      index++
    }
    // Of a last line that is a backslash alone Java makes an entry with an empty key: no setting, left out.
    if (joined !== '') yield { text: joined, line }
  }
}

function withoutLeadingBlanks(line: string): string {
  return line.replace(/^[ \t\f]+/, '')
}

/** An odd number of backslashes at the end: the last one is not itself escaped. */
function endsInContinuation(text: string): boolean {
  let backslashes = 0
  while (text.charAt(text.length - 1 - backslashes) === '\\') backslashes++
  return backslashes % 2 === 1
}

/** The key ends at the first `=`, `:` or blank that is not escaped; blanks and at most one `=` or `:` come before the value. */
function splitAtSeparator(text: string): { rawKey: string; rawValue: string } {
  const rawKey = /^(?:\\[\s\S]|[^\\=: \t\f])*/.exec(text)?.[0] ?? ''
  const rest = text.slice(rawKey.length)
  const separator = /^[ \t\f]*(?:[=:][ \t\f]*)?/.exec(rest)?.[0] ?? ''
  return { rawKey, rawValue: rest.slice(separator.length) }
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

/** Null: a malformed \u escape. */
function unescaped(text: string): string | null {
  let malformed = false
  const result = text.replace(
    /\\(?:u([\s\S]{0,4})|([\s\S]))/g,
    (_all, hex: string | undefined, other: string | undefined) => {
      if (hex === undefined) return ESCAPES[other ?? ''] ?? other ?? ''
      if (!/^[0-9A-Fa-f]{4}$/.test(hex)) malformed = true
      return String.fromCharCode(Number.parseInt(hex, 16))
    },
  )
  return malformed ? null : result
}
