import type { Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type ClusterSnapshot, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { isEmptyLog } from '../planning/rank.js'
import { rememberSeenEmpty, type SeenEmptyStorage, seenEmptyAway } from '../returns/seen-empty.js'
import { type Situation, situationOf, toReadForSituation } from '../returns/situation.js'

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
  const situation = situationOf(snapshot, evidences)
  const seen = await rememberSeenEmpty(memory ?? null, [], situation.alarms, snapshot, hasRecordsIn(evidences))
  return { ...situation, seenEmpty: seenEmptyAway(seen, snapshot) }
}

function hasRecordsIn(evidences: readonly PartitionEvidence[]): (broker: number, partition: TopicPartition) => boolean {
  const byName = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
  return (broker, partition) => {
    const replica = byName.get(partitionName(partition))?.replicas.find((one) => one.broker === broker)
    return replica?.kind === 'read' && !isEmptyLog(replica)
  }
}
