import type { AssignmentOrder, Election } from '../../src/cluster/cluster.js'
import { partitionName, type TopicPartition } from '../../src/cluster/snapshot.js'
import type { ClusterToRecover } from '../../src/recovery/apply/ports.js'
import type { Inspection } from '../../src/simulator/inspect.js'

/** What was true of one partition from a moment on. */
export interface Truth {
  readonly at: number
  readonly topicId: string | null
  readonly leader: number | null
  readonly leaderEpoch: number
  readonly replicas: readonly number[]
}

/** A state that the program was shown. */
interface Shown {
  /** When the read was begun, and when it was answered. */
  readonly from: number
  readonly at: number
  readonly topicId: string | null
  readonly leader: number | null
  readonly replicas: readonly number[]
}

export interface SentWrite {
  readonly at: number
  readonly api: 'reorder' | 'elect'
  /** Of a re-ordering. */
  readonly replicas: readonly number[] | null
  /** Whether it had an answer, of whatever kind. */
  answered: boolean
}

export interface PartitionTimeline {
  readonly truths: Truth[]
  readonly shown: Shown[]
  readonly writes: SentWrite[]
}

/** What the cluster was, what the program was shown of it, and what it sent, in one order: `at` counts all of them. */
export class Timeline {
  readonly partitions = new Map<string, PartitionTimeline>()
  readonly #names: readonly TopicPartition[]
  readonly #inspect: () => Inspection
  #clock = 0

  constructor(names: readonly TopicPartition[], inspect: () => Inspection) {
    this.#names = names
    this.#inspect = inspect
    for (const name of names) this.partitions.set(partitionName(name), { truths: [], shown: [], writes: [] })
    this.look()
  }

  of(partition: TopicPartition | string): PartitionTimeline {
    const name = typeof partition === 'string' ? partition : partitionName(partition)
    const found = this.partitions.get(name)
    if (found === undefined) throw new Error(`nobody knows ${name}`)
    return found
  }

  /** Notes what is true now, where it has changed. */
  look(): void {
    const inspection = this.#inspect()
    this.#clock += 1
    for (const { topic, partition } of this.#names) {
      const { truths } = this.of({ topic, partition })
      const now = inspection.partition(topic, partition)
      const truth: Truth =
        now === null
          ? { at: this.#clock, topicId: null, leader: null, leaderEpoch: -1, replicas: [] }
          : {
              at: this.#clock,
              topicId: now.topicId,
              leader: now.leader < 0 ? null : now.leader,
              leaderEpoch: now.leaderEpoch,
              replicas: now.replicas,
            }
      const { at: _, ...before } = truths.at(-1) ?? { at: 0 }
      const { at: __, ...after } = truth
      if (JSON.stringify(before) !== JSON.stringify(after)) truths.push(truth)
    }
  }

  /** The cluster as the program has it, with everything noted. */
  watched(cluster: ClusterToRecover): ClusterToRecover {
    return {
      reassignments: (partitions) => cluster.reassignments(partitions),
      readReplicaLogs: (partitions, options) => cluster.readReplicaLogs(partitions, options),
      readPartitions: async (partitions) => {
        this.look()
        const from = this.#clock
        const read = await cluster.readPartitions(partitions)
        this.look()
        for (const { topicId, leader, replicas, ...named } of read.found) {
          this.partitions.get(partitionName(named))?.shown.push({ from, at: this.#clock, topicId, leader, replicas })
        }
        return read
      },
      reorder: (orders, timeoutMs) => this.#sent('reorder', orders, () => cluster.reorder(orders, timeoutMs)),
      elect: (election, timeoutMs) =>
        this.#sent('elect', election.partitions, () => cluster.elect(election, timeoutMs)),
    }
  }

  async #sent<T>(
    api: SentWrite['api'],
    named: readonly (AssignmentOrder | Election['partitions'][number])[],
    send: () => Promise<T>,
  ): Promise<T> {
    this.look()
    const writes = named.map((one) => {
      const replicas = 'replicas' in one ? one.replicas : null
      const write: SentWrite = { at: this.#clock, api, replicas, answered: false }
      this.of(one).writes.push(write)
      return write
    })
    const answer = await send()
    for (const write of writes) write.answered = true
    this.look()
    return answer
  }
}
