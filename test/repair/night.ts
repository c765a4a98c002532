import type { PartitionEvidence } from '../../src/cluster/replica-log.js'
import type { BrokerState, ClusterSnapshot, LogDir, PartitionState } from '../../src/cluster/snapshot.js'
import { notRead, replicaLog } from '../recovery/scenario-evidence.js'

/** Snapshots of small clusters, with only what a test is about. */

export function partition(part: Partial<PartitionState> = {}): PartitionState {
  return {
    topic: 'orders',
    topicId: 'id',
    partition: 0,
    leader: null,
    leaderEpoch: 5,
    replicas: [1, 2],
    isr: [],
    elr: [1],
    lastKnownElr: [1],
    offlineReplicas: [],
    ...part,
  }
}

export function logDir(
  part: Partial<LogDir> & { readonly holds?: readonly [partition: number, bytes: number][] } = {},
): LogDir {
  const { holds, ...rest } = part
  const replicas = (holds ?? []).map(([index, sizeBytes]) => ({
    topic: 'orders',
    partition: index,
    sizeBytes,
    isFuture: false,
  }))
  const told = rest.state === undefined || rest.state === 'online'
  return {
    broker: 1,
    path: '/data/b',
    state: 'online',
    cordoned: false,
    error: null,
    totalBytes: 100,
    usableBytes: 50,
    replicaCount: told ? replicas.length : null,
    replicas: told ? replicas : null,
    ...rest,
  }
}

export const failed = (path = '/data/b', broker = 1): LogDir =>
  logDir({ broker, path, state: 'offline', error: 'KAFKA_STORAGE_ERROR', totalBytes: null, usableBytes: null })

export function snapshotOf(part: {
  readonly partitions?: readonly PartitionState[]
  readonly logDirs?: readonly LogDir[] | null
  readonly brokers?: readonly (readonly [id: number, state: BrokerState])[]
  readonly problems?: ClusterSnapshot['problems']
  readonly quorum?: ClusterSnapshot['quorum']
  readonly at?: number
}): ClusterSnapshot {
  const brokers = part.brokers ?? [
    [1, 'up'],
    [2, 'up'],
  ]
  return {
    clusterId: 'SIMULATED-night',
    simulated: true,
    controller: 2,
    readAt: new Date(part.at ?? 0),
    brokers: brokers.map(([id, state]) => ({ id, host: `kafka-${id}`, port: 9092, rack: null, state, error: null })),
    partitions: part.partitions ?? [],
    internalTopics: new Set(),
    logDirs: part.logDirs === undefined ? [] : part.logDirs,
    topicConfigs: new Map(),
    quorum: part.quorum ?? null,
    problems: part.problems ?? [],
  }
}

/** Logs from 0, of one epoch; null: not read. */
export function evidenceOf(
  state: PartitionState,
  ends: Readonly<Record<number, number | null>>,
  epoch = 0,
): PartitionEvidence {
  return {
    state,
    readAt: new Date(0),
    replicas: state.replicas.map((broker) => {
      const end = ends[broker]
      if (end === null || end === undefined) return notRead(broker, 'down')
      return replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: end === 0 ? [] : [[epoch, 0]] })
    }),
  }
}
