import { systemClock } from '../recovery/apply/clock.js'
import { applyPlan } from '../recovery/apply/events.js'
import type { RecoveryReport } from '../recovery/apply/outcome.js'
import { exitCodeOf } from '../recovery/apply/report.js'
import { reportToJson } from '../recovery/files/report-json.js'
import { electionRefusal } from '../recovery/use-cases/election-refusal.js'
import type { PlannedRecovery } from '../recovery/use-cases/plan-recovery.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT } from './exit.js'
import { refuseUnfinished } from './journals.js'
import type { RecoveryOptions } from './options/recovery.js'
import { startProgress } from './progress.js'
import { noteFailures, reportText } from './text/report-text.js'

/** What no election may begin with; found before anybody is asked to confirm one. */
export async function refuseElection(
  { snapshot, capabilities, plan }: PlannedRecovery,
  { cluster, readOnly, journals }: Connected,
  options: RecoveryOptions,
): Promise<void> {
  if (plan.partitions.length === 0) return
  const refusal = electionRefusal(snapshot, capabilities, { readOnly, method: options.electionMethod })
  if (refusal !== null) throw new CliError(refusal.reason === 'noQuorum' ? EXIT.failed : EXIT.refused, refusal.text)
  await cluster.refuseMixedClusters()
  await refuseUnfinished(journals, snapshot.clusterId)
}

/** Applies a plan with progress on stderr. A signal ends it after the batch under way. */
export async function electWithProgress(
  { output, interruption }: CommandContext,
  { cluster, readOnly, requestTimeoutMs, journals }: Connected,
  { plan, context, capabilities }: PlannedRecovery,
  options: RecoveryOptions,
): Promise<RecoveryReport> {
  const progress = startProgress(output)
  interruption.deferTo(progress.note)
  const events = applyPlan(
    cluster,
    plan,
    { journals, clock: systemClock },
    {
      context,
      mode: capabilities.mode,
      readOnly,
      electionAttempts: options.recoveryElectionAttempts,
      recoveryDurationMs: options.recoveryDurationMs,
      requestTimeoutMs,
      timeLimitMs: options.timeLimitMs ?? null,
      stop: interruption.signal,
    },
  )
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done === true) return value
      progress.event(value)
    }
  } finally {
    progress.stop()
  }
}

/** Applies a plan and tells what came of it: failures on stderr, the report on stdout. Returns the exit code that follows from it. */
export async function electAndReport(
  context: CommandContext,
  connected: Connected,
  planned: PlannedRecovery,
  options: RecoveryOptions,
  {
    all,
    nextSteps,
    beside = {},
  }: {
    readonly all: boolean
    /** Lines for below the report. */
    readonly nextSteps: (report: RecoveryReport) => readonly string[]
    /** What else belongs into the document. */
    readonly beside?: object
  },
): Promise<number> {
  const { output } = context
  const report = await electWithProgress(context, connected, planned, options)
  noteFailures(output, report, all, connected.connection)
  if (output.json) output.document({ ...reportToJson(report), ...beside })
  else output.text([...reportText(report, planned.plan, { width: output.columns, all }), ...nextSteps(report)])
  return exitCodeOf(report)
}
