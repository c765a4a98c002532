import type { ClusterSnapshot, LogDir, TopicPartition } from '../../cluster/snapshot.js'

/**
 * Partitions whose replica on this broker is offline because this log directory failed, by topic, then partition. A failed directory does not
 * tell what was in it (measured on 4.4.0): it follows from the offline replicas of a broker that is alive, which can only be
 * those of its failed directories. Null: not to be told, because the broker is not up or has several failed ones.
 */
export function offlineBecauseOf(dir: LogDir, snapshot: ClusterSnapshot): TopicPartition[] | null {
  if (dir.state === 'online') return []
  const broker = snapshot.brokers.find(({ id }) => id === dir.broker)
  const failed = (snapshot.logDirs ?? []).filter(({ broker, state }) => broker === dir.broker && state !== 'online')
  if (broker?.state !== 'up' || failed.length !== 1) return null
  return snapshot.partitions
    .filter(({ offlineReplicas }) => offlineReplicas.includes(dir.broker))
    .map(({ topic, partition }) => ({ topic, partition }))
}
