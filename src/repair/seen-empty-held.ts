import { type ClusterSnapshot, partitionName } from '../cluster/snapshot.js'
import { type SeenEmpty, type SeenEmptyPartition, seenEmptyOn } from '../recovery/returns/seen-empty.js'
import type { HeldPartitions } from './held-partitions.js'
import type { SeenReplica } from './seen-placements.js'

/**
 * What was seen empty on the broker and was noted in none of its directories: made after they were looked at last, or in one of which too much was to be
 * noted. Any of them may be the emptied one. `directories`: what each of the broker's holds or held. Pure.
 */
export function seenEmptyUnplaced(
  broker: number,
  seenEmpty: readonly SeenEmpty[],
  directories: readonly HeldPartitions[],
): readonly SeenEmptyPartition[] {
  return seenEmptyOn(broker, seenEmpty).filter(
    (one) => !directories.some(({ before }) => before.has(partitionName(one))),
  )
}

/**
 * What the directory held, and what it may have held: else a start is let through that has an empty log lead just those. What was told now, or derived from it,
 * is known to be all; of what is unknown everything is counted anyhow. Pure.
 */
export function withSeenEmpty(
  held: HeldPartitions,
  unplaced: readonly SeenEmptyPartition[],
  snapshot: Pick<ClusterSnapshot, 'partitions'>,
): HeldPartitions {
  if (unplaced.length === 0 || (held.source !== 'seen' && held.source !== 'noted')) return held
  const names = new Set(unplaced.map(partitionName))
  const more = snapshot.partitions.filter((state) => names.has(partitionName(state)))
  const all = new Set([...held.partitions, ...more])
  const before = new Map<string, SeenReplica>(held.before)
  for (const { topic, topicId, partition } of more) {
    before.set(partitionName({ topic, partition }), { topic, topicId, partition, sizeBytes: null, logEndOffset: null })
  }
  // In the order of the snapshot, as it was.
  return { ...held, before, partitions: snapshot.partitions.filter((state) => all.has(state)) }
}
