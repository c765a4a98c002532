import type { Capabilities, ReplicaLogOptions } from '../../../src/cluster/cluster.js'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import {
  type BrokerState,
  byTopicPartition,
  type ClusterSnapshot,
  INTERNAL_TOPICS,
  type LogDir,
  type PartitionState,
  partitionName,
  type TopicConfig,
} from '../../../src/cluster/snapshot.js'
import type { Watcher } from '../../../src/cluster/watcher.js'
import { diagnoseLive, type LiveDiagnosis, type LiveOptions } from '../../../src/recovery/use-cases/live-diagnosis.js'
import { VirtualClock } from '../apply/virtual-clock.js'
import { notRead, replicaLog } from '../scenario-evidence.js'

export interface NightPartition {
  readonly state: PartitionState
  /** Log end by broker; one epoch, 3, from 0. */
  readonly ends: Readonly<Record<number, number>>
}

export const OPTIONS: LiveOptions = {
  durationMs: 5_000,
  rereadMs: 30_000,
  strategy: 'rank',
  method: 'auto',
  accepted: new Set(),
  stoppedForRepair: new Map(),
}

/** A sick cluster in memory, seen through a watcher that shows it when the test says so, and what was asked of it. */
export class WatchedNight {
  readonly clock = new VirtualClock()
  readonly brokers = new Map<number, BrokerState>()
  readonly partitions = new Map<string, NightPartition>()
  readonly topicConfigs = new Map<string, TopicConfig>()
  logDirs: LogDir[] = []
  readonly reassigning = new Set<string>()
  /** Partitions of each log read, in the order of the reads. */
  readonly logReads: string[][] = []
  readsUnderWay = 0
  mostReadsUnderWay = 0
  capabilityReads = 0
  failLogs: string | null = null
  mode: Capabilities['mode'] = 'kraft'
  failCapabilities: string | null = null
  /** Log reads do not end before this does. */
  hold: Promise<void> = Promise.resolve()
  private readonly listeners = new Set<() => void>()
  private shown: ClusterSnapshot | null = null
  private fullReadAt: Date | null = null
  private failure: string | null = null

  constructor(brokers: Readonly<Record<number, BrokerState>>) {
    for (const [id, state] of Object.entries(brokers)) this.brokers.set(Number(id), state)
  }

  add(topic: string, partition: number, ends: Readonly<Record<number, number>>, state: Partial<PartitionState> = {}) {
    const replicas = Object.keys(ends).map(Number)
    this.partitions.set(`${topic}-${partition}`, {
      ends,
      state: {
        topic,
        topicId: `id of ${topic}`,
        partition,
        leader: null,
        leaderEpoch: 4,
        replicas,
        isr: [],
        elr: [],
        lastKnownElr: [],
        offlineReplicas: replicas.filter((broker) => this.brokers.get(broker) !== 'up'),
        ...state,
      },
    })
    return this
  }

  alter(name: string, state: Partial<PartitionState>, ends?: Readonly<Record<number, number>>) {
    const before = this.partitions.get(name)!
    this.partitions.set(name, { ends: ends ?? before.ends, state: { ...before.state, ...state } })
    return this
  }

  snapshot(): ClusterSnapshot {
    return {
      clusterId: 'night',
      simulated: false,
      controller: 1,
      readAt: this.clock.now(),
      brokers: [...this.brokers].map(([id, state]) => ({
        id,
        host: `kafka-${id}.eu`,
        port: 9092,
        rack: null,
        state,
        error: null,
      })),
      // Each read makes objects of its own.
      partitions: [...this.partitions.values()].map(({ state }) => ({ ...state })).sort(byTopicPartition),
      internalTopics: INTERNAL_TOPICS,
      logDirs: [...this.logDirs],
      topicConfigs: new Map([...this.topicConfigs].map(([topic, config]) => [topic, { ...config }])),
      quorum: null,
      problems: [],
    }
  }

  /** As the watcher would after a read of what is wrong, or of everything. */
  show(full = false): void {
    this.clock.pass(2_000)
    this.shown = this.snapshot()
    this.failure = null
    if (full || this.fullReadAt === null) this.fullReadAt = this.shown.readAt
    this.notify()
  }

  failToRead(text: string): void {
    this.failure = text
    this.notify()
  }

  private notify(): void {
    for (const listener of this.listeners) listener()
  }

  readonly watcher: Watcher = {
    current: () => ({
      snapshot: this.shown,
      fullReadAt: this.fullReadAt,
      reading: false,
      failure: this.failure,
      refreshMs: 2_000,
    }),
    subscribe: (listener) => {
      this.listeners.add(listener)
      return () => this.listeners.delete(listener)
    },
    readNow: async () => this.show(true),
    stop: () => undefined,
  }

  evidenceOf(state: PartitionState): PartitionEvidence {
    const ends = this.partitions.get(partitionName(state))?.ends ?? {}
    const replicas = state.replicas.map((broker): ReplicaRead => {
      const own = this.brokers.get(broker) ?? 'down'
      const end = ends[broker]
      if (own !== 'up') return notRead(broker, own)
      if (state.offlineReplicas.includes(broker)) return notRead(broker, 'offlineLogDir')
      if (end === undefined) return notRead(broker, 'error')
      return replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: end === 0 ? [] : [[3, 0]] })
    })
    return { state, replicas, readAt: this.clock.now() }
  }

  readonly cluster = {
    readReplicaLogs: async (partitions: readonly PartitionState[], options: ReplicaLogOptions) => {
      this.logReads.push(partitions.map(partitionName))
      this.readsUnderWay += 1
      this.mostReadsUnderWay = Math.max(this.mostReadsUnderWay, this.readsUnderWay)
      const evidences = partitions.map((state) => this.evidenceOf(state))
      options.onProgress?.(1, 2)
      await this.hold
      this.readsUnderWay -= 1
      if (this.failLogs !== null) throw new Error(this.failLogs)
      return evidences
    },
    reassignments: async () => new Set(this.reassigning),
    capabilities: async (): Promise<Capabilities> => {
      this.capabilityReads += 1
      if (this.failCapabilities !== null) throw new Error(this.failCapabilities)
      return {
        mode: this.mode,
        brokers: [],
        method: this.mode === 'kraft' ? 'reorder' : null,
        mayElect: true,
        elr: this.mode === 'kraft',
      }
    },
  }

  diagnose(options: Partial<LiveOptions> = {}): LiveDiagnosis {
    return diagnoseLive(this.cluster, this.watcher, { ...OPTIONS, ...options }, this.clock)
  }
}

/** Lets everything go on that needs no time; until `reached`, where one waits for something. */
export async function settled(reached: () => boolean = () => false): Promise<void> {
  for (let turn = 0; turn < 40 && !reached(); turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Something that ends when the test says so. */
export function held(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = () => {}
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release }
}
