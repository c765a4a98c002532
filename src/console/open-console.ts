import type { Cluster } from '../cluster/cluster.js'
import { SYSTEM_CLOCK, watchCluster } from '../cluster/watcher.js'
import { systemClock } from '../recovery/apply/clock.js'
import { emptyDraft } from '../recovery/draft.js'
import { nodeDraftStorage } from '../recovery/node-draft-storage.js'
import { diagnoseLive } from '../recovery/use-cases/live-diagnosis.js'
import { type ConsoleEnd, runConsole } from './app/run-console.js'
import type { ConsoleData, Place } from './console-data.js'
import { headerOf } from './console-header.js'
import { createScreens, FIRST_SCREEN } from './screens/all.js'
import type { ConsoleServices } from './services.js'
import type { Terminal } from './terminal/terminal.js'

export interface OpenOptions {
  readonly terminal: Terminal
  readonly cluster: Cluster
  readonly place: Place
  readonly journals: ConsoleServices['journals']
  /** Folder of drafts that outlive the connection. */
  readonly draftFolder: string
  /** ms */
  readonly refreshMs: number
  readonly requestTimeoutMs: number
  readonly recoveryDurationMs: number
}

/** Everything is read again after this. ms */
const FULL_READ_MS = 30_000

/** Opens the console on a cluster; resolves when it was left. Never rejects for what happens on the cluster. */
export async function openConsole(options: OpenOptions): Promise<ConsoleEnd> {
  const { terminal, cluster, place } = options
  const watcher = watchCluster(cluster, { refreshMs: options.refreshMs, fullReadMs: FULL_READ_MS, clock: SYSTEM_CLOCK })
  const live = diagnoseLive(
    cluster,
    watcher,
    {
      durationMs: options.recoveryDurationMs,
      rereadMs: FULL_READ_MS,
      strategy: 'rank',
      method: 'auto',
      accepted: new Set(),
      stoppedForRepair: new Map(),
    },
    systemClock,
  )
  const services: ConsoleServices = {
    cluster,
    watcher,
    live,
    drafts: nodeDraftStorage(options.draftFolder),
    journals: options.journals,
    readOnly: place.readOnly,
    requestTimeoutMs: options.requestTimeoutMs,
    recoveryDurationMs: options.recoveryDurationMs,
  }
  const running = runConsole<ConsoleData>({
    terminal,
    screens: createScreens(services),
    first: FIRST_SCREEN,
    data: {
      place,
      now: new Date(),
      watched: watcher.current(),
      diagnosis: live.current(),
      notices: live.notices(),
      draft: null,
    },
    header: headerOf,
  })
  const changed = () =>
    running.control.update((data) => {
      const diagnosis = live.current()
      const draft = data.draft ?? (diagnosis === null ? null : emptyDraft(diagnosis.clusterId))
      return { ...data, watched: watcher.current(), diagnosis, notices: live.notices(), draft }
    })
  const stopWatching = watcher.subscribe(changed)
  const stopListening = live.subscribe(changed)
  const clock = setInterval(() => running.control.update((data) => ({ ...data, now: new Date() })), 1000)
  try {
    return await running.finished
  } finally {
    clearInterval(clock)
    stopListening()
    stopWatching()
    live.stop()
    watcher.stop()
  }
}
