import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { distinctOffsets, lossOf } from '../planning/loss.js'
import { type EpochHistory, hasUnknownEpochs } from '../planning/truncation.js'

/**
 * What the election cost: distinct (epoch, offset) that replicas held before and that the new leader did not have when it took
 * over. `leaderAfter` was read after the election, with its history. Counts over the replicas that were read before, so it is
 * a lower bound, as the plan's `atLeast` is.
 *
 * Null: it cannot be measured, since a log has records without epochs.
 */
export function measuredLoss(before: PartitionEvidence, leaderAfter: ReplicaLog): number | null {
  const logsBefore = before.replicas.filter((replica): replica is ReplicaLog => replica.kind === 'read')
  const takenOver = asItTookOver(
    leaderAfter,
    before.state.leaderEpoch,
    logsBefore.find(({ broker }) => broker === leaderAfter.broker),
  )
  if (takenOver === null) return null
  const losses = logsBefore.map((log) => lossOf(takenOver, log))
  if (losses.some(({ offsets }) => offsets === null)) return null
  return distinctOffsets(losses.flatMap(({ ranges }) => ranges))
}

/** The leader's log as it was at the election, freed of what it wrote or deleted since. Null: not known any more. */
function asItTookOver(
  after: ReplicaLog,
  leaderEpochBefore: number,
  before: ReplicaLog | undefined,
): EpochHistory | null {
  if (hasUnknownEpochs(after)) return null
  const ownFirst = after.epochs.find(({ epoch }) => epoch > leaderEpochBefore)
  const history = after.epochs.filter(({ epoch }) => epoch <= leaderEpochBefore)
  const logEndOffset = ownFirst?.startOffset ?? after.logEndOffset
  // Retention after the election is no loss by the election: what it had before still counts as had.
  const deletedSince = before !== undefined && before.logStartOffset < after.logStartOffset ? before : undefined
  if (deletedSince === undefined) return { logStartOffset: after.logStartOffset, logEndOffset, epochs: history }
  // Whether it was emptied before it took over, or all of its old records were deleted since, cannot be told apart.
  if (history.length === 0) return null
  const older = deletedSince.epochs.filter(({ epoch }) => !history.some((entry) => entry.epoch === epoch))
  const firstKept = history[0]?.epoch ?? 0
  const rewritten = deletedSince.epochs.find(({ epoch }) => epoch === firstKept)
  return {
    logStartOffset: deletedSince.logStartOffset,
    logEndOffset,
    epochs: [
      ...older.filter(({ epoch }) => epoch < firstKept),
      // Retention moved the first entry to the log start (measured); its old start is in what was read before.
      ...history.map((entry) => (entry.epoch === firstKept && rewritten ? rewritten : entry)),
    ],
  }
}
