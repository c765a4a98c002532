import {
  byTopicPartition,
  type ClusterSnapshot,
  hasRole,
  type LogDir,
  type PartitionState,
  partitionName,
  sameTopic,
  type TopicPartition,
} from '../cluster/snapshot.js'
import { type SeenEmptyPartition, seenEmptyPartition } from '../recovery/returns/seen-empty.js'
import { stillEmptied } from './seen-emptied.js'

/**
 * What was seen of log directories while they could be asked. A failed directory tells no replicas, and once its broker is stopped
 * nobody can tell which it had (measured on 4.4.0): so it is noted before. A hint from the past, never a proof of what is now.
 */
export interface SeenCluster {
  readonly brokers: readonly SeenBroker[]
  /** By broker, then path. */
  readonly directories: readonly SeenDirectory[]
}

/** A broker's own configuration, which it can not tell while it is stopped. */
export interface SeenBroker {
  readonly broker: number
  readonly seenAt: Date
  readonly logDirs: readonly string[]
  readonly metadataLogDir: string | null
  readonly processRoles: readonly string[]
}

export interface SeenReplica extends TopicPartition {
  readonly topicId: string | null
  /** Of this replica on this disk. Null: not told. */
  readonly sizeBytes: number | null
  /** The furthest log end that any replica of the partition was read with. Null: none was read. */
  readonly logEndOffset: number | null
}

export interface SeenDirectory {
  readonly broker: number
  readonly path: string
  /** When its replicas were told last. */
  readonly seenAt: Date
  /** Null: too many to keep. */
  readonly replicas: readonly SeenReplica[] | null
  /** What it held when it was first seen failed, or gone from its broker's answer; kept until all of that is in sync again. */
  readonly lost: LostReplicas | null
  /** When it was first seen emptied (state Z), until its replicas are in sync or its old disk is back. Null or left out: it was not. */
  readonly emptiedAt?: Date | null
  /**
   * Of these nobody led when it was seen emptied last, and the broker was named in their roles. If each of them shows that it was in sync since, that it was emptied
   * is over, though nobody looked in time. Left out: none.
   */
  readonly emptiedOf?: readonly SeenEmptyPartition[]
}

export interface LostReplicas {
  readonly since: Date
  /** False: several directories of the broker failed, and some of these may have been in another one. */
  readonly exact: boolean
  readonly replicas: readonly SeenReplica[]
}

/** Keeps it between runs, for each cluster. A port. */
export interface SeenPlacementsStorage {
  /** Nothing for what cannot be understood; rejects for what the system says. */
  load(clusterId: string): Promise<SeenCluster>
  /** Replaces what was there, whole or not at all. */
  save(clusterId: string, seen: SeenCluster): Promise<void>
}

export const NOTHING_SEEN: SeenCluster = { brokers: [], directories: [] }

/** Replicas that are remembered of one cluster: some 10 MB. What failed directories held always goes first. */
export const REPLICAS_KEPT = 300_000

export interface SeenNow {
  /** The furthest log end that was read of each partition, by partitionName; its leader's, where it has one. */
  readonly logEnds?: ReadonlyMap<string, number>
  readonly brokers?: readonly SeenBroker[]
  /** partitionName of those that an operator gave up: that their log is shorter than it was no longer counts. */
  readonly writtenOff?: ReadonlySet<string>
  /** Directories of which this reading shows that they were emptied. */
  readonly emptied?: readonly { readonly broker: number; readonly path: string }[]
  /** partitionName of those of which the log on the broker that was asked has records. */
  readonly withRecords?: ReadonlySet<string>
}

export function findSeen(seen: SeenCluster, broker: number, path: string): SeenDirectory | null {
  return seen.directories.find((dir) => dir.broker === broker && dir.path === path) ?? null
}

/**
 * Replicas of an alive broker that are on none of the directories it told of as good: those of its failed ones. The metadata calls them
 * offline, or does not yet; where placements were read that is found all the same.
 */
export function replicasOffDisk(broker: number, snapshot: ClusterSnapshot): PartitionState[] {
  const dirs = (snapshot.logDirs ?? []).filter((dir) => dir.broker === broker)
  const good = dirs.filter(({ state }) => state === 'online')
  const placed =
    good.length === 0 || good.some(({ replicas }) => replicas === null)
      ? null
      : new Set(
          good.flatMap(({ replicas }) => replicas ?? []).flatMap((one) => (one.isFuture ? [] : partitionName(one))),
        )
  return snapshot.partitions.filter(
    (state) =>
      state.replicas.includes(broker) &&
      (state.offlineReplicas.includes(broker) || (placed !== null && !placed.has(partitionName(state)))),
  )
}

/** What is to be remembered after this reading, in which directories were asked for. Pure. */
export function noteSeen(before: SeenCluster, snapshot: ClusterSnapshot, now: SeenNow = {}): SeenCluster {
  if (snapshot.logDirs === null) return before
  const states = new Map(snapshot.partitions.map((state) => [partitionName(state), state]))
  const up = new Set(snapshot.brokers.flatMap(({ id, state }) => (state === 'up' ? [id] : [])))
  const told = new Map<number, LogDir[]>()
  for (const dir of snapshot.logDirs) told.set(dir.broker, [...(told.get(dir.broker) ?? []), dir])
  const known = new Map(before.directories.map((dir) => [keyOf(dir.broker, dir.path), dir]))
  const next = new Map(known)
  for (const [broker, dirs] of told) {
    if (!up.has(broker)) continue
    for (const dir of dirs) {
      const key = keyOf(broker, dir.path)
      const old = known.get(key) ?? null
      const noted = dir.state === 'online' ? noteGood(dir, old, states, snapshot.readAt) : old
      const lost = dir.state === 'online' ? noted?.lost : (noteFailed(dir, old, snapshot, known) ?? noted?.lost)
      if (noted === null && lost === undefined) continue
      next.set(key, {
        ...(noted ?? { broker, path: dir.path, seenAt: snapshot.readAt, replicas: null }),
        lost: lost ?? null,
      })
    }
    const paths = new Set(dirs.map(({ path }) => path))
    for (const dir of before.directories) {
      if (dir.broker !== broker || paths.has(dir.path) || dir.lost !== null) continue
      const replicas = (dir.replicas ?? []).map(withoutEnd)
      const lost = { since: snapshot.readAt, exact: true, replicas }
      if (replicas.length > 0) next.set(keyOf(broker, dir.path), { ...dir, lost })
      else next.delete(keyOf(broker, dir.path))
    }
  }
  const directories = [...next.values()].flatMap((dir) => settled(dir, told.get(dir.broker) ?? null, states, now) ?? [])
  const brokers = new Map(before.brokers.map((one) => [one.broker, one]))
  for (const one of now.brokers ?? []) brokers.set(one.broker, one)
  return bounded({
    brokers: [...brokers.values()].sort((a, b) => a.broker - b.broker),
    directories: directories
      .map((dir) => withEmptied(withLogEnds(dir, states, now), snapshot, states, now))
      .sort((a, b) => a.broker - b.broker || (a.path < b.path ? -1 : 1)),
  })
}

function keyOf(broker: number, path: string): string {
  return `${broker} ${path}`
}

function noteGood(
  dir: LogDir,
  old: SeenDirectory | null,
  states: ReadonlyMap<string, PartitionState>,
  readAt: Date,
): SeenDirectory | null {
  if (dir.replicas === null) return old
  // Most often no end was ever read of any: then there is nothing to take over.
  const ended = (old?.replicas ?? []).filter(({ logEndOffset }) => logEndOffset !== null)
  const ends = new Map(ended.map((one) => [partitionName(one), one]))
  const replicas: SeenReplica[] = []
  for (const placed of dir.replicas) {
    const { topic, partition, sizeBytes, isFuture } = placed
    if (isFuture) continue
    const name = partitionName(placed)
    const topicId = states.get(name)?.topicId ?? null
    const earlier = ends.get(name)
    const same = earlier !== undefined && sameTopic(earlier, topicId)
    replicas.push({ topic, topicId, partition, sizeBytes, logEndOffset: same ? earlier.logEndOffset : null })
  }
  return {
    broker: dir.broker,
    path: dir.path,
    seenAt: readAt,
    replicas: replicas.sort(byTopicPartition),
    lost: old?.lost ?? emptiedMeanwhile(dir, old, states, readAt),
    ...(old?.emptiedAt == null ? {} : { emptiedAt: old.emptiedAt, emptiedOf: old.emptiedOf ?? [] }),
  }
}

/** A replica that is this much smaller than it was, and not in sync, was made anew: retention alone makes no follower fall behind. */
const SHRUNK_TO = 0.5

/** Nobody looked while the directory was replaced: its replicas are there again, but far smaller, and behind or without a leader. */
function emptiedMeanwhile(
  dir: LogDir,
  old: SeenDirectory | null,
  states: ReadonlyMap<string, PartitionState>,
  readAt: Date,
): LostReplicas | null {
  const before = old?.replicas ?? []
  if (before.length === 0) return null
  const now = new Map((dir.replicas ?? []).map((one) => [partitionName(one), one.sizeBytes]))
  const replicas = before.filter((earlier) => {
    if (earlier.sizeBytes === null || earlier.sizeBytes === 0) return false
    const name = partitionName(earlier)
    const state = states.get(name)
    const size = now.get(name)
    if (state === undefined || size === undefined) return false
    const shrunk = size <= earlier.sizeBytes * SHRUNK_TO && sameTopic(earlier, state.topicId)
    return shrunk && (state.leader === null || !state.isr.includes(dir.broker) || size === 0)
  })
  return replicas.length === 0 ? null : { since: readAt, exact: true, replicas: replicas.map(withoutEnd) }
}

/**
 * When a replica is lost, how far its own log went does not count any more: only what the others hold from then on can be lost by mistake. To
 * be shorter than the lost one is what every election without it costs.
 */
function withoutEnd(replica: SeenReplica): SeenReplica {
  return { ...replica, logEndOffset: null }
}

/** Undefined: nothing that is known was in it. */
function noteFailed(
  dir: LogDir,
  old: SeenDirectory | null,
  snapshot: ClusterSnapshot,
  known: ReadonlyMap<string, SeenDirectory>,
): LostReplicas | undefined {
  const others = (snapshot.logDirs ?? []).filter(
    (other) => other.broker === dir.broker && other.state !== 'online' && other.path !== dir.path,
  )
  const elsewhere = new Set(
    others.flatMap((other) => {
      const seen = known.get(keyOf(other.broker, other.path))
      return (seen?.replicas ?? seen?.lost?.replicas ?? []).map(partitionName)
    }),
  )
  const before = new Map(
    [...(old?.replicas ?? []).map(withoutEnd), ...(old?.lost?.replicas ?? [])].map((one) => [partitionName(one), one]),
  )
  let exact = true
  const replicas = replicasOffDisk(dir.broker, snapshot).flatMap((state): SeenReplica[] => {
    const name = partitionName(state)
    const earlier = before.get(name)
    const mine = earlier !== undefined && sameTopic(earlier, state.topicId)
    if (!mine && elsewhere.has(name)) return []
    if (!mine && others.length > 0) exact = false
    const { topic, topicId, partition } = state
    if (mine) return [{ ...earlier, topicId }]
    return [{ topic, topicId, partition, sizeBytes: null, logEndOffset: null }]
  })
  if (replicas.length === 0 && old === null) return undefined
  return { since: old?.lost?.since ?? snapshot.readAt, exact, replicas: replicas.sort(byTopicPartition) }
}

/** Null: to be forgotten. What was lost is over once all of it that is left is in sync on that broker, and no shorter than it was. */
function settled(
  dir: SeenDirectory,
  told: readonly LogDir[] | null,
  states: ReadonlyMap<string, PartitionState>,
  { logEnds, writtenOff }: SeenNow,
): SeenDirectory | null {
  if (dir.lost === null || told === null) return dir
  const now = told.find(({ path }) => path === dir.path)
  if (now !== undefined && now.state !== 'online') return dir
  const sizes = new Map(
    told.flatMap(({ replicas }) => (replicas ?? []).map((one) => [partitionName(one), one.sizeBytes])),
  )
  const shorter = (replica: SeenReplica): boolean => {
    const name = partitionName(replica)
    if (replica.logEndOffset === null || replica.logEndOffset === 0 || writtenOff?.has(name)) return false
    const end = logEnds?.get(name)
    return end === undefined ? sizes.get(name) === 0 : end < replica.logEndOffset
  }
  const open = dir.lost.replicas.some((replica) => {
    const state = states.get(partitionName(replica))
    const gone = state === undefined || !sameTopic(replica, state.topicId) || !state.replicas.includes(dir.broker)
    if (gone || (state.leader === null && writtenOff?.has(partitionName(replica)))) return false
    return state.leader === null || !state.isr.includes(dir.broker) || shorter(replica)
  })
  if (open) return dir
  return now === undefined ? null : { ...dir, lost: null }
}

/**
 * The furthest end ever seen: a leader that ends before it has lost records, until an operator has given them up. While nobody leads, any election
 * may cost what only missing replicas hold: then just what can be read counts.
 */
function withLogEnds(
  dir: SeenDirectory,
  states: ReadonlyMap<string, PartitionState>,
  { logEnds, writtenOff }: SeenNow,
): SeenDirectory {
  const raise = (one: SeenReplica): SeenReplica => {
    const name = partitionName(one)
    const end = logEnds?.get(name)
    if (end === undefined || (!writtenOff?.has(name) && (one.logEndOffset ?? -1) >= end)) return one
    return { ...one, logEndOffset: end }
  }
  const nothing = logEnds === undefined || logEnds.size === 0
  const renew = (one: SeenReplica): SeenReplica =>
    one.logEndOffset !== null && states.get(partitionName(one))?.leader === null ? raise(withoutEnd(one)) : raise(one)
  // Nothing was read, and nothing is known of before: most directories, each time.
  const held = dir.replicas
  const same = nothing && held?.every(({ logEndOffset }) => logEndOffset === null) !== false
  return {
    ...dir,
    replicas: same ? held : (held?.map(renew) ?? null),
    lost: dir.lost === null ? null : { ...dir.lost, replicas: dir.lost.replicas.map(raise) },
  }
}

/** That it was emptied is first noted, then forgotten once it does not count any more. */
function withEmptied(
  dir: SeenDirectory,
  snapshot: ClusterSnapshot,
  states: ReadonlyMap<string, PartitionState>,
  { emptied, withRecords, writtenOff }: SeenNow,
): SeenDirectory {
  const fresh = emptied?.some((one) => one.broker === dir.broker && one.path === dir.path) === true
  // Most directories, each time: what they hold is not gone through.
  if (!fresh && dir.emptiedAt == null) return dir
  const held = dir.replicas?.flatMap((one) => states.get(partitionName(one)) ?? []) ?? snapshot.partitions
  if (fresh) {
    const waiting = held.filter((one) => one.leader === null && hasRole(dir.broker, one))
    const emptiedOf = waiting.length > 0 ? waiting.map(seenEmptyPartition) : (dir.emptiedOf ?? [])
    return { ...dir, emptiedAt: dir.emptiedAt ?? snapshot.readAt, emptiedOf }
  }
  const { emptiedAt: _, emptiedOf, ...forgotten } = dir
  const now = (snapshot.logDirs ?? []).find((one) => one.broker === dir.broker && one.path === dir.path)
  const state = snapshot.brokers.find(({ id }) => id === dir.broker)?.state ?? 'down'
  if (state === 'up' && (now === undefined || now.state !== 'online')) return dir
  return stillEmptied(dir.broker, state, held, { withRecords, writtenOff, emptiedOf }) ? dir : forgotten
}

function bounded(seen: SeenCluster): SeenCluster {
  let left = REPLICAS_KEPT
  for (const { lost } of seen.directories) left -= lost?.replicas.length ?? 0
  const directories = seen.directories.map((dir) => {
    const size = dir.replicas?.length ?? 0
    if (size <= left) {
      left -= size
      return dir
    }
    return { ...dir, replicas: null }
  })
  return { ...seen, directories }
}
