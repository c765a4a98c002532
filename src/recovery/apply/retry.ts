/** How often, and after which pauses, something transient is tried again. */
export interface RetryPolicy {
  /** Tries after the first one. */
  readonly retries: number
  /** Before the first retry; doubled before each further one. ms */
  readonly firstDelayMs: number
  readonly maxDelayMs: number
}

/** The pause before retry `n`, from 1. ms */
export function delayBeforeRetry({ firstDelayMs, maxDelayMs }: RetryPolicy, n: number): number {
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (n - 1))
}

/**
 * How long a writing request without an answer may still be carried out, counted from when we gave up on it. Without a controller
 * a broker holds what it has to forward for 60 s, whatever the request's own time limit says (measured on 4.4.0). ms
 */
export const LATE_WRITE_MS = 75_000

/** Pauses between looks at something that should show soon: brokers showed a new leader about 100 ms late (measured on 4.4.0). */
export const LOOK_AGAIN: RetryPolicy = { retries: Number.POSITIVE_INFINITY, firstDelayMs: 50, maxDelayMs: 1000 }
