import type { Controller } from './controller/controller.js'
import type { SimulatedBroker } from './model/broker.js'
import type { SimulatedCluster, SimulatedQuorum } from './model/cluster.js'
import { SimulatedPartition, type SimulatedTopic } from './model/partition.js'
import { emptyLog, withAppended } from './model/replica-log.js'
import type { ScenarioEvent } from './scenario-schema.js'

/** What events do to the outside: ports. */
export interface BrokerPorts {
  open(broker: SimulatedBroker): Promise<void>
  close(broker: SimulatedBroker): Promise<void>
}

type UnknownDirectory = (partition: SimulatedPartition, broker: number) => boolean

/** Makes events happen: first what the machines do, then what the controller makes of it, as real ones were measured. */
export class Events {
  readonly #controller: Controller
  readonly #ports: BrokerPorts
  readonly #generations = new Map<string, number>()
  /** Replicas in a new directory of a broker that has not started since: the controller does not know where they are now. */
  readonly #unknown = new Map<number, Set<SimulatedPartition>>()

  constructor(controller: Controller, ports: BrokerPorts) {
    this.#controller = controller
    this.#ports = ports
  }

  get #cluster(): SimulatedCluster {
    return this.#controller.cluster
  }

  /** @throws Error when a port can not be opened; nothing for a broker that is there already */
  async apply(event: ScenarioEvent): Promise<void> {
    const { brokerUp, brokerDown, brokerFenced, brokerRestart } = event
    if (brokerDown !== undefined) {
      const {
        broker,
        kill = false,
        fencedAfterMs = 0,
      } = typeof brokerDown === 'object' ? brokerDown : { broker: brokerDown }
      await this.#stop(this.#broker(broker), !kill, fencedAfterMs)
    }
    if (brokerUp !== undefined) {
      const { broker, kill = false } = typeof brokerUp === 'object' ? brokerUp : { broker: brokerUp }
      const host = this.#broker(broker)
      if (kill) host.stoppedCleanly = false
      await this.#start(host)
    }
    if (brokerRestart !== undefined) {
      const { broker, kill = false } = typeof brokerRestart === 'object' ? brokerRestart : { broker: brokerRestart }
      const host = this.#broker(broker)
      await this.#stop(host, !kill, 0)
      await this.#start(host)
    }
    if (brokerFenced !== undefined) {
      await this.#fence(this.#broker(typeof brokerFenced === 'object' ? brokerFenced.broker : brokerFenced))
    }
    await this.#applyToLogs(event)
    this.#applyToTopicsAndQuorum(event)
  }

  async #applyToLogs({ failLogDir, replaceLogDir, removeLogDir, appendRecords }: ScenarioEvent): Promise<void> {
    if (failLogDir !== undefined) await this.#failLogDir(this.#broker(failLogDir.broker), failLogDir.path)
    if (replaceLogDir !== undefined) {
      const { broker, path, electedAtOnce = false } = replaceLogDir
      await this.#renewLogDir(this.#broker(broker), path, { removed: false, electedAtOnce })
    }
    if (removeLogDir !== undefined) {
      await this.#renewLogDir(this.#broker(removeLogDir.broker), removeLogDir.path, {
        removed: true,
        electedAtOnce: false,
      })
    }
    if (appendRecords !== undefined) {
      const { topic, partition, records } = appendRecords
      this.#append(topic, partition, records)
    }
  }

  #applyToTopicsAndQuorum({ controllerDown, controllerUp, deleteTopic, recreateTopic }: ScenarioEvent): void {
    const { quorum } = this.#cluster
    if (controllerDown === true) this.#controller.setLeader(-1)
    if (controllerUp !== undefined) {
      this.#controller.setLeader(typeof controllerUp === 'number' ? controllerUp : firstVoter(quorum))
    }
    if (deleteTopic !== undefined) {
      this.#cluster.removeTopic(deleteTopic)
      this.#cluster.recordMetadata()
    }
    if (recreateTopic !== undefined) this.#recreate(recreateTopic)
  }

  #broker(id: number): SimulatedBroker {
    const broker = this.#cluster.brokers.get(id)
    if (broker === undefined) throw new RangeError(`there is no broker ${id}`)
    return broker
  }

  /** @param fencedAfterMs how much later the controller notices; a clean stop is announced */
  async #stop(broker: SimulatedBroker, cleanly: boolean, fencedAfterMs: number): Promise<void> {
    const state = broker.state.current
    if (state === 'down') return
    const { clock } = this.#cluster
    broker.stoppedCleanly = cleanly && broker.failedLogDirs.size === 0
    broker.stoppedAt = { end: this.#cluster.metadataEnd.current, at: clock.now() }
    const fence = (): void =>
      this.#controller.whenLed(() => {
        // It may have come back in the meantime.
        if (broker.stoppedAt === null || broker.state.current === 'down') return
        this.#cluster.setBrokerState(broker, 'down')
        if (state === 'up') this.#controller.brokerFenced(broker)
      })
    await this.#ports.close(broker)
    if (fencedAfterMs > 0) clock.after(fencedAfterMs, fence)
    else fence()
  }

  /** Starts it if it is down, and unfences it. */
  async #start(broker: SimulatedBroker): Promise<void> {
    const state = broker.state.current
    if (state === 'up' && broker.stoppedAt === null) return
    if (!broker.canRun) return
    await this.#ports.open(broker)
    this.#controller.whenLed(() => {
      if (state !== 'fenced') this.#register(broker)
      this.#cluster.setBrokerState(broker, 'up')
      const unknown = this.#unknown.get(broker.id)
      this.#unknown.delete(broker.id)
      const unknownDirectory: UnknownDirectory = (partition, id) => id === broker.id && unknown?.has(partition) === true
      this.#controller.brokerUnfenced(broker, unknownDirectory)
    })
  }

  #register(broker: SimulatedBroker): void {
    broker.stoppedAt = null
    this.#controller.brokerRegistered(broker, broker.stoppedCleanly && broker.failedLogDirs.size === 0)
    broker.stoppedCleanly = true
  }

  async #fence(broker: SimulatedBroker): Promise<void> {
    const state = broker.state.current
    if (state === 'fenced') return
    if (state === 'down') await this.#ports.open(broker)
    this.#controller.whenLed(() => {
      if (state === 'down') this.#register(broker)
      this.#cluster.setBrokerState(broker, 'fenced')
      this.#controller.brokerFenced(broker)
    })
  }

  async #failLogDir(broker: SimulatedBroker, path: string): Promise<void> {
    if (!broker.logDirs.includes(path)) throw new RangeError(`broker ${broker.id} has no log directory ${path}`)
    if (broker.failedLogDirs.has(path)) return
    broker.failedLogDirs.add(path)
    if (broker.state.current === 'down') return
    if (!broker.canRun) {
      await this.#stop(broker, false, 0)
      return
    }
    this.#controller.whenLed(() => {
      this.#cluster.recordMetadata()
      this.#controller.directoryFailed(broker, path)
    })
  }

  /**
   * The directory's replicas begin anew, empty: in the same place, or (removed) in another directory. A running broker is restarted
   * for it. When the broker is unfenced again the controller does not know yet where its replicas are now; only at the next touch.
   */
  async #renewLogDir(
    broker: SimulatedBroker,
    path: string,
    { removed, electedAtOnce }: { readonly removed: boolean; readonly electedAtOnce: boolean },
  ): Promise<void> {
    if (!broker.logDirs.includes(path)) throw new RangeError(`broker ${broker.id} has no log directory ${path}`)
    const state = broker.state.current
    if (state !== 'down') await this.#stop(broker, true, 0)
    broker.failedLogDirs.delete(path)
    // A new directory has no clean shutdown file; one that is gone from log.dirs is not asked for it.
    if (removed) broker.stoppedCleanly = true
    else broker.stoppedCleanly = false
    if (removed) broker.logDirs = broker.logDirs.filter((dir) => dir !== path)
    const renewed = new Set<SimulatedPartition>()
    for (const partition of this.#cluster.partitions()) {
      if (partition.log(broker.id)?.logDir !== path) continue
      const home = removed ? broker.logDirs[renewed.size % broker.logDirs.length] : path
      partition.setLog(broker.id, emptyLog(home ?? path))
      renewed.add(partition)
    }
    if (!electedAtOnce) this.#unknown.set(broker.id, new Set([...(this.#unknown.get(broker.id) ?? []), ...renewed]))
    if (state === 'up') await this.#start(broker)
    else if (state === 'fenced') await this.#fence(broker)
  }

  #append(topic: string, index: number, records: number): void {
    const partition = this.#cluster.partition(topic, index)
    const leader = partition?.registration.current.leader ?? -1
    const log = partition?.log(leader) ?? null
    // Nobody to write to: a producer would wait.
    if (partition === null || log === null || !this.#cluster.isReplicaServing(partition, leader)) return
    partition.setLog(leader, withAppended(log, records, this.#cluster.clock.now()))
    this.#controller.replication.catchUp(partition)
  }

  #recreate(name: string): void {
    const old = this.#cluster.topics.get(name)
    if (old === undefined) return
    const generation = (this.#generations.get(name) ?? 1) + 1
    this.#generations.set(name, generation)
    const topic: SimulatedTopic = {
      name,
      id: this.#cluster.newTopicId(name, generation),
      config: new Map(old.config),
      partitions: [],
    }
    topic.partitions = old.partitions.map((partition) => {
      const { replicas } = partition.registration.current
      const alive = replicas.filter((id) => this.#cluster.brokers.get(id)?.isUp)
      const registration = {
        replicas,
        isr: alive,
        elr: [],
        lastKnownElr: [],
        leader: alive[0] ?? -1,
        leaderEpoch: 0,
        removing: [],
        adding: [],
      }
      const logs = new Map(
        replicas.map((id) => {
          const host = this.#broker(id)
          return [id, emptyLog(host.logDirs.find((dir) => host.isOnline(dir)) ?? host.logDirs[0] ?? '')]
        }),
      )
      return new SimulatedPartition(topic, partition.index, registration, logs, null)
    })
    this.#cluster.addTopic(topic)
    this.#cluster.recordMetadata()
  }
}

function firstVoter({ voters }: SimulatedQuorum): number {
  return voters[0] ?? -1
}
