import { Socket } from 'node:net'
import { execa } from 'execa'

/** How a command ended. */
export interface CommandResult {
  readonly argv: readonly string[]
  readonly startedAt: Date
  /** ms */
  readonly durationMs: number
  /** exited: with this code. signal: something else ended it. timedOut, stopped: we did. notStarted: it could not be run. */
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signal'; readonly signal: string }
    | { readonly kind: 'timedOut' }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'notStarted'; readonly reason: string }
  /** The last lines of both streams, as far as they are kept. */
  readonly output: readonly string[]
  /** Bytes that it printed beyond what is kept or shown. */
  readonly droppedBytes: number
}

export interface RunOptions {
  /** ms */
  readonly timeLimitMs: number
  /** Stops it: SIGTERM, and SIGKILL after a grace. */
  readonly signal: AbortSignal
  /** Between SIGTERM and SIGKILL. Default 5 s. ms */
  readonly graceMs?: number
  /** Each line as it comes, not escaped; at most SHOWN_BYTES in all. */
  readonly onLine: (line: string) => void
}

/** Shown as it comes; what comes after it is counted. bytes */
export const SHOWN_BYTES = 256 * 1024
/** Lines kept for the record, and how long each may be. */
export const LINES_KEPT = 20
const LINE_LENGTH = 500
const GRACE_MS = 5_000
/** For the last lines of a program that has ended, where something else still holds its output. */
const DRAIN_MS = 1_000

/**
 * Runs a program with its arguments, without a shell, with nothing on its stdin. Its output is streamed, and bounded: a program that prints
 * megabytes is neither kept in memory nor held up. It gets a process group of its own, so that what it started ends with it, and so that
 * ctrl-c on the terminal reaches us alone. It has ended when the program itself has: a server that it started and that holds its output (a broker,
 * started without nohup) is neither waited for nor ended at the time limit; what that prints is read and dropped. Never rejects: how it ended is in the result.
 */
export async function runCommand(argv: readonly [string, ...string[]], options: RunOptions): Promise<CommandResult> {
  const startedAt = new Date()
  const begun = performance.now()
  const [file, ...args] = argv
  const lines = new BoundedLines(options.onLine)
  const running = execa(file, args, {
    shell: false,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    detached: true,
  })
  // Read to the end whatever happens: a full pipe would hold the program up.
  let over = false
  const streams = [running.stdout, running.stderr]
  const ends = streams.map((stream) => {
    const take = lines.stream()
    stream.on('data', (chunk: Buffer) => {
      if (!over) take.data(chunk)
    })
    return take.end
  })
  let ended: 'timedOut' | 'stopped' | null = null
  const timers: NodeJS.Timeout[] = []
  const later = (ms: number, run: () => void) => timers.push(setTimeout(run, ms))
  const signalGroup = (signal: NodeJS.Signals) => {
    if (running.pid === undefined) return
    try {
      process.kill(-running.pid, signal)
    } catch {
      // All of it has ended already.
    }
  }
  const stop = (why: 'timedOut' | 'stopped') => {
    if (ended !== null) return
    ended = why
    signalGroup('SIGTERM')
    later(options.graceMs ?? GRACE_MS, () => {
      signalGroup('SIGKILL')
      // Something that left the group may hold the pipes open for ever.
      for (const stream of streams) stream.destroy()
    })
  }
  const onAbort = () => stop('stopped')
  const onExit = () => signalGroup('SIGKILL')
  later(options.timeLimitMs, () => stop('timedOut'))
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  process.once('exit', onExit)
  const leftBehind = new Promise<Ended>((resolve) => {
    running.once('exit', (code, signal) => {
      if (ended !== null) return
      const leave = () => {
        // Meanwhile it may be ended with all that it started.
        if (ended !== null) return
        // What holds its output must not hold this process.
        for (const stream of streams) if (stream instanceof Socket) stream.unref()
        resolve({ exitCode: code ?? undefined, signal: signal ?? undefined })
      }
      // After the next reads: on a busy machine the time may be over before anything was read in it.
      later(DRAIN_MS, () => setImmediate(leave))
    })
  })
  try {
    const result = await Promise.race([running, leftBehind])
    over = true
    for (const end of ends) end()
    return {
      argv,
      startedAt,
      durationMs: Math.round(performance.now() - begun),
      end: ended === null ? endOf(result) : { kind: ended },
      output: lines.kept,
      droppedBytes: lines.dropped,
    }
  } finally {
    for (const timer of timers) clearTimeout(timer)
    options.signal.removeEventListener('abort', onAbort)
    process.off('exit', onExit)
  }
}

interface Ended {
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  readonly code?: string | undefined
}

function endOf({ exitCode, signal, code }: Ended): CommandResult['end'] {
  if (exitCode !== undefined) return { kind: 'exited', code: exitCode }
  if (signal !== undefined) return { kind: 'signal', signal }
  return { kind: 'notStarted', reason: REASONS[code ?? ''] ?? code ?? 'it could not be started' }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program (or not in $PATH)',
  EACCES: 'it may not be run',
}

/** Lines of two streams, shown up to a bound, the last ones kept. */
class BoundedLines {
  readonly kept: string[] = []
  dropped = 0
  #shown = 0
  #told = false

  constructor(private readonly onLine: (line: string) => void) {}

  stream(): { readonly data: (chunk: Buffer) => void; readonly end: () => void } {
    const decoder = new TextDecoder()
    let rest = ''
    const take = (text: string) => {
      rest += text
      const parts = rest.split(/\r\n|\n|\r/)
      rest = parts.pop() ?? ''
      for (const line of parts) this.#line(line)
      // A line without an end must not grow for ever.
      if (rest.length > LINE_LENGTH) {
        this.#line(rest)
        rest = ''
      }
    }
    return {
      data: (chunk) => take(decoder.decode(chunk, { stream: true })),
      end: () => {
        take(decoder.decode())
        if (rest !== '') this.#line(rest)
        rest = ''
      },
    }
  }

  #line(line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    const cut = line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}...` : line
    this.kept.push(cut)
    if (this.kept.length > LINES_KEPT) this.kept.shift()
    if (this.#shown + bytes > SHOWN_BYTES) {
      this.dropped += bytes
      if (this.#told) return
      this.#told = true
      this.onLine(
        `(more than ${SHOWN_BYTES / 1024} KiB: the rest is not shown, only its last ${LINES_KEPT} lines at the end)`,
      )
      return
    }
    this.#shown += bytes
    this.onLine(cut)
  }
}

/** `exit 0 after 3.2 s`. */
export function endText({ end, durationMs }: Pick<CommandResult, 'end' | 'durationMs'>): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code} after ${seconds}`
    case 'signal':
      return `ended by ${end.signal} after ${seconds}`
    case 'timedOut':
      return `stopped after ${seconds}: that was its time limit`
    case 'stopped':
      return `stopped by you after ${seconds}`
    case 'notStarted':
      return `not started: ${end.reason}`
  }
}

export function succeeded({ end }: Pick<CommandResult, 'end'>): boolean {
  return end.kind === 'exited' && end.code === 0
}
