import { findNodeAtLocation, type JSONPath, parseTree, printParseErrorCode, visit } from 'jsonc-parser'
import { InputFileError } from './input-file-error.js'

/** Deeper than any file that is meant: guards the recursive parsers below. */
const MAX_DEPTH = 64

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const

/** A JSON text that was read: its value, and where things stand in it. */
export interface JsonDocument {
  readonly file: string
  readonly value: unknown
  /** True for a number that is not written as a plain integer: `0.5`, and `1.0` or `1e2` too, which would pass as one. */
  isWrittenAsFraction(path: JSONPath): boolean
  /** An error about the value at `path`, with file, line, column and JSON path. */
  errorAt(path: JSONPath, what: string): InputFileError
  /** `line 3, column 7`, for messages that name a second place. */
  place(path: JSONPath): string
}

/**
 * Reads strict JSON (RFC 8259) from a file's bytes. A UTF-8 byte order mark is fine. Refused, by name: UTF-16, bytes that are
 * not UTF-8, an empty file, comments, trailing commas, duplicate keys, absurd nesting. Values come from JSON.parse, places
 * from jsonc-parser and only once an error needs them: a plan of 20,000 partitions is not kept as a tree of nodes.
 */
export function readStrictJson(bytes: Uint8Array, file: string): JsonDocument {
  const text = decodeUtf8(bytes, file)
  if (text.trim() === '') throw new InputFileError(`${file}: the file is empty, JSON is expected`)
  const fractions = checkSyntax(text, file)
  return {
    file,
    value: parseChecked(text, file),
    isWrittenAsFraction: (path) => fractions.has(JSON.stringify(path)),
    errorAt: (path, what) =>
      new InputFileError(`${file}: ${place(text, path)}${path.length > 0 ? ` (${pathText(path)})` : ''}: ${what}`),
    place: (path) => place(text, path),
  }
}

/** `partitions[1].topic`; a key that is not a plain word stands in brackets and quotes. */
export function pathText(path: JSONPath): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (/^[A-Za-z_]\w*$/.test(segment)) text += text === '' ? segment : `.${segment}`
    else text += `[${JSON.stringify(segment)}]`
  }
  return text
}

/** `a string`, `3.5`, `null`: a value in a message, never more of it than helps. */
export function valueText(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') {
    const shown = JSON.stringify(value)
    return shown.length > 60 ? `a string of ${value.length} characters` : `the string ${shown}`
  }
  if (Object.is(value, -0)) return '-0'
  return value === undefined ? 'nothing' : String(value)
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text file as this program takes it. UTF-16 and whatever else is not UTF-8: InputFileError. A byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  // A byte order mark, or every other byte 0 at the start: JSON begins with two ASCII characters (RFC 4627, section 3).
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
    throw new InputFileError(`${file}: the file is UTF-16 (or UTF-32), save it as UTF-8`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new InputFileError(`${file}: the file is not UTF-8 text, save it as UTF-8`)
  }
}

/** Throws at the first fault. Returns the paths (as JSON) of numbers that are not plain integers. */
function checkSyntax(text: string, file: string): ReadonlySet<string> {
  const fractions = new Set<string>()
  const keysOfOpenObjects: Map<string, string>[] = []
  let depth = 0
  const fail = (line: number, character: number, what: string): never => {
    throw new InputFileError(`${file}: line ${line + 1}, column ${character + 1}: ${what}`)
  }
  const enter = (line: number, character: number) => {
    depth += 1
    if (depth > MAX_DEPTH) fail(line, character, `nested deeper than ${MAX_DEPTH} levels`)
  }
  visit(
    text,
    {
      onObjectBegin(_offset, _length, line, character) {
        enter(line, character)
        keysOfOpenObjects.push(new Map())
      },
      onObjectEnd() {
        depth -= 1
        keysOfOpenObjects.pop()
      },
      onArrayBegin: (_offset, _length, line, character) => enter(line, character),
      onArrayEnd() {
        depth -= 1
      },
      onObjectProperty(key, _offset, _length, line, character) {
        const keys = keysOfOpenObjects.at(-1)
        const before = keys?.get(key)
        if (before !== undefined) fail(line, character, `the key ${JSON.stringify(key)} was already given at ${before}`)
        keys?.set(key, `line ${line + 1}, column ${character + 1}`)
      },
      onLiteralValue(value, offset, length, _line, _character, path) {
        if (typeof value === 'number' && !/^-?\d+$/.test(text.slice(offset, offset + length))) {
          fractions.add(JSON.stringify(path()))
        }
      },
      onError: (code, _offset, _length, line, character) =>
        fail(line, character, `not JSON: ${SYNTAX_FAULTS[printParseErrorCode(code)] ?? 'not understood'}`),
    },
    STRICT,
  )
  return fractions
}

const SYNTAX_FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value, a bracket or a quoted name is expected here',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes is expected here (no comma before a closing brace)',
  ValueExpected: 'a value is expected here (no comma before a closing bracket)',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: 'the text ends here, a closing brace } is missing',
  CloseBracketExpected: 'the text ends here, a closing bracket ] is missing',
  EndOfFileExpected: 'the text should have ended here',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'this string has no closing quote',
  UnexpectedEndOfNumber: 'this number is not complete',
  InvalidUnicode: 'a \\u in this string is not followed by four hexadecimal digits',
  InvalidEscapeCharacter: 'a backslash in this string is followed by a character that JSON does not escape',
  InvalidCharacter: 'this string holds a control character that has to be escaped',
}

function parseChecked(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Only where jsonc-parser is more lenient than JSON; the engine's own message would repeat the file's text.
    throw new InputFileError(`${file}: not JSON`)
  }
}

/** Line and column of the value at `path`, or of the nearest thing around it that is there. Columns count UTF-16 units, from 1. */
function place(text: string, path: JSONPath): string {
  const root = parseTree(text, [], STRICT)
  let offset = 0
  for (let length = path.length; root !== undefined && length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length))
    if (node !== undefined) {
      offset = node.offset
      break
    }
  }
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
