import type { Clock } from './clock.js'
import { generatePartitions } from './generate.js'
import { Authorizer } from './model/authorizer.js'
import { SimulatedBroker } from './model/broker.js'
import { SimulatedCluster } from './model/cluster.js'
import { SimulatedPartition, type SimulatedTopic } from './model/partition.js'
import { BYTES_PER_OFFSET, emptyLog, type ReplicaLog } from './model/replica-log.js'
import type { Scenario, ScenarioLog, ScenarioPartition, ScenarioTopic } from './scenario-schema.js'

const DEFAULT_CONTROLLER = 3000
const METADATA_LOG_DIR = '/var/lib/kafka/metadata'
/** As Kafka's brokers: controller request timeout. */
const CONTROLLER_TIMEOUT_MS = 60_000
/** An older last epoch means older records: so far apart are they where a scenario tells no times. */
const EPOCH_AGE_MS = 600_000

/** Makes a scenario's cluster as it says, without electing or repairing anything. */
export function buildCluster(scenario: Scenario, clock: Clock): SimulatedCluster {
  const elrEnabled = scenario.elr ?? true
  const voters = scenario.quorum?.voters ?? [DEFAULT_CONTROLLER]
  const brokers = scenario.brokers.map(
    (broker) =>
      new SimulatedBroker({
        id: broker.id,
        rack: broker.rack ?? null,
        logDirs: broker.logDirs,
        failedLogDirs: broker.failedLogDirs ?? [],
        metadataLogDir: broker.metadataLogDir ?? METADATA_LOG_DIR,
        responseDelayMs: broker.responseDelayMs ?? 0,
        metadataDelayMs: broker.metadataDelayMs ?? 0,
        state: broker.state ?? 'up',
        stoppedCleanly: broker.stopped !== 'kill',
      }),
  )
  const cluster = new SimulatedCluster({
    clusterId: scenario.clusterId,
    personality: scenario.personality ?? 'stock',
    elrEnabled,
    authorizer: new Authorizer(scenario.refuse ?? []),
    clock,
    brokers,
    quorum: {
      voters,
      leader: scenario.quorum?.leader ?? voters[0] ?? DEFAULT_CONTROLLER,
      leaderEpoch: 1,
      requestTimeoutMs: scenario.quorum?.requestTimeoutMs ?? CONTROLLER_TIMEOUT_MS,
    },
  })
  for (const topic of scenario.topics) cluster.addTopic(buildTopic(cluster, topic))
  return cluster
}

function buildTopic(cluster: SimulatedCluster, spec: ScenarioTopic): SimulatedTopic {
  const topic: SimulatedTopic = {
    name: spec.name,
    id: cluster.newTopicId(spec.name, 1),
    config: new Map(Object.entries(spec.config ?? {})),
    partitions: [],
  }
  if (spec.partitions !== undefined) {
    topic.partitions = [...spec.partitions]
      .sort((a, b) => a.partition - b.partition)
      .map((partition) => buildPartition(cluster, topic, partition))
    return topic
  }
  topic.partitions = generatePartitions(
    topic,
    {
      name: spec.name,
      partitionCount: spec.partitionCount ?? 1,
      replicationFactor: spec.replicationFactor ?? 1,
      offlineShare: spec.offlineShare ?? 0,
      seed: spec.seed ?? 0,
    },
    [...cluster.brokers.values()],
    Number(topic.config.get('min.insync.replicas') ?? '1'),
    cluster.elrEnabled,
    cluster.clock.now(),
  )
  return topic
}

function buildPartition(cluster: SimulatedCluster, topic: SimulatedTopic, spec: ScenarioPartition): SimulatedPartition {
  const given = Object.values(spec.logs ?? {})
  const newest = Math.max(0, ...given.flatMap(({ epochs }) => epochs.map(([epoch]) => epoch)))
  const logs = new Map<number, ReplicaLog>()
  for (const broker of spec.assignment) {
    const log = spec.logs?.[String(broker)]
    const host = cluster.brokers.get(broker)
    logs.set(broker, log === undefined ? emptyLog(host?.logDirs[0] ?? '') : buildLog(log, newest, cluster.clock.now()))
  }
  const registration = {
    replicas: spec.assignment,
    isr: spec.isr ?? (spec.leader >= 0 ? [spec.leader] : []),
    elr: spec.elr ?? [],
    lastKnownElr: spec.lastKnownElr ?? [],
    leader: spec.leader,
    leaderEpoch: spec.leaderEpoch ?? newest,
    removing: [],
    adding: [],
  }
  return new SimulatedPartition(topic, spec.partition, registration, logs, null)
}

function buildLog(log: ScenarioLog, newestEpoch: number, now: number): ReplicaLog {
  const { logDir, logStartOffset, logEndOffset, epochs } = log
  const written = epochs.filter(([, start]) => start < logEndOffset)
  const age = (newestEpoch - (written.at(-1)?.[0] ?? newestEpoch)) * EPOCH_AGE_MS
  const hasRecords = logEndOffset > logStartOffset
  return {
    logDir,
    logStartOffset,
    logEndOffset,
    highWatermark: log.highWatermark ?? logEndOffset,
    epochs,
    sizeBytes: log.sizeBytes ?? (logEndOffset - logStartOffset) * BYTES_PER_OFFSET,
    lastTimestamp: hasRecords ? (log.lastTimestamp ?? now - age) : -1,
  }
}
