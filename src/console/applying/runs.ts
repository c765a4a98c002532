import { join } from 'node:path'
import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import { ensureFolder } from '../../config/state-folder.js'
import { runPlan } from '../../recovery/apply/apply-plan.js'
import { systemClock } from '../../recovery/apply/clock.js'
import type { RecoveryReport } from '../../recovery/apply/outcome.js'
import { writeNewFile } from '../../recovery/files/new-file.js'
import { reportFileText } from '../../recovery/files/report-json.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'
import type { PlanningContext } from '../../recovery/planning/planning-context.js'
import type { LiveDiagnosis } from '../../recovery/use-cases/live-diagnosis.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { PLAN_SCREEN } from '../planning/open-plan.js'
import { findLeftOrders } from '../restoring/left-orders.js'
import type { ConsoleServices } from '../services.js'
import { newList } from '../state/list-state.js'
import { afterEvent, type FinishedRun, newRun } from './run-progress.js'

/** Id of the Report screen. */
export const REPORT_SCREEN = 'report'

/** Retries of transient failures of election requests, as --recovery-election-attempts has it by default. */
const ELECTION_ATTEMPTS = 3

export interface RunOrder {
  readonly plan: RecoveryPlan
  /** What it is for, in words. */
  readonly title: string
  readonly context: Pick<PlanningContext, 'strategy' | 'topicConfigs'>
  readonly mode: Capabilities['mode']
}

/** Recoveries of this console: one at a time, whatever is on the screen meanwhile. */
export interface Runs {
  /** The one under way, until its report is saved; null: none. Never rejects. */
  readonly underWay: Promise<void> | null
  /** Begins. Only after the confirmation: nothing is asked here any more. */
  start(control: ConsoleControl<ConsoleData>, order: RunOrder): void
  /**
   * Other work that must not be left half done: nothing else may begin meanwhile, and leaving waits for it. Never rejects if `work` does not. `stop`: what
   * ends it before its time.
   */
  hold(work: () => Promise<void>, stop?: AbortController): Promise<void>
  /** No new batch is begun; the one under way is finished and put back. @returns whether it is the first time that this is said */
  stop(): boolean
}

export interface RunServices {
  readonly cluster: Cluster
  readonly live: LiveDiagnosis
  readonly journals: ConsoleServices['journals']
  readonly readOnly: boolean
  readonly requestTimeoutMs: number
  readonly recoveryDurationMs: number
  readonly reportsFolder: string
}

export function createRuns(services: RunServices): Runs {
  let current: { readonly abort: AbortController; readonly ended: Promise<void> } | null = null
  return {
    get underWay() {
      return current?.ended ?? null
    },
    start(control, order) {
      if (current !== null) throw new Error('a recovery is under way already')
      const abort = new AbortController()
      const ended = carryOut(control, services, order, abort.signal).finally(() => {
        current = null
      })
      current = { abort, ended }
    },
    async hold(work, stop) {
      if (current !== null) throw new Error('a recovery is under way already')
      const ended = work().finally(() => {
        current = null
      })
      current = { abort: stop ?? new AbortController(), ended }
      await ended
    },
    stop() {
      if (current === null || current.abort.signal.aborted) return false
      current.abort.abort()
      return true
    },
  }
}

async function carryOut(
  control: ConsoleControl<ConsoleData>,
  services: RunServices,
  { plan, title, context, mode }: RunOrder,
  stop: AbortSignal,
): Promise<void> {
  const { cluster, live, journals, readOnly, requestTimeoutMs, recoveryDurationMs } = services
  control.update((data) => ({ ...data, run: newRun(plan, title, new Date()) }), 'now')
  const leadersAreOurs = live.electing(plan.partitions)
  try {
    const report = await runPlan(
      cluster,
      plan,
      { journals, clock: systemClock },
      {
        context,
        mode,
        readOnly,
        electionAttempts: ELECTION_ATTEMPTS,
        recoveryDurationMs,
        requestTimeoutMs,
        timeLimitMs: null,
        stop,
      },
      (event) => control.update((data) => (data.run === null ? data : { ...data, run: afterEvent(data.run, event) })),
    )
    await showReport(control, services, { plan, title, report, endedAt: new Date() })
  } catch (error) {
    // Refused before anything was sent; afterwards runPlan never rejects.
    control.update((data) => ({ ...data, run: null }), 'now')
    control.notice(errorText(error), 'danger')
  } finally {
    // A run that lost the cluster leaves its orders to `restore`: said at once, and not only at the next start.
    await findLeftOrders(control, services)
    // What it reads now is the work of this program, and not leaders that came back by themselves.
    void live
      .readNow()
      .catch(() => {})
      .finally(leadersAreOurs)
  }
}

async function showReport(
  control: ConsoleControl<ConsoleData>,
  { reportsFolder }: RunServices,
  ended: Omit<FinishedRun, 'saved'>,
): Promise<void> {
  const saved = await saveReport(ended.report, ended.plan, ended.endedAt, reportsFolder)
  const entry = { at: ended.endedAt, text: sentText(ended) }
  control.update((data) => ({ ...data, run: null, finished: { ...ended, saved }, sent: [...data.sent, entry] }), 'now')
  // Its rows are others than those of the report before: the cursor begins at what went wrong.
  control.changeList(newList, { screen: REPORT_SCREEN, params: {} })
  if (control.ui.stack.at(-1)?.screen === PLAN_SCREEN && control.ui.overlay === null) control.open(REPORT_SCREEN)
  else control.notice('The recovery has ended: the report is at [4] Plan, r', 'warning')
}

/** "Elected 37 of 40: 2 failed, 1 stale (plan 1f3a2b4c)." What matters most comes first: a list may cut the end. */
function sentText({ plan, report }: Omit<FinishedRun, 'saved'>): string {
  const { elected = 0, ...others } = report.summary
  const rest = Object.entries(others).map(([result, number]) => `${wholeNumber(number)} ${result}`)
  const what = `Elected ${wholeNumber(elected)} of ${wholeNumber(plan.partitions.length)}${rest.length === 0 ? '' : `: ${rest.join(', ')}`}`
  return `${what} (plan ${plan.planId.slice(0, 8)}).`
}

async function saveReport(
  report: RecoveryReport,
  plan: RecoveryPlan,
  endedAt: Date,
  folder: string,
): Promise<NonNullable<FinishedRun['saved']>> {
  const time = endedAt.toISOString().replace(/[:.]/g, '')
  const path = join(folder, `report-${time}-${plan.planId.slice(0, 8)}.json`)
  try {
    ensureFolder(folder)
    await writeNewFile(path, reportFileText(report, plan, endedAt))
    return { path }
  } catch (error) {
    return { problem: errorText(error) }
  }
}
