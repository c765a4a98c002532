/** Signals that end the console; it is told, and ends in its own way. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT'

/** What a terminal sends to every process of the job for a key. */
const BY_KEY = new Set<EndSignal>(['SIGINT', 'SIGQUIT'])

const END_SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Exit code after a signal: 128 and its number, as shells have it. */
export const SIGNAL_EXIT: Readonly<Record<EndSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 }

/**
 * A key's signal goes to the whole job at once, but this process may hear of the other program's end first: its threads take signals in any order (seen once in
 * some thirty runs of the tests). So long after that end such a signal is still that program's: while this console has the terminal no key sends one. ms
 */
const LATE_KEY_MS = 500

export interface SignalListener {
  start(): void
  end(): void
  /** Stops this process, or its whole job, by SIGTSTP's own effect: in an orphaned group, where nobody could continue it, that is none. */
  stop(whom: 'group' | 'self'): void
  /**
   * Another program has the terminal: stopping works as if this listener were not there, and what its keys send to the whole job (ctrl-c, ctrl-\\)
   * is meant for that program alone.
   */
  pause(): void
  resume(): void
}

export function listenForSignals(on: {
  readonly onEnd: (signal: EndSignal) => void
  readonly onStop: () => void
  readonly onContinue: () => void
}): SignalListener {
  let listening = false
  let paused = false
  /** ms, of performance.now */
  let resumedAt = Number.NEGATIVE_INFINITY
  /** Holds SIGTSTP, or lets it do what it does by itself. */
  const holdStop = (hold: boolean) => {
    process.off('SIGTSTP', on.onStop)
    if (hold) process.on('SIGTSTP', on.onStop)
  }
  const onEnd = (signal: EndSignal) => {
    const ofOther = paused || performance.now() < resumedAt + LATE_KEY_MS
    if (!ofOther || !BY_KEY.has(signal)) on.onEnd(signal)
  }
  const onContinue = () => {
    if (paused) return
    holdStop(true)
    on.onContinue()
  }
  return {
    start() {
      listening = true
      for (const signal of END_SIGNALS) process.on(signal, onEnd)
      holdStop(true)
      process.on('SIGCONT', onContinue)
    },
    end() {
      listening = false
      holdStop(false)
      process.off('SIGCONT', onContinue)
      // Not in this turn: signal-exit, which Ink uses, kills the process by a signal that nobody but it listens to any more.
      setImmediate(() => {
        for (const signal of END_SIGNALS) process.off(signal, onEnd)
      })
    },
    stop(whom) {
      holdStop(false)
      process.kill(whom === 'group' ? 0 : process.pid, 'SIGTSTP')
      // Reached when the process goes on, or at once where nothing stopped it.
      setTimeout(() => {
        if (listening && !paused) holdStop(true)
      }, 0)
    },
    pause() {
      paused = true
      holdStop(false)
    },
    resume() {
      paused = false
      resumedAt = performance.now()
      if (listening) holdStop(true)
    },
  }
}

/** Exceptions and rejections that nobody caught; returns the way to stop listening. */
export function listenForFatal(onFatal: (error: unknown) => void): () => void {
  process.on('uncaughtException', onFatal)
  process.on('unhandledRejection', onFatal)
  return () => {
    process.off('uncaughtException', onFatal)
    process.off('unhandledRejection', onFatal)
  }
}
