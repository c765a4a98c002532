/** Time and timers, so that tests can drive events, faults and catch-up on a clock of their own. Milliseconds everywhere. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void
}

/** Node's own timers. They do not keep the process alive: the listeners do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, ms))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
