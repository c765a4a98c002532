import type { SimulatedBroker } from '../model/broker.js'
import type { SimulatedCluster } from '../model/cluster.js'
import type { SimulatedPartition } from '../model/partition.js'
import { hasLeader, type Registration } from '../model/registration.js'
import { type ChangeRequest, changePartition } from './partition-change.js'
import { Replication } from './replication.js'

/** What a touch asks of changePartition, beside what the cluster itself tells. */
export type Touch = Partial<Omit<ChangeRequest, 'isAcceptable' | 'minIsr' | 'elrEnabled'>> & {
  /** Counts as alive already: a broker that is being unfenced. */
  readonly joining?: number
  /** Counts as gone already. */
  readonly leaving?: number
  /** Replicas in a directory that the controller does not know yet may not lead (LeaderAcceptor). */
  readonly unknownDirectory?: (partition: SimulatedPartition, broker: number) => boolean
}

/**
 * The controller's rules: which partitions an event touches, and what becomes of them. A second writing of what real brokers do,
 * on purpose apart from the program's own prediction (src/recovery). Source: behaviour of ReplicationControlManager, 4.4.0.
 */
export class Controller {
  readonly cluster: SimulatedCluster
  readonly replication: Replication
  /** What waits for a controller to lead again. */
  readonly #waiting: (() => void)[] = []

  constructor(cluster: SimulatedCluster, catchUpOffsetsPerSecond: number | null) {
    this.cluster = cluster
    this.replication = new Replication(cluster, catchUpOffsetsPerSecond, (partition, broker) => {
      const { isr } = partition.registration.current
      this.touch(partition, { isr: [...isr, broker] })
    })
  }

  /** Runs now, or once a controller leads. */
  whenLed(task: () => void): void {
    if (this.cluster.quorum.leader >= 0) task()
    else this.#waiting.push(task)
  }

  /** Another voter leads, or (-1) nobody. */
  setLeader(leader: number): void {
    this.cluster.quorum.leader = leader
    this.cluster.quorum.leaderEpoch += 1
    if (leader >= 0) for (const task of this.#waiting.splice(0)) task()
  }

  /** What a touch would make of the partition; null: nothing. */
  preview(partition: SimulatedPartition, touch: Touch): Registration | null {
    const { joining, leaving, unknownDirectory, election, ...targets } = touch
    const { cluster } = this
    return changePartition(partition.registration.current, {
      ...targets,
      election: election ?? 'online',
      minIsr: cluster.minIsr(partition),
      elrEnabled: cluster.elrEnabled,
      isAcceptable(broker) {
        if (broker === leaving || broker === touch.uncleanShutdown) return false
        if (unknownDirectory?.(partition, broker)) return false
        const host = cluster.brokers.get(broker)
        const log = partition.log(broker)
        if (host === undefined || log === null || !host.isOnline(log.logDir)) return false
        return host.isUp || broker === joining
      },
    })
  }

  /** @returns whether anything changed */
  touch(partition: SimulatedPartition, touch: Touch): boolean {
    const next = this.preview(partition, touch)
    if (next === null) return false
    this.commit(partition, next)
    return true
  }

  /** Makes a change of registration true, and has the brokers follow. */
  commit(partition: SimulatedPartition, next: Registration): void {
    const before = partition.registration.current
    this.cluster.register(partition, next)
    this.replication.follow(partition, before)
  }

  /** A broker's session expired, or it is shutting down: it leaves every ISR; its leaderships go to others in sync. */
  brokerFenced(broker: SimulatedBroker): void {
    this.#removeFromIsr(broker, (partition) => partition.registration.current.isr.includes(broker.id))
  }

  /** Registers again. After an unclean stop it is in no ISR and no ELR any more (only where ELR is kept). */
  brokerRegistered(broker: SimulatedBroker, clean: boolean): void {
    broker.brokerEpoch = this.cluster.metadataEnd.current
    if (clean || !this.cluster.elrEnabled) {
      this.brokerFenced(broker)
      return
    }
    for (const partition of this.cluster.partitions()) {
      const { isr, elr } = partition.registration.current
      if (!isr.includes(broker.id) && !elr.includes(broker.id)) continue
      this.#touchWithConfig(partition, {
        uncleanShutdown: broker.id,
        isr: isr.filter((member) => member !== broker.id),
      })
    }
  }

  /**
   * Unfenced: every leaderless partition of the cluster is touched, whether this broker has a replica or not (measured: state Z
   * goes off when any other broker comes back). Then its followers cut their logs and catch up.
   */
  brokerUnfenced(
    broker: SimulatedBroker,
    unknownDirectory?: (partition: SimulatedPartition, broker: number) => boolean,
  ): void {
    for (const partition of this.cluster.partitions()) {
      const { current } = partition.registration
      if (!hasLeader(current)) {
        this.#touchWithConfig(partition, {
          joining: broker.id,
          ...(unknownDirectory === undefined ? {} : { unknownDirectory }),
        })
      } else if (current.replicas.includes(broker.id)) {
        this.replication.catchUp(partition)
      }
    }
  }

  /** A directory failed: its replicas leave the ISR; leaderships go to others in sync. */
  directoryFailed(broker: SimulatedBroker, logDir: string): void {
    this.#removeFromIsr(
      broker,
      (partition) =>
        partition.registration.current.replicas.includes(broker.id) && partition.log(broker.id)?.logDir === logDir,
    )
  }

  /** The timer auto.leader.rebalance.enable: whatever is not led by the first of its list, leaderless ones included. */
  balanceLeaders(): void {
    for (const partition of this.cluster.partitions()) {
      const { leader, replicas } = partition.registration.current
      if (leader !== replicas[0]) this.touch(partition, { election: 'preferred' })
    }
  }

  #removeFromIsr(broker: SimulatedBroker, concerned: (partition: SimulatedPartition) => boolean): void {
    for (const partition of this.cluster.partitions()) {
      if (!concerned(partition)) continue
      const { isr } = partition.registration.current
      this.#touchWithConfig(partition, { leaving: broker.id, isr: isr.filter((member) => member !== broker.id) })
    }
  }

  /** Touches of the cluster's own making elect uncleanly where the topic allows it. */
  #touchWithConfig(partition: SimulatedPartition, touch: Touch): void {
    const unclean = this.cluster.uncleanElectionEnabled(partition.topic)
    this.touch(partition, unclean ? { ...touch, election: 'unclean' } : touch)
  }
}
