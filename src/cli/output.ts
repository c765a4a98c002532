import { terminalJson, terminalText } from '../text/terminal-text.js'

/** Where a command's words go: data to stdout, everything else to stderr. Each line is made safe for a terminal here, once for all. */
export interface Output {
  readonly json: boolean
  /** Width of the terminal that stdout is; null: a pipe or a file, where nothing is cut. */
  readonly columns: number | null
  /** stderr is a terminal: progress bars may be drawn. */
  readonly stderrIsTerminal: boolean
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
  return {
    json,
    columns: stdout.isTTY ? stdout.columns : null,
    stderrIsTerminal: stderr.isTTY === true,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    text(lines) {
      let block = ''
      for (const line of lines) block += `${terminalText(line)}\n`
      write(block)
    },
    document(value) {
      hasDocument = true
      write(`${terminalJson(value)}\n`)
    },
    note(line) {
      stderr.write(`${terminalText(line)}\n`)
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
