import './react-mode.js'
import type { Cluster } from '../cluster/cluster.js'
import { SYSTEM_CLOCK, watchCluster } from '../cluster/watcher.js'
import { systemClock } from '../recovery/apply/clock.js'
import { nodeDraftStorage } from '../recovery/drafts/node-draft-storage.js'
import type { SeenEmptyStorage } from '../recovery/returns/seen-empty.js'
import { diagnoseLive } from '../recovery/use-cases/live-diagnosis.js'
import type { MethodChoice } from '../recovery/use-cases/plan-recovery.js'
import { type ConsoleEnd, runConsole } from './app/run-console.js'
import { appActions } from './app-actions.js'
import { createRuns } from './applying/runs.js'
import type { ConsoleData, Place } from './console-data.js'
import { headerOf } from './console-header.js'
import { asRead, firstData } from './data-as-read.js'
import { farewellLines } from './farewell.js'
import { createLeaving, suspendRefusal } from './leaving.js'
import { createDraftKeeper } from './planning/draft-keeper.js'
import { followPlan } from './planning/follow.js'
import { openRepairs } from './repairing/open-repairs.js'
import { findLeftOrders } from './restoring/left-orders.js'
import { createScreens, FIRST_SCREEN } from './screens/all.js'
import { everywhereActions } from './screens/everywhere.js'
import { wordsAhead } from './screens/listing/partition-cells.js'
import type { ConsoleServices } from './services.js'
import type { Terminal } from './terminal/terminal.js'

export interface OpenOptions {
  readonly terminal: Terminal
  readonly cluster: Cluster
  readonly place: Place
  readonly journals: ConsoleServices['journals']
  /** Folder of drafts that outlive the connection. */
  readonly draftFolder: string
  /** Folder of the reports. */
  readonly reportsFolder: string
  /** Which brokers were seen with empty logs, from run to run, as the command line keeps it. */
  readonly memory: SeenEmptyStorage
  /** Folder of what was seen of log directories, and of the commands that were run for repairs. */
  readonly seenFolder: string
  readonly method: MethodChoice
  /** ms */
  readonly refreshMs: number
  readonly requestTimeoutMs: number
  readonly recoveryDurationMs: number
}

/** Everything is read again after this. ms */
const FULL_READ_MS = 30_000
/** Ages go on, and what is due is looked for. ms */
const CLOCK_MS = 1_000

/** How a console ended, with what is to be said on the normal screen. */
export type LeftConsole = ConsoleEnd & { readonly farewell: readonly string[] }

/** Opens the console on a cluster; resolves when it was left and nothing is under way any more. Never rejects for what happens on the cluster. */
export async function openConsole(options: OpenOptions): Promise<LeftConsole> {
  const { terminal, cluster, place, method, reportsFolder, requestTimeoutMs, recoveryDurationMs } = options
  const watcher = watchCluster(cluster, { refreshMs: options.refreshMs, fullReadMs: FULL_READ_MS, clock: SYSTEM_CLOCK })
  const live = diagnoseLive(
    cluster,
    watcher,
    {
      durationMs: recoveryDurationMs,
      rereadMs: FULL_READ_MS,
      strategy: 'rank',
      method,
      accepted: new Set(),
      stoppedForRepair: new Map(),
      memory: options.memory,
    },
    systemClock,
  )
  const { journals } = options
  const { readOnly } = place
  const base = { cluster, live, journals, readOnly, requestTimeoutMs, recoveryDurationMs, reportsFolder }
  const runs = createRuns(base)
  const drafts = nodeDraftStorage(options.draftFolder)
  const { notes, ...repairs } = openRepairs(cluster, watcher, options)
  const services: ConsoleServices = { ...base, watcher, drafts, method, runs, repairs }
  const leaving = createLeaving(runs)
  const keeper = createDraftKeeper(drafts)
  const running = runConsole<ConsoleData>({
    terminal,
    screens: createScreens(services),
    actions: [...everywhereActions(services), ...appActions(services, leaving)],
    first: FIRST_SCREEN,
    data: firstData(place, { watcher, live }, new Date()),
    header: headerOf,
    onQuit: leaving.quit,
    onSignal: leaving.onSignal,
    refuseSuspend: (data) => (runs.underWay === null ? null : suspendRefusal(data)),
  })
  const { control } = running
  const prepareWords = wordsAhead()
  let journalsDue = 0
  /** From the first read of the cluster on; other programs on this machine may be interrupted at any time, too. */
  const lookForJournals = () => {
    if (control.data.diagnosis === null || runs.underWay !== null || performance.now() < journalsDue) return
    journalsDue = performance.now() + FULL_READ_MS
    void findLeftOrders(control, services)
  }
  const changed = () => {
    // That all is read is what the operator waits for: it does not wait for the turn of data (10 s where the screen is spoken).
    const allRead = isComplete(live.current()) && !isComplete(control.data.diagnosis)
    control.update(
      (data) => ({
        ...asRead(data, { watcher, live }),
        noted: notes.current(),
        notingProblem: notes.problem(),
      }),
      allRead ? 'now' : 'soon',
    )
    prepareWords(control.data.diagnosis?.partitions ?? [])
    keeper.look(control)
    repairs.keeper.look(control)
    lookForJournals()
  }
  const stopWatching = watcher.subscribe(changed)
  const stopListening = live.subscribe(changed)
  const stopNotes = notes.subscribe(changed)
  const clock = setInterval(() => {
    control.update((data) => followPlan({ ...data, now: new Date() }))
    keeper.look(control)
    repairs.keeper.look(control)
    lookForJournals()
  }, CLOCK_MS)
  try {
    const end = await running.finished
    // However it ended: what is half done on the cluster is finished first, and put back.
    runs.stop()
    await runs.underWay
    keeper.look(control)
    await keeper.settled()
    await notes.settled
    return { ...end, farewell: farewellLines(control.data, new Date()) }
  } finally {
    clearInterval(clock)
    stopListening()
    stopNotes()
    stopWatching()
    notes.stop()
    repairs.keeper.stop()
    live.stop()
    watcher.stop()
  }
}

function isComplete(diagnosis: ConsoleData['diagnosis']): boolean {
  return diagnosis !== null && diagnosis.progress.notRead === 0
}
