import type { Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot, LogDir, PartitionState } from '../../cluster/snapshot.js'
import { type Alarm, alarmsOf, mayGetLeaderByItself } from '../alarms.js'

export interface ClusterStatus {
  readonly snapshot: ClusterSnapshot
  /** By topic, then partition. */
  readonly offline: readonly PartitionState[]
  /** Fewer in-sync replicas than min.insync.replicas, as far as the topic's configuration could be read; offline ones too. */
  readonly underMinIsr: readonly PartitionState[]
  readonly failedLogDirs: readonly LogDir[]
  readonly alarms: readonly Alarm[]
  /** Nothing of the above, every broker up, and all of it could be read. */
  readonly healthy: boolean
}

/** What is wrong with a cluster. `logDurationMs`: how long logs may take that are read to see whether there is an alarm. */
export async function readStatus(cluster: Cluster, logDurationMs: number): Promise<ClusterStatus> {
  const snapshot = await cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: true })
  const offline = snapshot.partitions.filter(({ leader }) => leader === null)
  const underMinIsr = snapshot.partitions.filter(({ topic, isr }) => {
    const needed = snapshot.topicConfigs.get(topic)?.minInsyncReplicas ?? null
    return needed !== null && isr.length < needed
  })
  const failedLogDirs = (snapshot.logDirs ?? []).filter(({ state }) => state === 'offline')
  const alarms = await readAlarms(cluster, snapshot, offline, logDurationMs)
  return {
    snapshot,
    offline,
    underMinIsr,
    failedLogDirs,
    alarms,
    healthy:
      offline.length + underMinIsr.length + failedLogDirs.length + alarms.length + snapshot.problems.length === 0 &&
      snapshot.brokers.every(({ state }) => state === 'up'),
  }
}

async function readAlarms(
  cluster: Cluster,
  snapshot: ClusterSnapshot,
  offline: readonly PartitionState[],
  durationMs: number,
): Promise<Alarm[]> {
  const context = {
    brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])),
    topicConfigs: snapshot.topicConfigs,
  }
  const suspects = offline.filter((state) => mayGetLeaderByItself(state, context))
  const evidences = suspects.length === 0 ? [] : await cluster.readReplicaLogs(suspects, { durationMs, history: true })
  return alarmsOf(snapshot, evidences, context)
}
