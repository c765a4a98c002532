import type { Clock } from '../../src/simulator/clock.js'

/** The simulator's clock, with its timers known: what is left of them when it stops is its own, and not the program's. */
export function countedClock(): { readonly clock: Clock; readonly cancelAll: () => void } {
  const waiting = new Set<NodeJS.Timeout>()
  return {
    clock: {
      now: () => Date.now(),
      after(ms, callback) {
        const timer = setTimeout(
          () => {
            waiting.delete(timer)
            callback()
          },
          Math.max(0, ms),
        )
        waiting.add(timer)
        return () => {
          waiting.delete(timer)
          clearTimeout(timer)
        }
      },
    },
    cancelAll() {
      for (const timer of waiting) clearTimeout(timer)
      waiting.clear()
    },
  }
}
