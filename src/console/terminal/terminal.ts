import type { ReadStream, WriteStream } from 'node:tty'
import { terminalText } from '../../text/terminal-text.js'
import { createKeyDecoder } from '../keys/decode.js'
import type { InputEvent } from '../keys/key-event.js'
import { pastedKeys } from '../keys/pasted-keys.js'
import { type EndSignal, listenForFatal, listenForSignals } from './process-events.js'
import { type TerminalProfile, terminalProfile } from './profile.js'
import { openScreenOutput, type ScreenOutput } from './screen-output.js'
import { SEQUENCES } from './sequences.js'
import { catchStrayOutput, type StrayOutput } from './stray-output.js'

/** Columns and rows. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What happens on the terminal, as the console is told of it. */
export interface TerminalHandlers {
  /** Keys and pastes of one read, in order. */
  onInput(events: readonly InputEvent[]): void
  onResize(size: Size): void
  /** The screen's content is not known any more (resumed, another program was there): draw all of it. */
  onRedraw(): void
  /** SIGTERM, SIGHUP, SIGINT, SIGQUIT, or the terminal is gone (told as SIGHUP). The screen is not left yet. */
  onSignal(signal: EndSignal): void
  /** ctrl-z or SIGTSTP: false refuses it. */
  maySuspend(): boolean
  /** An exception that nobody caught. The screen is left already. */
  onFatal(error: unknown): void
}

export interface Terminal {
  readonly profile: TerminalProfile
  readonly size: Size
  readonly output: ScreenOutput
  /** Takes the terminal: alternate screen, raw mode, bracketed paste; from here on it is given back on every way out of the process. */
  enter(handlers: TerminalHandlers): void
  /** Gives the terminal back as it was. May be called at any time, any number of times. */
  leave(): void
  /** Stops the process as the shell's ctrl-z does (`group`: every process of the job). Comes back by itself after SIGCONT. */
  suspend(whom: 'group' | 'self'): void
  /** Gives the terminal to another program ($EDITOR) until `work` ends, then takes it again. */
  outside<T>(work: () => Promise<T>): Promise<T>
}

/** Why there can be no console here; `reason` is for the operator, without an advice. */
export interface TerminalRefused {
  readonly kind: 'refused'
  readonly reason: string
}

export interface TerminalStreams {
  readonly stdin: ReadStream
  readonly stdout: WriteStream & { readonly fd: number }
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Time for a lone escape character to become a sequence, on slow lines. ms */
const ESCAPE_WAIT = 50
/** How long a terminal that takes nothing may hold up the way out. ms */
const LEAVE_LIMIT = 500
/** Nothing stops this process (its group is orphaned): it goes on. ms */
const STOP_WAIT = 250
/** A SIGCONT so soon after the terminal was taken tells of the same end of the same stop. ms */
const SAME_RESUME = 100

/** Looks at the streams; touches nothing yet. */
export function openTerminal(
  options: { readonly ascii: boolean },
  streams: TerminalStreams = process,
): { readonly kind: 'terminal'; readonly terminal: Terminal } | TerminalRefused {
  if (streams.stdin.isTTY !== true) return { kind: 'refused', reason: 'stdin is not a terminal' }
  if (streams.stdout.isTTY !== true) return { kind: 'refused', reason: 'stdout is not a terminal' }
  return { kind: 'terminal', terminal: terminalOn(streams, terminalProfile(streams.env, options)) }
}

function terminalOn({ stdin, stdout }: TerminalStreams, profile: TerminalProfile): Terminal {
  const output = openScreenOutput(stdout.fd)
  const decoder = createKeyDecoder()
  let handlers: TerminalHandlers | null = null
  let stray: StrayOutput | null = null
  let escapeTimer: NodeJS.Timeout | null = null
  let stopTimer: NodeJS.Timeout | null = null
  let stopListening = () => {}
  /** The terminal is ours now; false while suspended, while an editor has it, and after the end. */
  let held = false
  /** When it was taken last by the timer, before any SIGCONT was heard. ms, of performance.now */
  let timerTook = Number.NEGATIVE_INFINITY

  const tell = (events: readonly InputEvent[]) => {
    if (held && events.length > 0) handlers?.onInput(pastedKeys(events))
  }
  const onData = (chunk: Buffer) => {
    if (escapeTimer !== null) clearTimeout(escapeTimer)
    escapeTimer = null
    tell(decoder.push(chunk))
    if (decoder.pending) {
      escapeTimer = setTimeout(() => {
        escapeTimer = null
        tell(decoder.flush())
      }, ESCAPE_WAIT)
    }
  }
  const onGone = () => handlers?.onSignal('SIGHUP')
  const onResize = () => handlers?.onResize(sizeOf(stdout))

  function take(): void {
    if (held) return
    held = true
    output.muted = false
    stray = catchStrayOutput()
    setModes('enter')
    stdin.on('data', onData)
    stdin.resume()
  }

  function setModes(how: 'enter' | 'enterAgain'): void {
    // Off and on: Node and libuv remember the mode, and a shell may have changed it behind their back while this process stood still.
    rawMode(stdin, false)
    rawMode(stdin, true)
    output.write(profile.addressable ? SEQUENCES[how] : profile.screenReader ? SEQUENCES.enterLines : '')
  }

  /** Synchronous: it must work while the process ends. */
  function giveBack(): void {
    if (!held) return
    held = false
    if (escapeTimer !== null) clearTimeout(escapeTimer)
    escapeTimer = null
    stdin.off('data', onData)
    stdin.pause()
    output.finish(profile.addressable ? SEQUENCES.leave : profile.screenReader ? SEQUENCES.leaveLines : '', LEAVE_LIMIT)
    // What goes on behind (reading every 2 s) must not be drawn over the editor; what is taken again is drawn as a whole.
    output.muted = true
    rawMode(stdin, false)
    const said = stray?.release() ?? []
    stray = null
    for (const line of said) process.stderr.write(`${terminalText(line)}\n`)
  }

  function takeAgain(): void {
    if (stopTimer !== null) clearTimeout(stopTimer)
    stopTimer = null
    if (handlers === null) return
    take()
    handlers.onResize(sizeOf(stdout))
    handlers.onRedraw()
  }

  const signals = listenForSignals({
    onEnd: (signal) => handlers?.onSignal(signal),
    onStop: () => suspend('self'),
    onContinue: () => {
      // The timer that was due while the process stood still was faster: the terminal is taken already, and drawn (or spoken) once is enough.
      if (held && performance.now() - timerTook < SAME_RESUME) return
      // Stopped by SIGSTOP, which nobody can see coming: the shell had the terminal meanwhile.
      if (held) setModes('enterAgain')
      takeAgain()
    },
  })

  function suspend(whom: 'group' | 'self'): void {
    if (!held || handlers?.maySuspend() !== true) return
    giveBack()
    stopTimer = setTimeout(() => {
      timerTook = performance.now()
      takeAgain()
    }, STOP_WAIT)
    signals.stop(whom)
  }

  return {
    profile,
    output,
    get size() {
      return sizeOf(stdout)
    },
    enter(given) {
      handlers = given
      stdin.on('end', onGone)
      stdin.on('error', onGone)
      stdout.on('resize', onResize)
      output.onGone = onGone
      process.on('exit', giveBack)
      signals.start()
      const fatal = listenForFatal((error) => {
        giveBack()
        given.onFatal(error)
      })
      stopListening = () => {
        stdin.off('end', onGone)
        stdin.off('error', onGone)
        stdout.off('resize', onResize)
        process.off('exit', giveBack)
        signals.end()
        fatal()
      }
      take()
    },
    leave() {
      giveBack()
      if (handlers === null) return
      handlers = null
      if (stopTimer !== null) clearTimeout(stopTimer)
      stopListening()
      output.close()
    },
    suspend,
    async outside(work) {
      giveBack()
      signals.pause()
      try {
        return await work()
      } finally {
        signals.resume()
        takeAgain()
      }
    },
  }
}

function rawMode(stdin: ReadStream, on: boolean): void {
  try {
    stdin.setRawMode(on)
  } catch {
    // The terminal is gone: there is nothing left to set.
  }
}

function sizeOf(stdout: WriteStream): Size {
  // 0 where the other side does not know (serial lines).
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}
