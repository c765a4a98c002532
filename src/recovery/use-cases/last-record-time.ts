import type { Cluster, LastRecordTime } from '../../cluster/cluster.js'
import { type ClusterSnapshot, type PartitionState, partitionName } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'

/** The time of a replica's last record as the operator asked for it, or one line why it was not looked up. */
export type RecordTimeRead = LastRecordTime

/**
 * The time of one replica's last record. It makes that broker read segments, and an I/O error there takes the whole directory
 * offline (design.md, "Reading, without harm"): only for one that the operator named, and never on a broker that has a failed
 * directory, or of which that is not known. Never rejects.
 */
export async function lastRecordTime(
  cluster: Pick<Cluster, 'lastRecordTime'>,
  snapshot: Pick<ClusterSnapshot, 'brokers' | 'logDirs'>,
  partition: PartitionState,
  broker: number,
): Promise<RecordTimeRead> {
  const reason = whyNotToRead(snapshot, partition, broker)
  if (reason !== null) return { kind: 'refused', reason }
  try {
    return await cluster.lastRecordTime(partition, broker)
  } catch (error) {
    return { kind: 'refused', reason: errorText(error) }
  }
}

/** One line why this replica's disk must not be read; null: it may be. */
export function whyNotToRead(
  { brokers, logDirs }: Pick<ClusterSnapshot, 'brokers' | 'logDirs'>,
  partition: PartitionState,
  broker: number,
): string | null {
  const state = brokers.find(({ id }) => id === broker)?.state ?? 'down'
  if (state !== 'up') return `broker ${broker} is ${state}: it cannot be asked`
  if (partition.offlineReplicas.includes(broker)) {
    return `the replica of ${partitionName(partition)} on broker ${broker} is offline: its disk is not read`
  }
  const own = (logDirs ?? []).filter((dir) => dir.broker === broker)
  const failed = own.filter((dir) => dir.state === 'offline')
  if (failed.length > 0) {
    return `broker ${broker} has a failed log directory (${failed.map(({ path }) => path).join(', ')}): its disks are not read for a time`
  }
  if (own.length === 0 || own.some((dir) => dir.state === 'unknown')) {
    return `whether broker ${broker} has failed log directories is not known: its disks are not read for a time`
  }
  return null
}

/** Key of an answer for one replica. */
export function recordTimeKey(partition: PartitionState, broker: number): string {
  return `${partitionName(partition)} ${broker}`
}
