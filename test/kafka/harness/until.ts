import { setTimeout as delay } from 'node:timers/promises'

/** A condition that never came: says what was waited for, how long, and what was seen last. */
export class GaveUpWaitingError extends Error {
  override readonly name = 'GaveUpWaitingError'
}

export interface UntilOptions {
  /** ms; generous, since it is only reached when something is wrong. */
  readonly deadlineMs?: number
  readonly everyMs?: number
}

const DEADLINE_MS = 60_000
const EVERY_MS = 50

/** What a probe saw: done with a value, or not yet, with a description of what it saw instead. */
export type Probe<T> = { readonly done: T } | { readonly seen: unknown }

/** Asks `probe` until it is done. An error that it throws counts as "not yet" and is what was seen. */
export async function until<T>(
  what: string,
  probe: () => Promise<Probe<T>> | Probe<T>,
  { deadlineMs = DEADLINE_MS, everyMs = EVERY_MS }: UntilOptions = {},
): Promise<T> {
  const startedAt = Date.now()
  for (;;) {
    let seen: unknown
    try {
      const answer = await probe()
      if ('done' in answer) return answer.done
      seen = answer.seen
    } catch (error) {
      seen = error instanceof Error ? error.message : error
    }
    const waitedMs = Date.now() - startedAt
    if (waitedMs > deadlineMs) {
      throw new GaveUpWaitingError(`gave up waiting for ${what} after ${waitedMs} ms; seen last: ${describe(seen)}`)
    }
    await delay(everyMs)
  }
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value
  return (
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)) ?? String(value)
  )
}
