import { errorText } from '../text/error-text.js'
import type { Cluster } from './cluster.js'
import type { ClusterSnapshot } from './snapshot.js'

/** What is known of a cluster that is being watched, and how old it is. */
export interface WatchedCluster {
  /** Null: nothing was read yet. */
  readonly snapshot: ClusterSnapshot | null
  /** When everything was read, not just what is wrong. */
  readonly fullReadAt: Date | null
  readonly reading: boolean
  /** Why the last read failed, one line; null: it did not. What is shown is then older than it should be. */
  readonly failure: string | null
  /** Time between the reads, as it is now: longer than asked for when reads take long. ms */
  readonly refreshMs: number
}

export interface WatchOptions {
  /** Time between reads of what is wrong. ms */
  readonly refreshMs: number
  /** Time between reads of everything. ms */
  readonly fullReadMs: number
  readonly clock: WatchClock
}

/** Time, so that tests need not wait. */
export interface WatchClock {
  now(): number
  /** @returns cancels it */
  after(ms: number, run: () => void): () => void
}

export const SYSTEM_CLOCK: WatchClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export interface Watcher {
  readonly current: () => WatchedCluster
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void
  /** Reads everything now; resolves when that is done. For after an election, and for the operator's own key. */
  readNow(): Promise<void>
  stop(): void
}

/** A read may take this share of the time at most: a cluster that answers slowly is asked less often. */
const READING_SHARE = 0.2

/** Watches a cluster: what is wrong often, everything now and then, never two reads at once. */
export function watchCluster(cluster: Cluster, options: WatchOptions): Watcher {
  const { clock } = options
  const listeners = new Set<() => void>()
  let state: WatchedCluster = {
    snapshot: null,
    fullReadAt: null,
    reading: false,
    failure: null,
    refreshMs: options.refreshMs,
  }
  let fullReadDueAt = clock.now()
  let underWay: Promise<void> | null = null
  let cancelNext: (() => void) | null = null
  let stopped = false

  const change = (part: Partial<WatchedCluster>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  async function read(full: boolean): Promise<void> {
    const startedAt = clock.now()
    change({ reading: true })
    let everything = full || state.snapshot === null
    try {
      if (!everything && state.snapshot !== null) {
        const { snapshot, fullReadNeeded } = await cluster.refresh(state.snapshot)
        if (stopped) return
        change({ snapshot, failure: null })
        everything = fullReadNeeded
      }
      if (everything) {
        const snapshot = await cluster.snapshot({
          logDirs: true,
          elr: true,
          configs: true,
          quorum: true,
          previous: state.snapshot,
        })
        if (stopped) return
        change({ snapshot, fullReadAt: snapshot.readAt, failure: null })
      }
    } catch (error) {
      if (stopped) return
      change({ failure: errorText(error) })
    } finally {
      const took = clock.now() - startedAt
      const floor = everything ? options.fullReadMs : options.refreshMs
      if (everything) fullReadDueAt = clock.now() + Math.max(options.fullReadMs, took / READING_SHARE)
      if (!stopped)
        change({ reading: false, ...(everything ? {} : { refreshMs: Math.max(floor, took / READING_SHARE) }) })
    }
  }

  function run(full: boolean): Promise<void> {
    cancelNext?.()
    cancelNext = null
    underWay = read(full).finally(() => {
      underWay = null
      if (!stopped) cancelNext = clock.after(state.refreshMs, () => void run(clock.now() >= fullReadDueAt))
    })
    return underWay
  }

  void run(true)
  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async readNow() {
      // One that is under way began before whatever this is asked for happened: it does not count.
      while (underWay !== null) await underWay
      if (!stopped) await run(true)
    },
    stop() {
      stopped = true
      cancelNext?.()
      listeners.clear()
    },
  }
}
