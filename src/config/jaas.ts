import { Secret } from './secret.js'
import { type JaasToken, tokenizeJaas } from './stream-tokenizer.js'

/** The one login module of a sasl.jaas.config. */
export interface JaasEntry {
  /** Class name. */
  readonly loginModule: string
  /** Values are secrets as long as nobody knows which of them are. */
  readonly options: ReadonlyMap<string, Secret>
}

export type JaasResult =
  | { readonly ok: true; readonly entry: JaasEntry }
  /** `cause` never quotes the text: after a lost quote any word of it may be part of a password. */
  | { readonly ok: false; readonly cause: string }

const CONTROL_FLAGS = new Set(['REQUIRED', 'REQUISITE', 'SUFFICIENT', 'OPTIONAL'])
/** Option names that may stand in a message: they are no part of anybody's password by accident. */
const NAMEABLE_OPTIONS = new Set([
  'username',
  'password',
  'clientId',
  'clientSecret',
  'scope',
  'tokenauth',
  'serviceName',
])

/**
 * Reads a sasl.jaas.config (`LoginModule required key="value" ...;`) as Kafka's JaasContext and JaasConfig do: what they
 * take is taken with the same result, what they refuse is refused (measured on 4.4.0, see test/config/fixtures).
 */
export function parseJaasConfig(text: string): JaasResult {
  const tokens = tokenizeJaas(text)
  const refuse = (cause: string): JaasResult => ({ ok: false, cause: `${cause}${quotingHint(tokens)}` })
  let entry: JaasEntry | null = null
  let at = 0
  while (at < tokens.length) {
    if (entry !== null) return refuse('one login module is expected, there is more text after the first ";"')
    const loginModule = textOf(tokens[at])
    const flag = textOf(tokens[at + 1])
    if (tokens[at + 1] === undefined) return refuse('the control flag ("required") after the login module is missing')
    if (flag === null || !CONTROL_FLAGS.has(flag.toUpperCase())) {
      return refuse('after the login module one of required, requisite, sufficient, optional has to stand')
    }
    at += 2
    const options = new Map<string, Secret>()
    while (at < tokens.length && !isCharacter(tokens[at], ';')) {
      const key = textOf(tokens[at])
      const value = textOf(tokens[at + 2])
      if (!isCharacter(tokens[at + 1], '=') || value === null) return refuse(valueMissing(key))
      // Kafka, too, takes an option whose name is no word, and never looks at it again.
      if (key !== null) options.set(key, new Secret(value))
      at += 3
    }
    if (at >= tokens.length) return refuse('it has to end with ";"')
    at++
    if (loginModule === null || loginModule === '') return refuse('it has to begin with the class of a login module')
    entry = { loginModule, options }
  }
  return entry === null ? { ok: false, cause: 'it names no login module' } : { ok: true, entry }
}

function valueMissing(key: string | null): string {
  const option = key !== null && NAMEABLE_OPTIONS.has(key) ? `option ${key}` : 'an option'
  return `${option} has no value that can be read`
}

/** What most often went wrong, told from the shape of the text alone. */
function quotingHint(tokens: readonly JaasToken[]): string {
  if (tokens.some((token) => token.kind === 'quoted' && !token.terminated)) {
    return '; a quote is not closed: write a quote inside a value as \\\\" in a properties file (\\" elsewhere), and keep line ends out of values'
  }
  return '; quote the value (key="value"): without quotes only letters, digits, "_", "-", "." and "$" are taken, and no digit at the start'
}

/** Null for numbers and other characters, as StreamTokenizer.sval is. */
function textOf(token: JaasToken | undefined): string | null {
  return token?.kind === 'word' || token?.kind === 'quoted' ? token.text : null
}

function isCharacter(token: JaasToken | undefined, character: string): boolean {
  return token?.kind === 'character' && token.character === character
}
