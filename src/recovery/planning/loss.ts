import type { ReplicaLog } from '../../cluster/replica-log.js'
import type { Loss, LostRange, ReplicaLoss } from './plan.js'
import { SharedParts } from './shared-parts.js'
import { agreement, type EpochHistory, hasUnknownEpochs } from './truncation.js'

/** What of `follower` stays when `leader` leads, [from, to); empty when to <= from. */
function kept(leader: EpochHistory, follower: EpochHistory): { readonly from: number; readonly to: number } {
  return {
    // Followers raise their log start to the leader's; one that was cut below it begins anew there.
    from: Math.max(follower.logStartOffset, leader.logStartOffset),
    to: agreement(leader, follower),
  }
}

/**
 * What `follower` loses when `leader` leads: its tail from where the two part, and its head below the leader's log start.
 * `offsets` null: one of the two has records without epochs.
 */
export function lossOf(leader: EpochHistory, follower: EpochHistory & { readonly broker: number }): ReplicaLoss {
  const { broker, logStartOffset, logEndOffset } = follower
  if (logEndOffset <= logStartOffset) return withoutRanges(broker, 0)
  if (hasUnknownEpochs(leader) || hasUnknownEpochs(follower)) return withoutRanges(broker, null)
  const keeps = kept(leader, follower)
  const ranges =
    keeps.to <= keeps.from
      ? byEpoch(follower, logStartOffset, logEndOffset).slice()
      : // A list that has grown keeps room for more: this one has none, and many are kept.
        byEpoch(follower, logStartOffset, keeps.from).concat(byEpoch(follower, keeps.to, logEndOffset))
  if (ranges.length === 0) return withoutRanges(broker, 0)
  return { broker, offsets: ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0), ranges }
}

const losses = new SharedParts<ReplicaLoss>()

function withoutRanges(broker: number, offsets: 0 | null): ReplicaLoss {
  return losses.of(`${broker} ${offsets}`, () => ({ broker, offsets, ranges: [] }))
}

/** [from, end) of a log, split where its epoch changes. */
function byEpoch(log: EpochHistory, from: number, end: number): LostRange[] {
  const ranges: LostRange[] = []
  const add = (epoch: number | null, start: number, stop: number) => {
    const first = Math.max(start, from)
    const last = Math.min(stop, end) - 1
    if (last >= first) ranges.push({ from: first, to: last, epoch })
  }
  add(null, log.logStartOffset, log.epochs[0]?.startOffset ?? log.logEndOffset)
  log.epochs.forEach((entry, index) => {
    add(
      entry.epoch,
      Math.max(entry.startOffset, log.logStartOffset),
      log.epochs[index + 1]?.startOffset ?? log.logEndOffset,
    )
  })
  return ranges
}

/** The number of distinct (epoch, offset) in these ranges, by interval arithmetic. */
export function distinctOffsets(ranges: readonly LostRange[]): number {
  const epochs = new Map<number | null, LostRange[]>()
  for (const range of ranges) {
    const same = epochs.get(range.epoch)
    if (same) same.push(range)
    else epochs.set(range.epoch, [range])
  }
  let count = 0
  for (const same of epochs.values()) {
    same.sort((a, b) => a.from - b.from)
    let covered = Number.NEGATIVE_INFINITY
    for (const { from, to } of same) {
      count += Math.max(0, to - Math.max(from - 1, covered))
      covered = Math.max(covered, to)
    }
  }
  return count
}

/**
 * What is lost when `leader` leads, over all other logs that were read. `assignment`: all replicas; the loss is known only
 * if each of them was read.
 */
export function lossUnder(leader: ReplicaLog, read: readonly ReplicaLog[], assignment: readonly number[]): Loss {
  const others = read.filter(({ broker }) => broker !== leader.broker)
  const perReplica = others.map((log) => lossOf(leader, log))
  const atLeast = distinctOffsets(perReplica.flatMap(({ ranges }) => ranges))
  const allRead = assignment.every((broker) => broker === leader.broker || others.some((log) => log.broker === broker))
  const allKnown = perReplica.every(({ offsets }) => offsets !== null)
  return { known: allRead && allKnown ? atLeast : null, atLeast, perReplica }
}

/**
 * Offsets lost that had been committed: the largest, over the other replicas, of what lies between the agreement and its high
 * watermark. Always a lower bound: a high watermark lags, and after a crash it is that of the last checkpoint.
 */
export function committedLossAtLeast(leader: ReplicaLog, read: readonly ReplicaLog[]): number {
  let most = 0
  for (const log of read) {
    if (log.broker === leader.broker || log.highWatermark === null) continue
    if (hasUnknownEpochs(leader) || hasUnknownEpochs(log)) continue
    const committedEnd = Math.min(log.highWatermark, log.logEndOffset)
    most = Math.max(most, committedEnd - Math.max(agreement(leader, log), log.logStartOffset))
  }
  return most
}
