import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { displayWidth } from '../text/display-width.js'
import type { ConnectionOptions } from './options/connection.js'

/** Commands that can be copied as they stand: started as this program was, and connected as it is. Never a secret: none is in an option. */

/**
 * The words by which this process was started, for the program of that name beside it. From `argv[1]`: a link in a folder of
 * $PATH goes by its name, a script of a checkout by `node` and its path.
 */
export function startedAs(
  program: string,
  script: string | undefined = process.argv[1],
  { cwd = process.cwd(), path = process.env.PATH ?? '' } = {},
): string[] {
  if (script === undefined) return [program]
  if (!script.endsWith('.js')) {
    if (path.split(':').includes(dirname(script))) return [program]
    return [shortPath(join(dirname(script), program), cwd)]
  }
  return ['node', shortPath(join(dirname(script), `${program}.js`), cwd)]
}

function shortPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  if (isAbsolute(inside) || inside.startsWith('..') || inside === '') return path
  return inside.includes(sep) ? inside : `.${sep}${basename(inside)}`
}

/** The options that connect as this command did. Without --read-only, under which the next step may be refused. */
export function connectionWords(options: ConnectionOptions): string[] {
  const { bootstrapServer, commandConfig, profile, brokerEndpoint = [], requestTimeoutMs } = options
  return [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(bootstrapServer === undefined ? [] : ['--bootstrap-server', bootstrapServer]),
    ...(commandConfig === undefined ? [] : ['--command-config', commandConfig]),
    ...brokerEndpoint.flatMap((endpoint) => ['--broker-endpoint', endpoint]),
    ...(requestTimeoutMs === undefined ? [] : ['--request-timeout-ms', String(requestTimeoutMs)]),
  ]
}

/** A whole command, as lines: indented, quoted for a shell, continued with a backslash where it is wider than the terminal. */
export function commandLines(words: readonly string[], width: number | null): string[] {
  const lines: string[] = []
  let current = ' '
  for (const [index, word] of words.map(quoted).entries()) {
    const last = index === words.length - 1
    if (width !== null && current.trim() !== '' && displayWidth(`${current} ${word}${last ? '' : ' \\'}`) > width) {
      lines.push(`${current} \\`)
      current = '   '
    }
    current += ` ${word}`
  }
  return [...lines, current]
}

function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** What to do next: why, and the command that does it. */
export interface NextStep {
  readonly why: string
  /** Command and options; the connection is added. Empty: nothing to run. */
  readonly words: readonly string[]
}

/** `next: why:` and below it the command as it stands. */
export function nextLines(connection: ConnectionOptions, { why, words }: NextStep, width: number | null): string[] {
  if (words.length === 0) return [`next: ${why}`]
  return [`next: ${why}:`, ...runLines(connection, words, width)]
}

/** A kafka-recovery command on this cluster, as it stands. */
export function runLines(connection: ConnectionOptions, words: readonly string[], width: number | null): string[] {
  return commandLines([...startedAs('kafka-recovery'), ...words, ...connectionWords(connection)], width)
}
