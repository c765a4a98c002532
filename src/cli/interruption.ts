import { InterruptedError, SIGNAL_EXITS } from './exit.js'
import { leaveProcess } from './leave.js'

type Signal = keyof typeof SIGNAL_EXITS

/** SIGINT, SIGTERM and SIGHUP, as a command sees them: it is told, and ends in its own way. */
export interface Interruption {
  /** Aborted by the first of them. */
  readonly signal: AbortSignal
  /** Its exit code; null: none came. */
  readonly exit: number | null
  /**
   * Waits for something that may be given up at any time (reading). A signal makes it throw an InterruptedError; what was
   * under way is left to the caller's `finally`.
   */
  whileReading<T>(work: Promise<T>): Promise<T>
  /** From here on a signal lets the work end in order; each further one is answered with this line. */
  deferTo(say: (line: string) => void): void
  dispose(): void
}

export function listenForSignals(): Interruption {
  const controller = new AbortController()
  let received: Signal | null = null
  let deferred: ((line: string) => void) | null = null
  const onSignal = (signal: Signal) => {
    if (received !== null) {
      if (deferred === null) leaveProcess(SIGNAL_EXITS[signal])
      deferred(`${signal}: still ending in order, please wait`)
      return
    }
    received = signal
    deferred?.(`${signal}: no new batch is begun, the one under way is finished and its assignments are put back`)
    controller.abort(new InterruptedError(signal))
  }
  const signals = Object.keys(SIGNAL_EXITS) as Signal[]
  for (const signal of signals) process.on(signal, onSignal)
  return {
    signal: controller.signal,
    get exit() {
      return received === null ? null : SIGNAL_EXITS[received]
    },
    async whileReading(work) {
      if (controller.signal.aborted) {
        work.catch(() => {})
        throw controller.signal.reason
      }
      let stop = () => {}
      const interrupted = new Promise<never>((_, reject) => {
        stop = () => reject(controller.signal.reason)
        controller.signal.addEventListener('abort', stop)
      })
      try {
        return await Promise.race([work, interrupted])
      } finally {
        controller.signal.removeEventListener('abort', stop)
      }
    },
    deferTo(say) {
      deferred = say
    },
    dispose() {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
