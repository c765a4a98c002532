import { createHash } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Authorizer } from './authorizer.js'
import type { SimulatedBroker } from './broker.js'
import { History } from './history.js'
import type { SimulatedPartition, SimulatedTopic } from './partition.js'
import type { Registration } from './registration.js'

export type Personality = 'stock' | 'kip1275'

export interface SimulatedQuorum {
  readonly voters: readonly number[]
  /** -1: no controller leads; what needs it waits for `requestTimeoutMs` and answers 7. */
  leader: number
  leaderEpoch: number
  readonly requestTimeoutMs: number
}

/** Everything that a cluster is at one moment. Only the controller, the replicas and the events change it. */
export class SimulatedCluster {
  readonly clusterId: string
  readonly personality: Personality
  readonly elrEnabled: boolean
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly brokers: ReadonlyMap<number, SimulatedBroker>
  readonly topics = new Map<string, SimulatedTopic>()
  /** Dynamic settings of brokers, by broker id; '' holds those of all brokers. */
  readonly brokerConfigs = new Map<string, Map<string, string>>()
  readonly quorum: SimulatedQuorum
  /** End of the metadata log; every change of a registration is one record. */
  readonly metadataEnd: History<number>
  readonly #keepMs: number
  #sortedNames: readonly string[] | null = null
  /** By broker; null: to be worked out anew. */
  #hosted: ReadonlyMap<number, readonly SimulatedPartition[]> | null = null

  constructor(init: {
    readonly clusterId: string
    readonly personality: Personality
    readonly elrEnabled: boolean
    readonly authorizer: Authorizer
    readonly clock: Clock
    readonly brokers: readonly SimulatedBroker[]
    readonly quorum: SimulatedQuorum
  }) {
    this.clusterId = init.clusterId
    this.personality = init.personality
    this.elrEnabled = init.elrEnabled
    this.authorizer = init.authorizer
    this.clock = init.clock
    this.brokers = new Map([...init.brokers].sort((a, b) => a.id - b.id).map((broker) => [broker.id, broker]))
    this.quorum = init.quorum
    this.#keepMs = Math.max(0, ...init.brokers.map((broker) => broker.metadataDelayMs))
    this.metadataEnd = new History(1000)
  }

  /** Names in Kafka's order (code units). */
  topicNames(): readonly string[] {
    this.#sortedNames ??= [...this.topics.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return this.#sortedNames
  }

  addTopic(topic: SimulatedTopic): void {
    this.topics.set(topic.name, topic)
    this.#sortedNames = null
    this.#hosted = null
  }

  removeTopic(name: string): void {
    this.topics.delete(name)
    this.#sortedNames = null
    this.#hosted = null
  }

  *partitions(): Iterable<SimulatedPartition> {
    for (const topic of this.topics.values()) yield* topic.partitions
  }

  /** The partitions that have a replica on this broker; kept, since asking all of 200,000 for each broker takes a second. */
  partitionsOn(broker: number): readonly SimulatedPartition[] {
    if (this.#hosted === null) {
      const hosted = new Map<number, SimulatedPartition[]>([...this.brokers.keys()].map((id) => [id, []]))
      for (const partition of this.partitions()) {
        for (const id of partition.registration.current.replicas) hosted.get(id)?.push(partition)
      }
      this.#hosted = hosted
    }
    return this.#hosted.get(broker) ?? []
  }

  partition(topic: string, index: number): SimulatedPartition | null {
    return this.topics.get(topic)?.partitions[index] ?? null
  }

  topicById(id: string): SimulatedTopic | null {
    for (const topic of this.topics.values()) if (topic.id === id) return topic
    return null
  }

  /** Records a change of what the controller knows; lagging views see it later. */
  register(partition: SimulatedPartition, next: Registration): void {
    if (next.replicas !== partition.registration.current.replicas) this.#hosted = null
    partition.registration.set(next, this.clock.now(), this.#keepMs)
    this.recordMetadata()
  }

  setBrokerState(broker: SimulatedBroker, state: 'up' | 'fenced' | 'down'): void {
    broker.state.set(state, this.clock.now(), this.#keepMs)
    this.recordMetadata()
  }

  recordMetadata(): void {
    this.metadataEnd.set(this.metadataEnd.current + 1, this.clock.now(), this.#keepMs)
  }

  /** The time of which that broker's view of the metadata is. */
  viewTime(broker: SimulatedBroker): number {
    return this.clock.now() - broker.metadataDelayMs
  }

  /** Whether the controller takes a replica for online: its broker is unfenced, and its log directory has not failed. */
  isReplicaOnline(partition: SimulatedPartition, broker: number): boolean {
    const host = this.brokers.get(broker)
    if (host === undefined || !host.isUp) return false
    const log = partition.log(broker)
    return log === null || host.isOnline(log.logDir)
  }

  /**
   * Whether it can really serve: a broker that has ended is unfenced until its session has run out, and may even be elected meanwhile (measured: 12
   * of 12 touches of a partition whose last known leader had been killed), but nobody can copy from it, and nobody cuts a log to its own.
   */
  isReplicaServing(partition: SimulatedPartition, broker: number): boolean {
    return this.isReplicaOnline(partition, broker) && this.brokers.get(broker)?.stoppedAt === null
  }

  minIsr(partition: SimulatedPartition): number {
    const configured = Number(this.topicConfig(partition.topic, 'min.insync.replicas') ?? '1')
    // Kafka takes the replication factor of partition 0.
    const replicas = partition.topic.partitions[0]?.registration.current.replicas.length ?? 1
    return Math.min(configured, replicas)
  }

  uncleanElectionEnabled(topic: SimulatedTopic): boolean {
    return this.topicConfig(topic, 'unclean.leader.election.enable') === 'true'
  }

  /** A topic's own setting, else that of all brokers; null: Kafka's default. */
  topicConfig(topic: SimulatedTopic, name: string): string | null {
    return topic.config.get(name) ?? this.brokerConfigs.get('')?.get(name) ?? null
  }

  newTopicId(name: string, generation: number): string {
    const digest = createHash('sha256').update(`${this.clusterId}/${name}/${generation}`).digest()
    return digest.subarray(0, 16).toString('base64url')
  }
}
