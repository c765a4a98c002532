import type { SimulatedCluster } from '../model/cluster.js'
import type { SimulatedPartition } from '../model/partition.js'
import { hasLeader, type Registration } from '../model/registration.js'
import { withLeaderEpoch } from '../model/replica-log.js'
import { advancedHighWatermark, copyFromLeader, cutToLeader } from './follow.js'

/** How often followers move on while they catch up at a rate, ms. */
const STEP_MS = 100

/**
 * What brokers do with a partition once the controller has named its leader: the leader notes its epoch, followers cut their logs
 * to it, catch up and are taken into the ISR.
 */
export class Replication {
  readonly #cluster: SimulatedCluster
  /** Offsets a second for each replica; null: at once. */
  readonly #offsetsPerSecond: number | null
  readonly #joinIsr: (partition: SimulatedPartition, broker: number) => void
  readonly #behind = new Set<SimulatedPartition>()
  #cancelStep: (() => void) | null = null
  #lastStepAt = 0

  /** @param joinIsr asks the controller to take a replica that has caught up into the ISR */
  constructor(
    cluster: SimulatedCluster,
    offsetsPerSecond: number | null,
    joinIsr: (partition: SimulatedPartition, broker: number) => void,
  ) {
    this.#cluster = cluster
    this.#offsetsPerSecond = offsetsPerSecond
    this.#joinIsr = joinIsr
  }

  stop(): void {
    this.#cancelStep?.()
    this.#behind.clear()
  }

  /** Carries out a change of registration on the brokers' disks. */
  follow(partition: SimulatedPartition, before: Registration): void {
    const now = partition.registration.current
    for (const added of now.replicas) {
      if (partition.log(added) !== null) continue
      const host = this.#cluster.brokers.get(added)
      const logDir = host?.logDirs.find((dir) => host.isOnline(dir)) ?? host?.logDirs[0]
      if (logDir !== undefined) partition.setLog(added, partition.logOrEmpty(added, logDir))
    }
    for (const gone of before.replicas) if (!now.replicas.includes(gone)) partition.setLog(gone, null)
    if (!hasLeader(now)) {
      this.#behind.delete(partition)
      return
    }
    const leaderLog = partition.log(now.leader)
    if (leaderLog === null || !this.#cluster.isReplicaServing(partition, now.leader)) return
    if (now.leaderEpoch !== before.leaderEpoch)
      partition.setLog(now.leader, withLeaderEpoch(leaderLog, now.leaderEpoch))
    this.catchUp(partition)
  }

  /** Followers that are alive cut their logs, and catch up: at once, or in steps. */
  catchUp(partition: SimulatedPartition): void {
    const { leader, replicas } = partition.registration.current
    if (leader < 0 || !this.#cluster.isReplicaServing(partition, leader)) return
    for (const broker of replicas) {
      const leaderLog = partition.log(leader)
      const log = partition.log(broker)
      if (broker === leader || log === null || leaderLog === null) continue
      if (!this.#cluster.isReplicaServing(partition, broker)) continue
      const cut = cutToLeader(log, leaderLog)
      if (cut !== log) partition.setLog(broker, cut)
    }
    this.#advance(partition, this.#offsetsPerSecond === null ? Number.POSITIVE_INFINITY : 0, false)
  }

  /**
   * @param limit offsets that each follower may copy now
   * @param inStep whether this is a timed step: new replicas copy in steps only, so that a move can be seen under way
   */
  #advance(partition: SimulatedPartition, limit: number, inStep: boolean): void {
    const { leader, replicas, adding } = partition.registration.current
    const leaderLog = partition.log(leader)
    if (leaderLog === null || !this.#cluster.isReplicaServing(partition, leader)) {
      this.#behind.delete(partition)
      return
    }
    let behind = false
    const caughtUp: number[] = []
    for (const broker of replicas) {
      const log = partition.log(broker)
      if (broker === leader || log === null || !this.#cluster.isReplicaServing(partition, broker)) continue
      const mustWait = adding.includes(broker) && !inStep
      const next = copyFromLeader(log, leaderLog, mustWait ? 0 : limit)
      partition.setLog(broker, next)
      if (mustWait || next.logEndOffset < leaderLog.logEndOffset) behind = true
      else caughtUp.push(broker)
    }
    for (const broker of caughtUp) {
      const now = partition.registration.current
      // Taking one in may complete a move, which drops another.
      if (now.replicas.includes(broker) && !now.isr.includes(broker)) this.#joinIsr(partition, broker)
    }
    this.#raiseHighWatermarks(partition)
    if (behind) this.#behind.add(partition)
    else this.#behind.delete(partition)
    if (behind) this.#schedule()
  }

  #raiseHighWatermarks(partition: SimulatedPartition): void {
    const { leader, replicas } = partition.registration.current
    const leaderLog = partition.log(leader)
    if (leaderLog === null) return
    const highWatermark = advancedHighWatermark(partition, leaderLog, this.#cluster.minIsr(partition))
    if (highWatermark !== leaderLog.highWatermark) partition.setLog(leader, { ...leaderLog, highWatermark })
    for (const broker of replicas) {
      const log = partition.log(broker)
      if (broker === leader || log === null || !this.#cluster.isReplicaServing(partition, broker)) continue
      const theirs = Math.max(log.highWatermark, Math.min(highWatermark, log.logEndOffset))
      if (theirs !== log.highWatermark) partition.setLog(broker, { ...log, highWatermark: theirs })
    }
  }

  #schedule(): void {
    if (this.#cancelStep !== null) return
    this.#lastStepAt = this.#cluster.clock.now()
    this.#cancelStep = this.#cluster.clock.after(STEP_MS, () => {
      this.#cancelStep = null
      const elapsed = this.#cluster.clock.now() - this.#lastStepAt
      const rate = this.#offsetsPerSecond
      const limit = rate === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.round((rate * elapsed) / 1000))
      for (const partition of [...this.#behind]) this.#advance(partition, limit, true)
      if (this.#behind.size > 0) this.#schedule()
    })
  }
}
