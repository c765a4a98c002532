/** Settings that simulated brokers tell, with Kafka 4.4's defaults: those that decide about recovery, and some that tools show. */
export type ConfigType = 'BOOLEAN' | 'STRING' | 'INT' | 'LONG' | 'DOUBLE' | 'LIST'

export interface KnownConfig {
  readonly name: string
  readonly fallback: string
  readonly type: ConfigType
}

/** Numbers on the wire (ConfigType in DescribeConfigs 3). */
export const CONFIG_TYPE_IDS: Readonly<Record<ConfigType, number>> = {
  BOOLEAN: 1,
  STRING: 2,
  INT: 3,
  LONG: 5,
  DOUBLE: 6,
  LIST: 7,
}

export const TOPIC_CONFIGS: readonly KnownConfig[] = [
  { name: 'cleanup.policy', fallback: 'delete', type: 'LIST' },
  { name: 'compression.type', fallback: 'producer', type: 'STRING' },
  { name: 'delete.retention.ms', fallback: '86400000', type: 'LONG' },
  { name: 'file.delete.delay.ms', fallback: '60000', type: 'LONG' },
  { name: 'flush.messages', fallback: '9223372036854775807', type: 'LONG' },
  { name: 'flush.ms', fallback: '9223372036854775807', type: 'LONG' },
  { name: 'follower.replication.throttled.replicas', fallback: '', type: 'LIST' },
  { name: 'leader.replication.throttled.replicas', fallback: '', type: 'LIST' },
  { name: 'local.retention.bytes', fallback: '-2', type: 'LONG' },
  { name: 'local.retention.ms', fallback: '-2', type: 'LONG' },
  { name: 'max.message.bytes', fallback: '1048588', type: 'INT' },
  { name: 'message.timestamp.type', fallback: 'CreateTime', type: 'STRING' },
  { name: 'min.insync.replicas', fallback: '1', type: 'INT' },
  { name: 'preallocate', fallback: 'false', type: 'BOOLEAN' },
  { name: 'remote.storage.enable', fallback: 'false', type: 'BOOLEAN' },
  { name: 'retention.bytes', fallback: '-1', type: 'LONG' },
  { name: 'retention.ms', fallback: '604800000', type: 'LONG' },
  { name: 'segment.bytes', fallback: '1073741824', type: 'INT' },
  { name: 'segment.ms', fallback: '604800000', type: 'LONG' },
  { name: 'unclean.leader.election.enable', fallback: 'false', type: 'BOOLEAN' },
]

export const BROKER_CONFIGS: readonly KnownConfig[] = [
  { name: 'auto.create.topics.enable', fallback: 'true', type: 'BOOLEAN' },
  { name: 'auto.leader.rebalance.enable', fallback: 'true', type: 'BOOLEAN' },
  { name: 'default.replication.factor', fallback: '1', type: 'INT' },
  { name: 'follower.replication.throttled.rate', fallback: '9223372036854775807', type: 'LONG' },
  { name: 'leader.imbalance.check.interval.seconds', fallback: '300', type: 'LONG' },
  { name: 'leader.replication.throttled.rate', fallback: '9223372036854775807', type: 'LONG' },
  { name: 'log.dir.failure.timeout.ms', fallback: '30000', type: 'LONG' },
  { name: 'min.insync.replicas', fallback: '1', type: 'INT' },
  { name: 'num.partitions', fallback: '1', type: 'INT' },
  { name: 'replica.alter.log.dirs.io.max.bytes.per.second', fallback: '9223372036854775807', type: 'LONG' },
  { name: 'unclean.leader.election.enable', fallback: 'false', type: 'BOOLEAN' },
]
