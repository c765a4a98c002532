import type { EpochStart, ReplicaLog } from '../cluster/replica-log.js'

/** What truncation depends on. Offsets; the end is exclusive. */
export type EpochHistory = Pick<ReplicaLog, 'logStartOffset' | 'logEndOffset' | 'epochs'>

/** A replica has records whose epochs nobody kept: then truncation goes by the high watermark, which is not predictable. */
export function hasUnknownEpochs(log: Pick<ReplicaLog, 'logStartOffset' | 'logEndOffset' | 'epochs'>): boolean {
  return log.logEndOffset > log.logStartOffset && log.epochs.length === 0
}

/**
 * The offset (exclusive) up to which follower R keeps its log when L leads: Kafka's truncation by epochs
 * (AbstractFetcherThread.getOffsetTruncationState with LeaderEpochFileCache.endOffsetFor), repeated until leader and follower
 * agree. Below R's log start: nothing of it is kept. Both need known epochs.
 */
export function agreement(leader: EpochHistory, follower: EpochHistory): number {
  // A new leader notes its epoch at its log end when it takes over (measured), so every epoch of a follower is below its last.
  const leaderEpochs = [...leader.epochs, { epoch: Number.POSITIVE_INFINITY, startOffset: leader.logEndOffset }]
  let end = follower.logEndOffset
  for (;;) {
    const history = follower.epochs.filter(({ startOffset }) => startOffset < end)
    const last = history.at(-1)
    if (last === undefined) return Math.min(end, leader.logEndOffset)
    const asked = endOfEpoch(leaderEpochs, leader.logEndOffset, last.epoch)
    if (asked.epoch === last.epoch && asked.endOffset >= end) return end
    const own = endOfEpoch(history, end, asked.epoch)
    const cut = own.epoch === asked.epoch ? Math.min(own.endOffset, asked.endOffset) : own.endOffset
    // Each round drops at least the follower's last epoch or ends within it: it settles.
    if (cut >= end) return end
    end = cut
  }
}

/**
 * Kafka's LeaderEpochFileCache.endOffsetFor: the largest epoch up to the one asked for, and where it ends. For an epoch below
 * the first known one it answers that very epoch, and the first one's start.
 */
function endOfEpoch(
  epochs: readonly EpochStart[],
  logEndOffset: number,
  asked: number,
): { readonly epoch: number; readonly endOffset: number } {
  let floor: EpochStart | undefined
  for (const entry of epochs) {
    if (entry.epoch > asked) return { epoch: floor?.epoch ?? asked, endOffset: entry.startOffset }
    floor = entry
  }
  return { epoch: floor?.epoch ?? asked, endOffset: logEndOffset }
}
