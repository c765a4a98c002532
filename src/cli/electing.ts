import { systemClock } from '../recovery/apply/clock.js'
import { applyPlan } from '../recovery/apply/events.js'
import type { RecoveryReport } from '../recovery/outcome.js'
import { electionRefusal } from '../recovery/use-cases/election-refusal.js'
import type { PlannedRecovery } from '../recovery/use-cases/plan-recovery.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT } from './exit.js'
import { refuseUnfinished } from './journals.js'
import type { RecoveryOptions } from './options/recovery.js'
import { startProgress } from './progress.js'

/** What no election may begin with; found before anybody is asked to confirm one. */
export async function refuseElection(
  { snapshot, capabilities, plan }: PlannedRecovery,
  { readOnly, journals }: Connected,
  options: RecoveryOptions,
): Promise<void> {
  if (plan.partitions.length === 0) return
  const refusal = electionRefusal(snapshot, capabilities, { readOnly, method: options.electionMethod })
  if (refusal !== null) throw new CliError(refusal.reason === 'noQuorum' ? EXIT.failed : EXIT.refused, refusal.text)
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
