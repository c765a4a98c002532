import type { ClusterSnapshot, LogDir, PartitionState, TopicPartition } from '../cluster/snapshot.js'
import { partitionName, sameTopic } from '../cluster/snapshot.js'
import { findSeen, noteSeen, type SeenCluster, type SeenReplica } from './seen-placements.js'

/**
 * How it is known what a directory holds or held. told: its broker says so now. derived: it failed, and these are the replicas that its alive
 * broker has on no good directory. noted: it was seen failed or gone before. seen: as it was while it was good. unknown: nobody can tell any more.
 */
export type HeldSource = 'told' | 'derived' | 'noted' | 'seen' | 'unknown'

export interface HeldPartitions {
  readonly source: HeldSource
  /** When it was seen so; null: now, or never. */
  readonly at: Date | null
  /** False: several directories of the broker failed, and some of these may have been in another one. */
  readonly exact: boolean
  /** As they are now; by topic, then partition. */
  readonly partitions: readonly PartitionState[]
  /** What was seen of them before, by partitionName. */
  readonly before: ReadonlyMap<string, SeenReplica>
  /** Deleted since, or moved to other brokers. */
  readonly gone: readonly TopicPartition[]
}

/** What a directory holds or held. `seen`: what was kept of earlier readings; this one need not be in it yet. Pure. */
export function heldPartitions(
  broker: number,
  path: string,
  snapshot: ClusterSnapshot,
  seen: SeenCluster,
): HeldPartitions {
  const state = snapshot.brokers.find(({ id }) => id === broker)?.state ?? 'down'
  const told = (snapshot.logDirs ?? []).find((dir) => dir.broker === broker && dir.path === path)
  const noted = findSeen(noteSeen(seen, snapshot), broker, path)
  // What this very reading shows to be in sync again is still what the repair was about.
  const lost = noted?.lost ?? findSeen(seen, broker, path)?.lost ?? null
  const now = (source: HeldSource, list: readonly SeenReplica[], at: Date | null, exact = true) =>
    withStates(source, at, exact, list, broker, snapshot)
  if (lost !== null) {
    const fresh = state === 'up' && told !== undefined && told.state !== 'online'
    return now(fresh ? 'derived' : 'noted', lost.replicas, fresh ? null : lost.since, lost.exact)
  }
  if (noted !== null && noted.replicas !== null) {
    return isTold(told) ? now('told', noted.replicas, null) : now('seen', noted.replicas, noted.seenAt)
  }
  return { source: 'unknown', at: null, exact: false, partitions: [], before: new Map(), gone: [] }
}

function isTold(dir: LogDir | undefined): boolean {
  return dir?.state === 'online' && dir.replicas !== null
}

function withStates(
  source: HeldSource,
  at: Date | null,
  exact: boolean,
  list: readonly SeenReplica[],
  broker: number,
  snapshot: ClusterSnapshot,
): HeldPartitions {
  const wanted = new Map(list.map((one) => [partitionName(one), one]))
  const partitions: PartitionState[] = []
  const before = new Map<string, SeenReplica>()
  for (const state of snapshot.partitions) {
    const name = partitionName(state)
    const earlier = wanted.get(name)
    if (earlier === undefined || !sameTopic(earlier, state.topicId) || !state.replicas.includes(broker)) continue
    partitions.push(state)
    before.set(name, earlier)
    wanted.delete(name)
  }
  const gone = [...wanted.values()].map(({ topic, partition }) => ({ topic, partition }))
  return { source, at, exact, partitions, before, gone }
}
