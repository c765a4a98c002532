import { ConfigError } from './config-error.js'
import { printable } from './printable.js'

/** What only a shell would act on; none runs. Quotes and backslashes, too: words with spaces are given as a list. */
const SHELL_ONLY = /[|&;<>()$`"'\\*?#~]/

/**
 * A command for a broker's host, as given on the command line: words with spaces between them, or a JSON list of words where one has a
 * space or another character of a shell's. No shell ever sees it.
 * @throws ConfigError one line, without the command: it may hold a secret by mistake
 */
export function parseRepairCommand(text: string, option: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return wordsOfList(trimmed, option)
  if (trimmed === '')
    throw new ConfigError(`${option}: a command is expected, for instance ssh {host} systemctl stop kafka`)
  const [character] = SHELL_ONLY.exec(trimmed) ?? []
  if (character !== undefined) {
    throw new ConfigError(
      `${option}: no shell runs it, so ${printable(character)} would be taken as it stands; give the words as a JSON list: ["ssh","{host}","..."]`,
    )
  }
  return trimmed.split(/\s+/)
}

function wordsOfList(text: string, option: string): string[] {
  let words: unknown
  try {
    words = JSON.parse(text)
  } catch {
    throw new ConfigError(`${option}: not a JSON list of words: ["ssh","{host}","..."] is expected`)
  }
  if (isWords(words) && words.length > 0 && words[0] !== '') return words
  throw new ConfigError(`${option}: a list of one or more words is expected, all of them strings, the program first`)
}

/** Of a file that nothing is known of yet. */
export function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}

const SECRET_WORD = '(?:pass(?:word|wd|phrase)?|pwd|secret|token|api-?key|access-?key|credentials?)'
/** `--password=x`, `DB_PASSWORD=x`, `password: x` */
const SECRET_VALUE = new RegExp(`(${SECRET_WORD}["']?\\s*[=:]\\s*)(.+)$`, 'is')
/** `--password`, `-pass`: the next word is its value. */
const SECRET_FLAG = new RegExp(`^-{1,2}(?:[\\w-]*[-_])?${SECRET_WORD}$`, 'i')
/** `https://user:password@host` */
const URL_LOGIN = /(\w:\/\/[^/\s:@]*:)([^/\s@]+)(@)/g
/** No word of a language, and no path: what keys and tokens look like. */
const RANDOM_LOOKING = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+=-]{24,}$/

/** Whether a word of it looks like a secret: then it is not saved. */
export function holdsSecret(argv: readonly string[]): boolean {
  return argv.some((word, at) => maskedWord(word, argv[at - 1]) !== word && !RANDOM_LOOKING.test(word))
}

/** The command as it may be shown: whatever looks like a secret is not. Wider than what saving refuses. */
export function maskedCommand(argv: readonly string[]): string[] {
  return argv.map((word, at) => maskedWord(word, argv[at - 1]))
}

const HIDDEN = '[hidden]'

function maskedWord(word: string, before: string | undefined): string {
  if (before !== undefined && SECRET_FLAG.test(before)) return HIDDEN
  if (RANDOM_LOOKING.test(word)) return HIDDEN
  return word.replace(SECRET_VALUE, `$1${HIDDEN}`).replace(URL_LOGIN, `$1${HIDDEN}$3`)
}
