import { vi } from 'vitest'

const realImmediate = setImmediate
const realNow = performance.now.bind(performance)

/** A run that needs more steps than this never ends. */
const MOST_STEPS = 200_000
/** Real time: a loop that never yields to a timer shows in this. ms */
const MOST_REAL_MS = 60_000

/**
 * Runs something on a virtual clock: Date, performance.now and every timer are the test's, and time passes only when nothing else is left to do. What
 * waits for something that will never happen is found at once, for then no timer is left. What `work` leaves behind (timers) is counted.
 */
export async function onVirtualTime<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly timersLeft: number }> {
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 30),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  try {
    const startedAt = realNow()
    let settled: { readonly value: T } | { readonly error: unknown } | null = null
    work().then(
      (value) => {
        settled = { value }
      },
      (error: unknown) => {
        settled = { error }
      },
    )
    for (let step = 0; ; step += 1) {
      await ticksDone()
      if (settled !== null) break
      if (vi.getTimerCount() === 0) throw new Error('it hangs: nothing is left to happen, and it has not ended')
      if (step > MOST_STEPS || realNow() - startedAt > MOST_REAL_MS) throw new Error(`it does not end: ${step} steps`)
      vi.advanceTimersToNextTimer()
    }
    const outcome = settled as { readonly value: T } | { readonly error: unknown }
    if ('error' in outcome) throw outcome.error
    return { value: outcome.value, timersLeft: vi.getTimerCount() }
  } finally {
    vi.useRealTimers()
  }
}

/** Ticks and microtasks are done before the loop turns; twice, for what one turn has begun. */
async function ticksDone(): Promise<void> {
  await new Promise<void>((resolve) => realImmediate(resolve))
  await new Promise<void>((resolve) => realImmediate(resolve))
}
