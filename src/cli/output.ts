import { terminalJson, terminalText } from '../text/terminal-text.js'
import { wrapLine } from './text/wrap.js'

/**
 * Where a command's words go: data to stdout, everything else to stderr. Each line is made safe for a terminal here, once for all,
 * and on a terminal it is broken at words where it is wider than that.
 */
export interface Output {
  readonly json: boolean
  /** Width of the terminal that stdout is; null: a pipe or a file, where nothing is cut. */
  readonly columns: number | null
  /** Width of the terminal that stderr is, where progress bars may be drawn; null: it is none. */
  readonly stderrColumns: number | null
  /** Somebody sits there and can answer: stdin and stderr are terminals. */
  readonly canAsk: boolean
  /** Lines of data, in text form. */
  text(lines: Iterable<string>): void
  /** A document of data; one line. */
  document(value: unknown): void
  /** One line for the operator, on stderr. */
  note(line: string): void
  /** A document was written: an error that comes now must not add a second one. */
  readonly hasDocument: boolean
  /** Nobody reads stdout any more. */
  readonly closed: boolean
  /** Why stdout could not be written (a full disk); null: it could, or its reader went away, which is its right. */
  readonly failure: string | null
  /** Resolves once everything written has left this process. */
  flushed(): Promise<void>
}

export function processOutput(json: boolean): Output {
  const { stdout, stderr, stdin } = process
  let closed = false
  let hasDocument = false
  let failure: string | null = null
  // `head` that has seen enough closes the pipe: that ends the output, not the command.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    closed = true
    if (error.code !== 'EPIPE') failure = error.code ?? 'unknown error'
  })
  stderr.on('error', () => {})
  const write = (text: string) => {
    if (!closed) stdout.write(text)
  }
  const linesOf = (line: string, width: number | null) => {
    const safe = terminalText(line)
    return width === null ? [safe] : wrapLine(safe, width)
  }
  // A terminal that does not tell its size has 0 columns.
  const widthOf = (stream: NodeJS.WriteStream) => (stream.isTTY ? stream.columns || 80 : null)
  return {
    json,
    // Looked up each time: a terminal may be resized while a status is watched.
    get columns() {
      return widthOf(stdout)
    },
    get stderrColumns() {
      return widthOf(stderr)
    },
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    text(lines) {
      let block = ''
      const width = widthOf(stdout)
      for (const line of lines) for (const part of linesOf(line, width)) block += `${part}\n`
      write(block)
    },
    document(value) {
      hasDocument = true
      write(`${terminalJson(value)}\n`)
    },
    note(line) {
      for (const part of linesOf(line, widthOf(stderr))) stderr.write(`${part}\n`)
    },
    get hasDocument() {
      return hasDocument
    },
    get closed() {
      return closed
    },
    get failure() {
      return failure
    },
    async flushed() {
      for (const stream of [stdout, stderr]) {
        if (stream.writableLength > 0 && !stream.destroyed) {
          await new Promise<void>((resolve) => {
            stream.write('', () => resolve())
          })
        }
      }
      // A write that failed at once (a file on a full disk) is told as an event one turn later.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
