import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import * as pty from '@lydell/node-pty'
import { type ScreenCell, screenCells } from './screen-cells.js'

// The package is CommonJS without a default that both Node and bundlers agree on.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless')

/** What a program started in a pty is asked for and told. Everything waits for what the screen shows, nothing for time. */
export interface ScreenProgram {
  readonly pid: number
  /** Bytes that the program wrote so far. */
  readonly bytes: number
  /** Everything that it wrote, as text. */
  readonly raw: string
  /** The rows of the screen as they stand, without blanks at their ends. */
  lines(): string[]
  text(): string
  /** The same with colours and attributes: what a picture is made from. */
  cells(): ScreenCell[][]
  /** Bytes to its stdin: keys, as a terminal sends them. Nobody gets them once it has ended. */
  send(keys: string): void
  /** As a terminal pastes with bracketed paste on. */
  paste(text: string): void
  resize(columns: number, rows: number): void
  signal(signal: NodeJS.Signals): void
  /** Stops reading what the program writes, as a line that hangs does. */
  stall(stalled: boolean): void
  /** Until the screen holds the text, or the predicate is true of its lines; fails with the screen in the message. */
  waitFor(what: string | RegExp | ((lines: string[]) => boolean), limitMs?: number): Promise<string[]>
  readonly state: TerminalState
  /** Exit code and signal, when it has ended and all of its output is on the screen. */
  readonly exited: Promise<{ readonly code: number; readonly signal: number }>
  /** Ends it if it runs. */
  dispose(): Promise<void>
}

/** What the program left switched on. */
export interface TerminalState {
  readonly alternateScreen: boolean
  readonly cursorVisible: boolean
  readonly bracketedPaste: boolean
  readonly wraparound: boolean
  /** From the pty itself: stty's `icanon` and `echo`; null once the pty is gone. */
  readonly cooked: boolean | null
}

export interface ProgramOptions {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Of a wait, in ms: another load may share the cores. */
const LIMIT = 60_000

/** Starts a program in a pty of that size (80x24), in an environment of its own: nothing of the outer one but PATH and HOME. */
export function startProgram(file: string, args: readonly string[], options: ProgramOptions = {}): ScreenProgram {
  const { columns = 80, rows = 24, env = {}, cwd = process.cwd() } = options
  const process_ = pty.spawn(file, [...args], {
    // node-pty makes TERM of it.
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LANG: 'C.UTF-8',
      ...env,
    },
    encoding: null,
  })
  readToTheEnd(process_)
  const screen = new Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true })
  const chunks: Buffer[] = []
  let bytes = 0
  let cursorVisible = true
  let wake: (() => void)[] = []
  /** While a frame is being drawn: what the screen showed before it. */
  let shownFrame: string[] | null = null
  screen.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (parameters) => {
    if (parameters.includes(25)) cursorVisible = true
    // A frame begins (synchronized output): until its end a person sees the one before, and so does a test.
    if (parameters.includes(2026)) shownFrame ??= linesNow()
    return false
  })
  screen.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (parameters) => {
    if (parameters.includes(25)) cursorVisible = false
    if (parameters.includes(2026)) shownFrame = null
    return false
  })
  let parsed: Promise<void> = Promise.resolve()
  // With encoding null node-pty hands out buffers, whatever its types say.
  process_.onData((data: string | Buffer) => {
    const chunk = Buffer.from(data as Buffer)
    chunks.push(chunk)
    bytes += chunk.length
    parsed = new Promise((resolve) => screen.write(chunk, resolve))
    parsed.then(() => {
      const waiting = wake
      wake = []
      for (const go of waiting) go()
    })
  })
  let running = true
  const exited = new Promise<{ code: number; signal: number }>((resolve) => {
    process_.onExit(async ({ exitCode, signal }) => {
      running = false
      await parsed
      for (const go of wake) go()
      resolve({ code: exitCode, signal: signal ?? 0 })
    })
  })

  const lines = () => shownFrame ?? linesNow()
  function linesNow(): string[] {
    const buffer = screen.buffer.active
    return Array.from({ length: screen.rows }, (_, row) =>
      // A line keeps what it held beyond the edge when the screen gets narrower.
      (buffer.getLine(buffer.baseY + row)?.translateToString(true, 0, screen.cols) ?? '').trimEnd(),
    )
  }

  const send = (keys: string) => {
    const { readableEnded, destroyed } = socketOf(process_)
    if (!readableEnded && !destroyed) process_.write(keys)
  }
  const holds = (what: string | RegExp | ((lines: string[]) => boolean)) => {
    const now = lines()
    if (typeof what === 'function') return what(now)
    const text = now.join('\n')
    return typeof what === 'string' ? text.includes(what) : what.test(text)
  }

  return {
    pid: process_.pid,
    get bytes() {
      return bytes
    },
    get raw() {
      return Buffer.concat(chunks).toString()
    },
    lines,
    text: () => lines().join('\n'),
    cells: () => screenCells(screen),
    send,
    paste: (text) => send(`\x1b[200~${text}\x1b[201~`),
    resize(nextColumns, nextRows) {
      screen.resize(nextColumns, nextRows)
      process_.resize(nextColumns, nextRows)
    },
    signal: (signal) => process.kill(process_.pid, signal),
    stall: (stalled) => (stalled ? process_.pause() : process_.resume()),
    async waitFor(what, limitMs = LIMIT) {
      const end = performance.now() + limitMs
      while (!holds(what)) {
        const left = end - performance.now()
        if (left <= 0) throw new Error(`never showed ${describe(what)} within ${limitMs} ms:\n${framed(lines())}`)
        if (!running) {
          await parsed
          if (holds(what)) break
          throw new Error(`ended without showing ${describe(what)}:\n${framed(lines())}`)
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, 250))
          wake.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
      }
      return lines()
    },
    get state() {
      return {
        alternateScreen: screen.buffer.active.type === 'alternate',
        cursorVisible,
        bracketedPaste: screen.modes.bracketedPasteMode,
        wraparound: screen.modes.wraparoundMode,
        cooked: cookedMode(process_),
      }
    },
    exited,
    async dispose() {
      if (running) {
        process_.resume()
        // Killed as a job: what it started goes with it.
        try {
          process.kill(-process_.pid, 'SIGKILL')
        } catch {
          // It ended by itself meanwhile.
        }
        await exited
      }
      screen.dispose()
    },
  }
}

/** After its program has ended, for a pty that something else still holds open. ms */
const HELD_OPEN_MS = 10_000

/**
 * node-pty closes a pty 200 ms after its program has ended, whatever is still to be read from it (unixTerminal.js, DESTROY_SOCKET_TIMEOUT_MS): a busy test
 * lost the last lines. On Linux the pty ends by itself (EIO) once everything is read, so that this is waited for.
 */
function readToTheEnd(process_: pty.IPty): void {
  const socket = socketOf(process_)
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    // At its end, or with an error, it is its own; else it is node-pty's impatience.
    if (error !== undefined || socket.readableEnded) return destroy(error)
    const held = setTimeout(destroy, HELD_OPEN_MS)
    socket.once('end', () => destroy())
    socket.once('close', () => clearTimeout(held))
    return socket
  }
}

function socketOf(process_: pty.IPty): Socket {
  return (process_ as unknown as { readonly _socket: Socket })._socket
}

/** The line discipline as the pty's other end has it: raw mode clears ICANON and ECHO. */
function cookedMode(process_: pty.IPty): boolean | null {
  const path = (process_ as unknown as { readonly _pty?: string })._pty
  if (path === undefined) return null
  return readStty(path)
}

function readStty(path: string): boolean | null {
  try {
    const settings = execFileSync('stty', ['-a', '-F', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return /(?<!-)\bicanon\b/.test(settings) && /(?<!-)\becho\b/.test(settings)
  } catch {
    return null
  }
}

function describe(what: string | RegExp | ((lines: string[]) => boolean)): string {
  return typeof what === 'function' ? what.toString() : String(what)
}

function framed(lines: readonly string[]): string {
  return lines.map((line, row) => `${String(row + 1).padStart(3)} |${line}`).join('\n')
}
