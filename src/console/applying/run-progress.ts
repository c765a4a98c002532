import { partitionName } from '../../cluster/snapshot.js'
import type { PartitionOutcome, RecoveryEvent, RecoveryPhase, RecoveryReport } from '../../recovery/apply/outcome.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'

/** A recovery that is under way, as far as its events told. Immutable. */
export interface RunUnderWay {
  readonly plan: RecoveryPlan
  readonly title: string
  readonly startedAt: Date
  readonly total: number
  readonly batch: number
  readonly batches: number
  /** Null: nothing has begun yet. */
  readonly phase: RecoveryPhase | null
  readonly counts: { readonly done: number; readonly failed: number; readonly skipped: number }
  /** `topic-partition: result: why`, the newest last. */
  readonly failures: readonly string[]
  /** Retries and notices, the newest last. */
  readonly notes: readonly string[]
  /** Why no new batch is begun; null: they go on. */
  readonly stopping: string | null
}

/** A recovery that has ended. */
export interface FinishedRun {
  readonly plan: RecoveryPlan
  readonly title: string
  readonly report: RecoveryReport
  readonly endedAt: Date
  /** Where the report was saved, or why it was not. */
  readonly saved: { readonly path: string } | { readonly problem: string } | null
}

/** Lines that are kept of each kind; the report has all. */
const KEPT = 500
const PHASES: readonly RecoveryPhase[] = ['read logs', 'journal', 're-order', 'elect', 'verify', 'put back']

export function newRun(plan: RecoveryPlan, title: string, startedAt: Date): RunUnderWay {
  return {
    plan,
    title,
    startedAt,
    total: plan.partitions.length + plan.skipped.length,
    batch: 0,
    batches: 0,
    phase: null,
    counts: { done: 0, failed: 0, skipped: 0 },
    failures: [],
    notes: [],
    stopping: null,
  }
}

export function afterEvent(run: RunUnderWay, event: RecoveryEvent): RunUnderWay {
  switch (event.type) {
    case 'started':
      return { ...run, total: event.total, batches: event.batches }
    case 'phase':
      return { ...run, phase: event.phase, batch: event.batch, batches: event.batches }
    case 'outcome':
      return afterOutcome(run, event.outcome)
    case 'retry':
      return { ...run, notes: kept(run.notes, `retry ${event.attempt} of ${event.of}: ${event.reason}`) }
    case 'notice':
      return { ...run, notes: kept(run.notes, event.text) }
    case 'stopping':
      return { ...run, stopping: event.reason }
    case 'finished':
      return run
  }
}

/** Share of the whole that is done, 0 to 1: batches, and the phases of the one under way. An election tells nothing finer. */
export function shareDone({ phase, batch, batches }: RunUnderWay): number {
  if (phase === null || batches === 0) return 0
  return (batch - 1 + PHASES.indexOf(phase) / PHASES.length) / batches
}

/** Time that is left, if it goes on as it went; null: too early to say. ms */
export function remainingMs(run: RunUnderWay, now: Date): number | null {
  const share = shareDone(run)
  if (share < 0.1) return null
  return ((now.getTime() - run.startedAt.getTime()) * (1 - share)) / share
}

export function left({ total, counts }: RunUnderWay): number {
  return Math.max(0, total - counts.done - counts.failed - counts.skipped)
}

/** "batch 2 of 3: elect" */
export function phaseText({ phase, batch, batches }: RunUnderWay): string {
  if (phase === null) return 'beginning'
  return batches > 1 ? `batch ${batch} of ${batches}: ${phase}` : phase
}

function afterOutcome(run: RunUnderWay, outcome: PartitionOutcome): RunUnderWay {
  const { done, failed, skipped } = run.counts
  switch (outcome.result) {
    case 'elected':
    case 'alreadyHasLeader':
      return { ...run, counts: { done: done + 1, failed, skipped } }
    case 'skipped':
    case 'notAttempted':
      return { ...run, counts: { done, failed, skipped: skipped + 1 } }
    case 'failed':
    case 'stale':
    case 'unknown': {
      const line = `${partitionName(outcome)}: ${outcome.result}: ${outcome.error ?? outcome.code ?? 'no reason was told'}`
      return { ...run, counts: { done, failed: failed + 1, skipped }, failures: kept(run.failures, line) }
    }
  }
}

function kept(lines: readonly string[], line: string): readonly string[] {
  return [...lines, line].slice(-KEPT)
}
