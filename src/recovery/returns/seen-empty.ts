import {
  type ClusterSnapshot,
  type PartitionState,
  partitionName,
  sameTopic,
  type TopicPartition,
} from '../../cluster/snapshot.js'
import type { Alarm } from './alarms.js'

/**
 * A broker that was seen up with an empty log of partitions that it may lead (alarm emptyLogMayLead). Once it is stopped, as the
 * alarm says, nothing in the cluster tells any more that its disk is not the old one: so it is remembered here.
 */
export interface SeenEmpty {
  readonly broker: number
  /** When it was seen so last. */
  readonly seenAt: Date
  /** By topic, then partition. */
  readonly partitions: readonly SeenEmptyPartition[]
  /**
   * Of which something was elected since: no start may cost anything there. That its disk is not the old one is true of the broker all the same, until it
   * is in sync.
   */
  readonly elected: readonly SeenEmptyPartition[]
}

/** A danger only as long as nothing was elected since: the same topic, the same leader epoch, no leader. */
export type SeenEmptyPartition = Pick<PartitionState, 'topic' | 'topicId' | 'partition' | 'leaderEpoch'>

/** What is remembered of a partition. */
export function seenEmptyPartition({ topic, topicId, partition, leaderEpoch }: SeenEmptyPartition): SeenEmptyPartition {
  return { topic, topicId, partition, leaderEpoch }
}

/** Everything that was seen empty on that broker, whether or not something was elected since. */
export function seenEmptyOn(broker: number, seen: readonly SeenEmpty[]): readonly SeenEmptyPartition[] {
  return seen.filter((one) => one.broker === broker).flatMap((one) => [...one.partitions, ...one.elected])
}

/** Keeps it between runs, for each cluster. A port. */
export interface SeenEmptyStorage {
  /** Nothing for what cannot be understood; rejects for what the system says. */
  load(clusterId: string): Promise<readonly SeenEmpty[]>
  /** Replaces what was there, whole or not at all; an empty list takes it away. */
  save(clusterId: string, seen: readonly SeenEmpty[]): Promise<void>
}

/**
 * What is to be remembered after this reading: what alarms show now, and of what was remembered whatever still holds. Where the partition has
 * a leader or another epoch by now, it counts as `elected`; it is forgotten where the broker is, or was since, in sync, or nobody leads and that broker's log was
 * read and has records (its old disk is back).
 */
export function seenEmptyNow(
  before: readonly SeenEmpty[],
  alarms: readonly Alarm[],
  snapshot: Pick<ClusterSnapshot, 'partitions'>,
  hasRecords: (broker: number, partition: TopicPartition) => boolean,
  now: Date,
): SeenEmpty[] {
  const fresh = alarms.filter(({ code }) => code === 'emptyLogMayLead')
  if (before.length === 0 && fresh.length === 0) return []
  const topics = new Set(
    [...before, ...fresh].flatMap((one) => [...one.partitions, ...('elected' in one ? one.elected : [])]).map(topicOf),
  )
  const states = new Map<string, PartitionState>()
  // There may be 200,000, and this is looked at again and again.
  for (const state of snapshot.partitions) if (topics.has(state.topic)) states.set(partitionName(state), state)
  const found = new Map<number, Found>()
  const note = (broker: number, seenAt: Date, as: 'partitions' | 'elected', seen: SeenEmptyPartition) => {
    const entry = found.get(broker) ?? { seenAt, partitions: new Map(), elected: new Map() }
    found.set(broker, entry)
    if (seenAt > entry.seenAt) entry.seenAt = seenAt
    const name = partitionName(seen)
    entry[as === 'partitions' ? 'elected' : 'partitions'].delete(name)
    entry[as].set(name, seenEmptyPartition(seen))
  }
  for (const { broker, seenAt, partitions, elected } of before) {
    for (const seen of [...partitions, ...elected]) {
      const state = states.get(partitionName(seen))
      if (state === undefined || !sameTopic(seen, state.topicId) || !state.replicas.includes(broker)) continue
      if (wasInSync(broker, seen, state) || (state.leader === null && hasRecords(broker, seen))) continue
      const holds = state.leader === null && state.leaderEpoch === seen.leaderEpoch
      note(broker, seenAt, holds ? 'partitions' : 'elected', { ...seen, topicId: seen.topicId ?? state.topicId })
    }
  }
  for (const { broker, partitions } of fresh) {
    if (broker === null) continue
    for (const partition of partitions) {
      const state = states.get(partitionName(partition))
      if (state !== undefined) note(broker, now, 'partitions', state)
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([broker, { seenAt, partitions, elected }]) => ({
      broker,
      seenAt,
      partitions: [...partitions.values()],
      elected: [...elected.values()],
    }))
}

interface Found {
  seenAt: Date
  readonly partitions: Map<string, SeenEmptyPartition>
  readonly elected: Map<string, SeenEmptyPartition>
}

/**
 * Whether the broker is in sync, or was so since it was seen empty: nobody need have looked meanwhile. Without a leader now, but with one since (to get one and to lose
 * it are two epochs), ISR, ELR and last known ELR name only who was in sync: an election of others empties them (KIP-966). Named alone after just two
 * epochs it may itself have been made leader as it was, empty, and been stopped: that is no old disk.
 */
export function wasInSync(broker: number, seen: SeenEmptyPartition, state: PartitionState): boolean {
  if (state.leader !== null) return state.isr.includes(broker)
  const epochs = state.leaderEpoch - seen.leaderEpoch
  const named = new Set([...state.isr, ...(state.elr ?? []), ...(state.lastKnownElr ?? [])])
  return named.has(broker) && (epochs > 2 || (epochs === 2 && named.size > 1))
}

const topicOf = ({ topic }: { readonly topic: string }) => topic

/**
 * What is to be remembered, with the memory brought up to date: it is read before, since other runs write it, too. `last`: what
 * this run has seen; it counts as well, since the memory may be one that cannot be read or kept (a full disk).
 */
export async function rememberSeenEmpty(
  memory: SeenEmptyStorage | null,
  last: readonly SeenEmpty[],
  alarms: readonly Alarm[],
  snapshot: Pick<ClusterSnapshot, 'clusterId' | 'partitions' | 'readAt'>,
  hasRecords: (broker: number, partition: TopicPartition) => boolean,
): Promise<readonly SeenEmpty[]> {
  const kept = memory === null ? [] : await memory.load(snapshot.clusterId).catch(() => [])
  // What was kept is the newer of the two.
  const seen = seenEmptyNow([...last, ...kept], alarms, snapshot, hasRecords, snapshot.readAt)
  if (memory !== null && !sameSeen(kept, seen)) await memory.save(snapshot.clusterId, seen).catch(() => {})
  return seen
}

/** Those whose start would be a danger: of brokers that are away now. Of one that is up the alarm itself tells. */
export function seenEmptyAway(
  seen: readonly SeenEmpty[],
  { brokers }: Pick<ClusterSnapshot, 'brokers'>,
): readonly SeenEmpty[] {
  const up = new Set(brokers.flatMap(({ id, state }) => (state === 'up' ? [id] : [])))
  return seen.filter(({ broker, partitions }) => !up.has(broker) && partitions.length > 0)
}

/** Times aside: they would have the file written each time a watch looks. */
export function sameSeen(a: readonly SeenEmpty[], b: readonly SeenEmpty[]): boolean {
  const plain = (seen: readonly SeenEmpty[]) =>
    JSON.stringify(seen.map(({ broker, partitions, elected }) => [broker, partitions, elected]))
  return plain(a) === plain(b)
}
