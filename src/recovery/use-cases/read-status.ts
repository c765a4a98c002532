import type { Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot, LogDir, PartitionState } from '../../cluster/snapshot.js'
import type { Alarm } from '../returns/alarms.js'
import type { SeenEmptyStorage } from '../returns/seen-empty.js'
import type { Situation } from '../returns/situation.js'
import { readSituation } from './read-situation.js'

export interface ClusterStatus {
  readonly snapshot: ClusterSnapshot
  /** By topic, then partition. */
  readonly offline: readonly PartitionState[]
  /** Fewer in-sync replicas than min.insync.replicas, as far as the topic's configuration could be read; offline ones too. */
  readonly underMinIsr: readonly PartitionState[]
  readonly failedLogDirs: readonly LogDir[]
  readonly alarms: readonly Alarm[]
  readonly situation: Situation
  /** Nothing of the above, every broker up, and all of it could be read. */
  readonly healthy: boolean
}

/** What is wrong with a cluster. `logDurationMs`: how long logs may take that are read to see whether there is an alarm. */
export async function readStatus(
  cluster: Cluster,
  logDurationMs: number,
  memory?: SeenEmptyStorage,
): Promise<ClusterStatus> {
  const snapshot = await cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: true })
  const offline = snapshot.partitions.filter(({ leader }) => leader === null)
  const underMinIsr = snapshot.partitions.filter(({ topic, isr }) => {
    const needed = snapshot.topicConfigs.get(topic)?.minInsyncReplicas ?? null
    return needed !== null && isr.length < needed
  })
  const failedLogDirs = (snapshot.logDirs ?? []).filter(({ state }) => state === 'offline')
  const situation = await readSituation(cluster, snapshot, {
    durationMs: logDurationMs,
    ...(memory ? { memory } : {}),
  })
  const { alarms } = situation
  return {
    snapshot,
    offline,
    underMinIsr,
    failedLogDirs,
    alarms,
    situation,
    healthy:
      offline.length + underMinIsr.length + failedLogDirs.length + alarms.length + snapshot.problems.length === 0 &&
      snapshot.brokers.every(({ state }) => state === 'up'),
  }
}
