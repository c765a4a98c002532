import type { Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type ClusterSnapshot, partitionName } from '../../cluster/snapshot.js'
import { isEmptyLog } from '../rank.js'
import { type SeenEmpty, type SeenEmptyStorage, seenEmptyNow } from '../seen-empty.js'
import { type Situation, situationOf, toReadForSituation } from '../situation.js'

export interface SituationOptions {
  /** How long logs may take that have to be read for it. ms */
  readonly durationMs: number
  /** What was read already, of any partitions. */
  readonly known?: readonly PartitionEvidence[]
  /** Absent: nothing is remembered from run to run. */
  readonly memory?: SeenEmptyStorage
}

/**
 * Alarms and advice over the whole cluster: a broker's start does not stop at the partitions that were chosen. Reads the logs
 * that decide it, unless they are known; remembers brokers that are seen empty. Sends nothing that writes.
 */
export async function readSituation(
  cluster: Pick<Cluster, 'readReplicaLogs'>,
  snapshot: ClusterSnapshot,
  { durationMs, known = [], memory }: SituationOptions,
): Promise<Situation> {
  const have = new Set(known.map(({ state }) => partitionName(state)))
  const missing = toReadForSituation(snapshot).filter((state) => !have.has(partitionName(state)))
  const read = missing.length === 0 ? [] : await cluster.readReplicaLogs(missing, { durationMs, history: true })
  const evidences = [...known, ...read]
  // A memory that cannot be read or kept is no reason not to show what is seen now.
  const before = (await memory?.load(snapshot.clusterId).catch(() => [])) ?? []
  const situation = situationOf(snapshot, evidences)
  const seen = seenEmptyNow(before, situation.alarms, snapshot, hasRecordsIn(evidences), snapshot.readAt)
  if (memory !== undefined && !sameSeen(before, seen)) await memory.save(snapshot.clusterId, seen).catch(() => {})
  const up = new Set(snapshot.brokers.flatMap(({ id, state }) => (state === 'up' ? [id] : [])))
  return { ...situation, seenEmpty: seen.filter(({ broker }) => !up.has(broker)) }
}

function hasRecordsIn(evidences: readonly PartitionEvidence[]): (broker: number, name: string) => boolean {
  const byName = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
  return (broker, name) => {
    const replica = byName.get(name)?.replicas.find((one) => one.broker === broker)
    return replica?.kind === 'read' && !isEmptyLog(replica)
  }
}

/** Times aside: they would have the file written each time a watch looks. */
function sameSeen(a: readonly SeenEmpty[], b: readonly SeenEmpty[]): boolean {
  const plain = (seen: readonly SeenEmpty[]) =>
    JSON.stringify(seen.map(({ broker, partitions }) => [broker, partitions]))
  return plain(a) === plain(b)
}
