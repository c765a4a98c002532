import { byTopicPartition } from '../../cluster/snapshot.js'
import type { OrderLeft, OutcomeResult, PartitionOutcome, RecoveryReport } from './outcome.js'

/** Sums up. Outcomes and orders left are put in order of topic, then partition. */
export function reportOf(
  outcomes: readonly PartitionOutcome[],
  rest: {
    readonly durationMs: number
    readonly ordersLeft: readonly OrderLeft[]
    readonly openJournal: string | null
  },
): RecoveryReport {
  const summary: Partial<Record<OutcomeResult, number>> = {}
  for (const { result } of outcomes) summary[result] = (summary[result] ?? 0) + 1
  return {
    outcome: [...outcomes].sort(byTopicPartition),
    summary,
    durationMs: rest.durationMs,
    ordersLeft: [...rest.ordersLeft].sort(byTopicPartition),
    openJournal: rest.openJournal,
  }
}

/**
 * The exit code that follows (cli.md): 0 only if every partition of the input was elected or has a leader already, and nothing
 * is left changed. A signal's 130 or 143 comes before it.
 */
export function exitCodeOf({ outcome, ordersLeft, openJournal }: RecoveryReport): 0 | 1 {
  const done = outcome.every(({ result }) => result === 'elected' || result === 'alreadyHasLeader')
  return done && ordersLeft.length === 0 && openJournal === null ? 0 : 1
}
