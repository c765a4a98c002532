/**
 * One token as java.io.StreamTokenizer gives them, set up as Kafka's JaasConfig does: words and quoted strings have a text,
 * numbers and other single characters have none (`sval` is null there, which is how Kafka refuses them as values).
 */
export type JaasToken =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'quoted'; readonly text: string; readonly terminated: boolean }
  | { readonly kind: 'number' }
  | { readonly kind: 'character'; readonly character: string }

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\u000b',
}

/**
 * Splits a JAAS text into tokens, by the rules of java.io.StreamTokenizer (Java 17) with slash-slash and slash-star
 * comments, and `-`, `_`, `$` as word characters. Its oddities are kept, for instance: a lone `/` starts a comment to the
 * end of the line; a word that starts with a digit, `.` or `-` is a number; a line end closes a quoted string.
 */
export function tokenizeJaas(text: string): JaasToken[] {
  const tokens: JaasToken[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (character <= ' ') at++
    else if (character === '/') at = afterComment(text, at)
    else if (character === '"' || character === "'") {
      const { token, end } = quotedString(text, at)
      tokens.push(token)
      at = end
    } else if (/[0-9.-]/.test(character)) {
      const number = /^-?(?:[0-9]*\.?[0-9]*)/.exec(text.slice(at))?.[0] ?? ''
      // A minus with neither digit nor dot after it is just a character.
      tokens.push(number === '-' ? { kind: 'character', character } : { kind: 'number' })
      at += number.length
    } else if (isWordStart(character)) {
      const start = at
      while (at < text.length && (isWordStart(text.charAt(at)) || /[0-9.-]/.test(text.charAt(at)))) at++
      tokens.push({ kind: 'word', text: text.slice(start, at) })
    } else {
      tokens.push({ kind: 'character', character })
      at++
    }
  }
  return tokens
}

/** Letters, `_`, `$`, and everything from U+00A0 on; U+007F to U+009F are plain characters. */
function isWordStart(character: string): boolean {
  return /[A-Za-z_$\u00a0-\uffff]/.test(character)
}

function afterComment(text: string, slash: number): number {
  if (text.charAt(slash + 1) === '*') {
    // The search starts behind the star: `/*/` does not close itself.
    const close = text.indexOf('*/', slash + 2)
    return close === -1 ? text.length : close + 2
  }
  let end = slash + 1
  while (end < text.length && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end++
  return end
}

function quotedString(text: string, start: number): { token: JaasToken; end: number } {
  const quote = text.charAt(start)
  let result = ''
  let at = start + 1
  for (;;) {
    const character = text.charAt(at)
    if (at >= text.length || character === '\n' || character === '\r') {
      return { token: { kind: 'quoted', text: result, terminated: false }, end: at }
    }
    if (character === quote) return { token: { kind: 'quoted', text: result, terminated: true }, end: at + 1 }
    if (character !== '\\') {
      result += character
      at++
      continue
    }
    // \377 is the highest: a third octal digit counts only after a first one of 0 to 3.
    const octal = /^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/.exec(text.slice(at + 1, at + 4))?.[0]
    if (octal !== undefined) {
      result += String.fromCharCode(Number.parseInt(octal, 8))
      at += 1 + octal.length
      continue
    }
    const escaped = text.charAt(at + 1)
    // A backslash as the very last character: Java reads its end-of-input mark as a character.
    result += escaped === '' ? '\uffff' : (ESCAPES[escaped] ?? escaped)
    at += 2
  }
}
