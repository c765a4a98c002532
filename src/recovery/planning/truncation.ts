import type { EpochStart, ReplicaLog } from '../../cluster/replica-log.js'

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
  let end = follower.logEndOffset
  let entries = follower.epochs.length
  for (;;) {
    while (entries > 0 && (follower.epochs[entries - 1]?.startOffset ?? end) >= end) entries -= 1
    const last = follower.epochs[entries - 1]
    if (last === undefined) return Math.min(end, leader.logEndOffset)
    // A new leader notes its epoch at its log end when it takes over (measured), so every epoch of a follower is below its last:
    // where its written ones end, its log ends.
    const asked = endOfEpoch(leader.epochs, leader.epochs.length, leader.logEndOffset, last.epoch)
    if (asked.epoch === last.epoch && asked.endOffset >= end) return end
    const own = endOfEpoch(follower.epochs, entries, end, asked.epoch)
    const cut = own.epoch === asked.epoch ? Math.min(own.endOffset, asked.endOffset) : own.endOffset
    // Each round drops at least the follower's last epoch or ends within it: it settles.
    if (cut >= end) return end
    end = cut
  }
}

/**
 * Kafka's LeaderEpochFileCache.endOffsetFor over the first `entries` of a history: the largest epoch up to the one asked for, and
 * where it ends. For an epoch below the first known one it answers that very epoch, and the first one's start.
 */
function endOfEpoch(
  epochs: readonly EpochStart[],
  entries: number,
  logEndOffset: number,
  asked: number,
): { readonly epoch: number; readonly endOffset: number } {
  let low = 0
  let high = entries
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((epochs[middle]?.epoch ?? asked) <= asked) low = middle + 1
    else high = middle
  }
  const higher = low < entries ? epochs[low] : undefined
  return { epoch: epochs[low - 1]?.epoch ?? asked, endOffset: higher?.startOffset ?? logEndOffset }
}
