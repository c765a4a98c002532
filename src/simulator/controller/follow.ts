import type { SimulatedPartition } from '../model/partition.js'
import { endOfEpoch, lastEpoch, type ReplicaLog, truncatedTo, withLogStart } from '../model/replica-log.js'

/**
 * Cuts a follower's log back to what it shares with its leader's, by leader epochs, as a follower does with the diverging epoch
 * of its fetch answers (KIP-595). Against an empty leader nothing is shared: everything goes.
 */
export function cutToLeader(follower: ReplicaLog, leader: ReplicaLog): ReplicaLog {
  let log = follower
  for (;;) {
    const epoch = lastEpoch(log)
    if (epoch === null) break
    const theirs = endOfEpoch(leader, epoch)
    // The leader knows no such epoch: its own last epoch is older. It is asked with the newest one that it has.
    const known = theirs ?? newestEpoch(leader)
    if (known === null) {
      log = truncatedTo(log, leader.logStartOffset)
      break
    }
    const ours = endOfEpoch(log, known.epoch)
    const end = Math.min(known.endOffset, ours?.endOffset ?? log.logEndOffset)
    const cut = cutAt(log, end)
    const settled = known.epoch === epoch || lastEpoch(cut) === epoch
    log = cut
    if (settled) break
  }
  if (log.logEndOffset > leader.logEndOffset) log = cutAt(log, leader.logEndOffset)
  // Out of the leader's range: the follower starts anew at the leader's log start.
  return withLogStart(log, leader.logStartOffset)
}

function newestEpoch(log: ReplicaLog): { readonly epoch: number; readonly endOffset: number } | null {
  const epoch = lastEpoch(log)
  return epoch === null ? null : { epoch, endOffset: log.logEndOffset }
}

/** An epoch that would start at the new end goes too, also when no record goes: a follower has only epochs of records. */
function cutAt(log: ReplicaLog, offset: number): ReplicaLog {
  const cut = truncatedTo(log, offset)
  const epochs = cut.epochs.filter(([, start]) => start < cut.logEndOffset)
  return epochs.length === cut.epochs.length ? cut : { ...cut, epochs }
}

/** Copies at most `limit` offsets from the leader to a follower that was cut to it. */
export function copyFromLeader(follower: ReplicaLog, leader: ReplicaLog, limit: number): ReplicaLog {
  const wanted = leader.logEndOffset - follower.logEndOffset
  const copied = Math.max(0, Math.min(wanted, limit))
  const logEndOffset = follower.logEndOffset + copied
  const known = lastEpoch(follower)
  const epochs = [...follower.epochs]
  leader.epochs.forEach(([epoch, start], index) => {
    const end = leader.epochs[index + 1]?.[1] ?? leader.logEndOffset
    // Only epochs with a record that was copied; where the follower begins inside of one, it begins there.
    if (end <= follower.logEndOffset || Math.max(start, follower.logEndOffset) >= logEndOffset || end <= start) return
    if (known !== null && epoch <= known) return
    epochs.push([epoch, Math.max(start, follower.logEndOffset)])
  })
  const leaderSize = leader.logEndOffset - leader.logStartOffset
  const size = logEndOffset - follower.logStartOffset
  return {
    ...follower,
    logEndOffset,
    epochs,
    highWatermark: Math.max(follower.highWatermark, Math.min(leader.highWatermark, logEndOffset)),
    sizeBytes: copied === 0 ? follower.sizeBytes : Math.round((leader.sizeBytes * size) / Math.max(1, leaderSize)),
    lastTimestamp: logEndOffset === leader.logEndOffset ? leader.lastTimestamp : follower.lastTimestamp,
  }
}

/**
 * The leader's high watermark: the least end among those in sync. It never falls, and stays where it is while fewer than
 * min.insync.replicas are in sync (measured on 4.4.0: records that one alone acknowledged are no committed ones).
 */
export function advancedHighWatermark(partition: SimulatedPartition, leader: ReplicaLog, minIsr: number): number {
  const { isr } = partition.registration.current
  if (isr.length < minIsr) return Math.min(leader.highWatermark, leader.logEndOffset)
  let least = leader.logEndOffset
  for (const member of isr) least = Math.min(least, partition.log(member)?.logEndOffset ?? least)
  return Math.max(Math.min(leader.highWatermark, leader.logEndOffset), least)
}
