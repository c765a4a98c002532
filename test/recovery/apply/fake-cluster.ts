import {
  type AssignmentOrder,
  type Election,
  type PartitionAnswer,
  type PartitionsRead,
  RequestFailedError,
} from '../../../src/cluster/cluster.js'
import type { PartitionEvidence, ReplicaLog, ReplicaRead } from '../../../src/cluster/replica-log.js'
import { type PartitionState, partitionName, type TopicPartition } from '../../../src/cluster/snapshot.js'
import type { ClusterToRecover } from '../../../src/recovery/apply/ports.js'
import type { VirtualClock } from './virtual-clock.js'

export interface FakePartition {
  readonly topic: string
  readonly partition: number
  topicId: string
  leader: number | null
  leaderEpoch: number
  replicas: readonly number[]
  isr: readonly number[]
  elr: readonly number[]
  lastKnownElr: readonly number[]
  readonly logs: ReadonlyMap<number, Pick<ReplicaLog, 'logStartOffset' | 'logEndOffset' | 'epochs'>>
  reassigning: boolean
}

/** What happens to one call. An event happens before it, whatever it is. */
export type Fault =
  | { readonly kind: 'event'; readonly happen: (cluster: FakeCluster) => void }
  /** It never leaves. */
  | { readonly kind: 'notSent' }
  /** Carried out, and the answer is lost. */
  | { readonly kind: 'lostAnswer' }
  /** Sent, lost, never carried out. */
  | { readonly kind: 'lostRequest' }
  /** No answer; carried out later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Answered with an error for some (bit mask by position), and not carried out for these. */
  | { readonly kind: 'error'; readonly mask: number; readonly name: string; readonly retriable: boolean }
  /** Carried out, and answered with an error all the same. */
  | { readonly kind: 'doneButError'; readonly mask: number; readonly name: string; readonly retriable: boolean }
  /** Carried out, and left out of the answer. */
  | { readonly kind: 'omit'; readonly mask: number }
  /** Error 0, and nothing done: seen on real brokers. */
  | { readonly kind: 'nothingDone'; readonly mask: number }
  /** From here on nothing answers. */
  | { readonly kind: 'gone' }

export interface Write {
  readonly api: 'reorder' | 'elect'
  readonly partitions: readonly string[]
}

/**
 * A cluster in memory behind the port, with the stock controller's rules written down a second time (kafka-facts), a view that
 * lags behind the truth, and a fault for each call by its number. It notes whatever must never be done to it.
 */
export class FakeCluster implements ClusterToRecover {
  calls = 0
  readonly writes: Write[] = []
  /** What the code under test must never do. */
  readonly violations: string[] = []
  /** Every leader that each partition has had since the start. */
  readonly leaders = new Map<string, { broker: number; by: 'election' | 'reorder' | 'itself' }[]>()
  isGone = false
  private readonly truth = new Map<string, FakePartition>()
  private readonly history = new Map<string, { at: number; state: PartitionState }[]>()
  /** The leader that was last shown to a reader. */
  private readonly shown = new Map<string, PartitionState>()
  readonly othersChanged = new Set<string>()
  private readonly reordered = new Set<string>()
  private pending: { at: number; act: () => void }[] = []

  constructor(
    readonly clock: VirtualClock,
    readonly brokersUp: Set<number>,
    partitions: readonly FakePartition[],
    private faults: ReadonlyMap<number, Fault> = new Map(),
    private readonly lagMs = 0,
    readonly clusterId = 'fake',
  ) {
    for (const partition of partitions) {
      this.truth.set(partitionName(partition), { ...partition })
      this.record(partition)
    }
  }

  partition(name: string): FakePartition {
    const found = this.truth.get(name)
    if (found === undefined) throw new Error(`no partition ${name}`)
    return found
  }

  // --- what happens in the cluster -------------------------------------------------------------------------------------

  brokerUp(broker: number): void {
    this.brokersUp.add(broker)
    // Measured: any broker that comes back makes the controller look at every partition without a leader.
    for (const partition of this.truth.values()) this.touch(partition, 'itself')
  }

  brokerDown(broker: number): void {
    this.brokersUp.delete(broker)
    for (const partition of this.truth.values()) {
      if (partition.leader !== broker) continue
      this.change(partition, {
        leader: null,
        leaderEpoch: partition.leaderEpoch + 1,
        isr: [],
        elr: [],
        lastKnownElr: [broker],
      })
    }
  }

  leaderAppears(name: string, broker: number): void {
    const partition = this.truth.get(name)
    if (partition?.leader === null) this.lead(partition, broker, 'itself')
  }

  change(partition: FakePartition, by: Partial<FakePartition>): void {
    Object.assign(partition, by)
    this.record(partition)
  }

  /** Somebody else's doing: what becomes of it is not for us to put back. */
  changeByOthers(partition: FakePartition, by: Partial<FakePartition>): void {
    this.othersChanged.add(partitionName(partition))
    this.change(partition, by)
  }

  has(name: string): boolean {
    return this.truth.has(name)
  }

  remove(name: string): void {
    this.truth.delete(name)
    this.history.delete(name)
  }

  private touch(partition: FakePartition, by: 'reorder' | 'itself'): void {
    const winner = partition.leader === null ? this.winnerByRole(partition) : null
    if (winner !== null) this.lead(partition, winner, by)
  }

  /** electAnyLeader, steps 2 and 3. */
  private winnerByRole({ replicas, isr, elr, lastKnownElr }: FakePartition): number | null {
    const up = (broker: number) => this.brokersUp.has(broker)
    for (const broker of replicas) if (isr.includes(broker) && up(broker)) return broker
    if (isr.length > 0) return null
    for (const broker of replicas) if (elr.includes(broker) && up(broker)) return broker
    const last = lastKnownElr[0]
    return elr.length === 0 && lastKnownElr.length === 1 && last !== undefined && up(last) ? last : null
  }

  private lead(partition: FakePartition, broker: number, by: 'election' | 'reorder' | 'itself'): void {
    this.change(partition, {
      leader: broker,
      leaderEpoch: partition.leaderEpoch + 1,
      isr: [broker],
      elr: [],
      lastKnownElr: [],
    })
    const name = partitionName(partition)
    this.leaders.set(name, [...(this.leaders.get(name) ?? []), { broker, by }])
  }

  private record(partition: FakePartition): void {
    const { topic, topicId, leader, leaderEpoch, replicas, isr, elr, lastKnownElr } = partition
    const offlineReplicas = replicas.filter((broker) => !this.brokersUp.has(broker))
    const state = {
      topic,
      topicId,
      partition: partition.partition,
      leader,
      leaderEpoch,
      replicas,
      isr,
      elr,
      lastKnownElr,
      offlineReplicas,
    }
    const name = partitionName(partition)
    this.history.set(name, [...(this.history.get(name) ?? []), { at: this.clock.monotonicMs(), state }])
  }

  // --- the port --------------------------------------------------------------------------------------------------------

  async readPartitions(partitions: readonly TopicPartition[]): Promise<PartitionsRead> {
    const fault = this.begin()
    const omitted = fault?.kind === 'omit' ? fault.mask : 0
    const found: PartitionState[] = []
    const missing: PartitionsRead['missing'][number][] = []
    partitions.forEach((named, index) => {
      if (omitted & (1 << (index % 30))) return
      const state = this.viewOf(partitionName(named))
      const { topic, partition } = named
      if (state === null) missing.push({ topic, partition, code: 'unknownTopic', text: 'no such topic' })
      else found.push(state)
    })
    for (const state of found) this.shown.set(partitionName(state), state)
    return { found, missing, brokersUp: new Set(this.brokersUp), clusterId: this.clusterId }
  }

  private viewOf(name: string): PartitionState | null {
    const versions = this.history.get(name)
    if (versions === undefined) return null
    const at = this.clock.monotonicMs() - this.lagMs
    const seen = versions.findLast((version) => version.at <= at) ?? versions[0]
    if (seen === undefined) return null
    return { ...seen.state, offlineReplicas: seen.state.replicas.filter((broker) => !this.brokersUp.has(broker)) }
  }

  async reassignments(partitions: readonly TopicPartition[]): Promise<ReadonlySet<string>> {
    this.begin()
    return new Set(partitions.map(partitionName).filter((name) => this.truth.get(name)?.reassigning))
  }

  async readReplicaLogs(partitions: readonly PartitionState[]): Promise<PartitionEvidence[]> {
    this.begin()
    return partitions.map((state) => this.evidenceOf(state))
  }

  evidenceOf(state: PartitionState): PartitionEvidence {
    const logs = this.truth.get(partitionName(state))?.logs
    const replicas = state.replicas.map((broker): ReplicaRead => {
      const log = logs?.get(broker)
      if (!this.brokersUp.has(broker) || log === undefined) {
        return { kind: 'notRead', broker, cause: 'down', reason: 'does not answer' }
      }
      const last = log.epochs.at(-1)
      const empty = log.logStartOffset === log.logEndOffset || last === undefined
      return {
        kind: 'read',
        broker,
        ...log,
        lastWrittenEpoch: empty ? { kind: 'none' } : { kind: 'epoch', epoch: last.epoch },
        highWatermark: null,
        sizeBytes: null,
        logDir: null,
      }
    })
    return { state, replicas, readAt: this.clock.now() }
  }

  async reorder(orders: readonly AssignmentOrder[]): Promise<PartitionAnswer[]> {
    return this.write('reorder', orders, (order) => {
      const partition = this.truth.get(partitionName(order))
      if (partition === undefined) return [3, 'UNKNOWN_TOPIC_OR_PARTITION']
      const shown = this.shown.get(partitionName(order))?.replicas ?? []
      if (!sameMembers(order.replicas, shown)) {
        this.violations.push(
          `${partitionName(order)}: [${shown.join()}] was shown, [${order.replicas.join()}] was sent`,
        )
      }
      if (!sameMembers(order.replicas, partition.replicas)) return [39, 'INVALID_REPLICA_ASSIGNMENT']
      this.change(partition, { replicas: order.replicas })
      this.touch(partition, 'reorder')
      return null
    })
  }

  async elect(election: Election): Promise<PartitionAnswer[]> {
    const designated = new Map(
      election.kind === 'designated' ? election.partitions.map((one) => [partitionName(one), one.leader]) : [],
    )
    return this.write('elect', election.partitions, (named) => {
      const partition = this.truth.get(partitionName(named))
      if (partition === undefined) return [3, 'UNKNOWN_TOPIC_OR_PARTITION']
      if (partition.leader !== null) return [84, 'ELECTION_NOT_NEEDED']
      const up = partition.replicas.filter((broker) => this.brokersUp.has(broker))
      const wanted = designated.get(partitionName(named))
      const winner =
        election.kind === 'designated'
          ? up.find((broker) => broker === wanted)
          : (this.winnerByRole(partition) ?? up[0])
      if (winner === undefined) return [83, 'ELIGIBLE_LEADERS_NOT_AVAILABLE']
      this.lead(partition, winner, 'election')
      return null
    })
  }

  private write<T extends TopicPartition>(
    api: Write['api'],
    named: readonly T[],
    act: (one: T) => readonly [code: number, name: string] | null,
  ): PartitionAnswer[] {
    const names = named.map(partitionName)
    const fault = this.begin(() => this.writes.push({ api, partitions: names }))
    if (named.length === 0) this.violations.push(`${api} that names nothing`)
    if (fault?.kind === 'notSent') throw new RequestFailedError('not connected', false, 'connection', true)
    this.writes.push({ api, partitions: names })
    this.checkShown(api, named)
    if (api === 'reorder') for (const name of names) this.reordered.add(name)
    if (fault?.kind === 'late') {
      this.pending.push({ at: this.clock.monotonicMs() + fault.ms, act: () => named.forEach(act) })
      throw new RequestFailedError('no answer', true, 'timeout', true)
    }
    const answers = named.flatMap((one, index): PartitionAnswer[] => {
      const { topic, partition } = one
      const answer = (code: number, name: string, retriable: boolean) => ({
        topic,
        partition,
        code,
        name,
        message: null,
        retriable,
      })
      const hit = fault !== undefined && 'mask' in fault && (fault.mask & (1 << (index % 30))) !== 0
      if (hit && fault.kind === 'error') return [answer(9999, fault.name, fault.retriable)]
      if (hit && fault.kind === 'nothingDone') return [answer(0, 'NONE', false)]
      if (fault?.kind === 'lostRequest') return []
      const error = act(one)
      if (hit && fault.kind === 'doneButError') return [answer(9999, fault.name, fault.retriable)]
      if (hit) return []
      return [
        error === null ? answer(0, 'NONE', false) : answer(error[0], error[1], error[0] === 83 || error[0] === 84),
      ]
    })
    if (fault?.kind === 'lostAnswer' || fault?.kind === 'lostRequest') {
      throw new RequestFailedError('connection closed', true, 'connection', true)
    }
    return answers
  }

  /** By what it has been shown, nobody may touch a partition that has a leader, unless to put its order back. */
  private checkShown(
    api: Write['api'],
    named: readonly (TopicPartition & { readonly replicas?: readonly number[] })[],
  ): void {
    for (const one of named) {
      const name = partitionName(one)
      const shown = this.shown.get(name)
      const before = this.history.get(name)?.some(({ state }) => String(state.replicas) === String(one.replicas))
      const putsBack = api === 'reorder' && this.reordered.has(name) && before
      if (shown === undefined) this.violations.push(`${api} of ${name}, never read`)
      else if (shown.leader !== null && !putsBack)
        this.violations.push(`${api} of ${name}, shown with leader ${shown.leader}`)
    }
  }

  /** Time passes, what was late happens, and the fault of this call strikes. */
  private begin(ifGone: () => void = () => {}): Fault | undefined {
    this.clock.pass(5)
    this.calls += 1
    const due = this.pending.filter(({ at }) => at <= this.clock.monotonicMs())
    this.pending = this.pending.filter((one) => !due.includes(one))
    for (const { act } of due) act()
    const fault = this.faults.get(this.calls)
    if (fault?.kind === 'gone') this.isGone = true
    if (this.isGone) {
      ifGone()
      throw new RequestFailedError('no broker answers', true, 'connection', true)
    }
    if (fault?.kind === 'event') fault.happen(this)
    return fault
  }

  /** No faults and no events any more. */
  holdStill(): void {
    this.faults = new Map()
  }

  /** Something that was sent, and is carried out after so many ms. */
  later(ms: number, act: () => void): void {
    this.pending.push({ at: this.clock.monotonicMs() + ms, act })
  }

  /** How much was sent and not yet carried out. */
  get late(): number {
    return this.pending.length
  }

  /** What was sent and not yet carried out happens now. */
  finishLate(): void {
    for (const { act } of this.pending) act()
    this.pending = []
  }
}

function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  return String([...a].sort()) === String([...b].sort())
}
