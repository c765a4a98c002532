/** Time, as a port: tests have a clock of their own, so that nothing in them waits. */
export interface Clock {
  /** Milliseconds that never run backwards; for deadlines. */
  monotonicMs(): number
  /** Wall clock; for people. */
  now(): Date
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  now: () => new Date(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
