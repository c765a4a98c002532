import { hasRole, INTERNAL_TOPICS } from '../../cluster/snapshot.js'
import type { SkipCode } from '../planning/plan.js'
import type { StartFinding } from '../returns/start-advice.js'
import type { DecidedPartition, DiagnosedPartition, GroupId } from './diagnosed-partition.js'

/** What is lost over several partitions, offsets. `open`: some replica was not read, so more may be ("N + ?"). */
export interface LossSum {
  readonly atLeast: number
  readonly open: boolean
}

/** Partitions of which the same can be decided. */
export interface DecisionGroup {
  readonly id: GroupId
  /** The broker that they wait for; null in all other groups. */
  readonly waitsFor: number | null
  /** Internal topics first; then B by how far the best read epoch lies below the leader epoch, others by topic, partition. */
  readonly partitions: readonly DiagnosedPartition[]
  /** Null where nothing is to be elected: C, D, waits-N, reading. */
  readonly loss: LossSum | null
  /** Why they were left to the operator, the most frequent first; empty where all are planned. */
  readonly codes: readonly { readonly code: SkipCode; readonly count: number }[]
}

/** Brokers stopped for a repair, each with the partitionName of those partitions whose log on it is lost or will be. */
export type StoppedForRepair = ReadonlyMap<number, ReadonlySet<string>>

/** Replicas that were not read, and hold a role: each probably holds more. The planned partitions that have one are betterMissing. */
export function betterMissingBrokers({ evidence, ranking }: DecidedPartition): number[] {
  if (evidence === null) return []
  return ranking
    .filter(({ broker, eligible }) => !eligible && hasRole(broker, evidence.state))
    .map(({ broker }) => broker)
}

/**
 * The one group of a partition. It waits for a broker only while that one is away, would bring it back with its old disks, and
 * still has its log: a partition whose log there is lost must be elected instead, and that broker's roles no longer count.
 */
export function groupOf(
  name: string,
  decided: DecidedPartition | null,
  starts: readonly StartFinding[],
  stopped: StoppedForRepair,
): GroupId {
  if (decided === null) return 'reading'
  const lostOn = (broker: number) => stopped.get(broker)?.has(name) === true
  if (stopped.size > 0) {
    const awaited = starts.find(({ broker, bringsBack }) => bringsBack && stopped.has(broker) && !lostOn(broker))
    if (awaited !== undefined) return `waits-${awaited.broker}`
  }
  if (!('designatedLeader' in decided)) return decided.code === 'blocked' ? 'D' : 'C'
  return betterMissingBrokers(decided).every(lostOn) ? 'A' : 'B'
}

/**
 * How many leader epochs lie between the partition's and that of the best log that was read: what happened meanwhile is on
 * replicas that were not read. Infinite where the best log is empty or its epoch unknown, or none was read.
 */
export function epochsBehind({ state, decided }: DiagnosedPartition): number {
  const best = decided === null ? undefined : bestRead(decided)
  return best?.lastWrittenEpoch.kind === 'epoch'
    ? Math.max(0, state.leaderEpoch - best.lastWrittenEpoch.epoch)
    : Number.POSITIVE_INFINITY
}

/** The log of the first by rank; undefined: no replica is eligible. */
export function bestRead({ evidence, ranking }: DecidedPartition) {
  const first = ranking.find(({ rank }) => rank === 1)
  const replica = evidence?.replicas.find(({ broker }) => broker === first?.broker)
  return replica?.kind === 'read' ? replica : undefined
}

export interface GroupCollector {
  /** In the order of topic, then partition. */
  add(partition: DiagnosedPartition): void
  groups(): DecisionGroup[]
}

/**
 * Puts partitions into their groups, one after the other, so that a hundred thousand need not be gone through at once. A to D are
 * always there, also empty; then those that wait, by broker; `reading` only if there is one.
 */
export function groupCollector(internalTopics: ReadonlySet<string>): GroupCollector {
  const found = new Map<GroupId, Collected>((['A', 'B', 'C', 'D'] as const).map((id) => [id, newCollected(id)]))
  let topic: string | null = null
  let internal = false
  return {
    add(partition) {
      if (partition.topic !== topic) {
        topic = partition.topic
        internal = isInternal(topic, internalTopics)
      }
      const into = found.get(partition.group) ?? newCollected(partition.group)
      found.set(partition.group, into)
      addTo(into, partition, internal)
    },
    groups: () => [...found.values()].sort((a, b) => groupOrder(a.id) - groupOrder(b.id)).map(groupFrom),
  }
}

export function groupPartitions(
  partitions: Iterable<DiagnosedPartition>,
  internalTopics: ReadonlySet<string>,
): DecisionGroup[] {
  const collector = groupCollector(internalTopics)
  for (const partition of partitions) collector.add(partition)
  return collector.groups()
}

export function isInternal(topic: string, internalTopics: ReadonlySet<string>): boolean {
  return internalTopics.has(topic) || INTERNAL_TOPICS.has(topic)
}

/** N of waits-N; null for any other. */
export function waitsFor(id: GroupId): number | null {
  return id.startsWith('waits-') ? Number(id.slice('waits-'.length)) : null
}

/** Lists by sort key: filled in order of topic and partition, so that nothing has to be sorted but the few keys. */
type Buckets = Map<number, DiagnosedPartition[]>

interface Collected {
  readonly id: GroupId
  readonly internal: Buckets
  readonly others: Buckets
  readonly codes: Map<SkipCode, number>
  atLeast: number
  open: boolean
}

function newCollected(id: GroupId): Collected {
  return { id, internal: new Map(), others: new Map(), codes: new Map(), atLeast: 0, open: false }
}

function addTo(into: Collected, partition: DiagnosedPartition, internal: boolean): void {
  const key = partition.group === 'B' ? -epochsBehind(partition) : 0
  const buckets = internal ? into.internal : into.others
  const bucket = buckets.get(key)
  if (bucket === undefined) buckets.set(key, [partition])
  else bucket.push(partition)
  const { decided } = partition
  if (decided === null) return
  if ('designatedLeader' in decided) {
    into.atLeast += decided.loss.atLeast
    into.open ||= decided.loss.known === null
  } else into.codes.set(decided.code, (into.codes.get(decided.code) ?? 0) + 1)
}

function groupFrom({ id, internal, others, codes, atLeast, open }: Collected): DecisionGroup {
  return {
    id,
    waitsFor: waitsFor(id),
    partitions: [...inOrder(internal), ...inOrder(others)].flat(),
    loss: id === 'A' || id === 'B' ? { atLeast, open } : null,
    codes: [...codes]
      .map(([code, count]) => ({ code, count }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
  }
}

function inOrder(buckets: Buckets): DiagnosedPartition[][] {
  // Two infinite keys differ by NaN, but a key is there only once.
  return [...buckets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, partitions]) => partitions)
}

function groupOrder(id: GroupId): number {
  const broker = waitsFor(id)
  if (broker !== null) return 4 + broker
  return id === 'reading' ? Number.POSITIVE_INFINITY : 'ABCD'.indexOf(id)
}
