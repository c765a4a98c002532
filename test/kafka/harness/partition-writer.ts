import type { TestCluster, TopicToCreate } from './cluster.js'

/** What the log of each replica holds: broker id to values, in the order of their offsets, which start at 0. */
export interface DivergedPartition {
  readonly topic: string
  readonly partition: number
  readonly logs: ReadonlyMap<number, readonly string[]>
}

const REPLICAS = [1, 2, 3]

/** Writes to all partitions of some topics, and keeps book on who has what. */
export class PartitionWriter {
  readonly #logs = new Map<string, { topic: string; partition: number; logs: Map<number, string[]> }>()

  constructor(
    private readonly cluster: TestCluster,
    private readonly topics: readonly TopicToCreate[],
  ) {
    for (const { name, assignment } of topics) {
      for (const partition of assignment.keys()) {
        this.#logs.set(`${name}-${partition}`, {
          topic: name,
          partition,
          logs: new Map(REPLICAS.map((id): [number, string[]] => [id, []])),
        })
      }
    }
  }

  /** Creates the topics first. */
  static async onNew(cluster: TestCluster, topics: readonly TopicToCreate[]): Promise<PartitionWriter> {
    await cluster.createTopics(topics)
    return new PartitionWriter(cluster, topics)
  }

  get partitions(): DivergedPartition[] {
    return [...this.#logs.values()]
  }

  /** Writes `count` records to each partition, acknowledged by exactly these brokers, its ISR. */
  async write(count: number, isr: readonly number[]): Promise<void> {
    for (const { topic, partition, logs } of this.#logs.values()) {
      const writtenBefore = Math.max(...isr.map((id) => logs.get(id)?.length ?? 0))
      const values = Array.from(
        { length: count },
        (_, n) => `${topic}-${partition} ${isr.join('+')} ${writtenBefore + n}`,
      )
      const offset = await this.cluster.produce(topic, partition, values, { acks: -1 })
      if (offset !== writtenBefore)
        throw new Error(`${topic}-${partition}: written at ${offset}, not at ${writtenBefore}`)
      for (const id of isr) logs.get(id)?.push(...values)
    }
  }

  /** The broker's log was emptied. */
  forget(broker: number): void {
    for (const { logs } of this.#logs.values()) logs.set(broker, [])
  }

  async untilIsr(isr: readonly number[]): Promise<void> {
    for (const { name } of this.topics) {
      await this.cluster.untilDescribed(name, `brokers ${isr.join()} to be in sync`, (partitions) =>
        partitions.every((partition) => sorted(partition.isr) === sorted(isr)),
      )
    }
  }

  async untilLeaderless(alive: readonly number[]): Promise<void> {
    await this.cluster.untilAlive(alive)
    const offline = REPLICAS.filter((id) => !alive.includes(id))
    for (const { name } of this.topics) {
      await this.cluster.untilDescribed(name, `no leader, and ${offline.join()} offline`, (partitions) =>
        partitions.every(({ leader, offlineReplicas }) => leader === -1 && sorted(offlineReplicas) === sorted(offline)),
      )
    }
  }
}

function sorted(ids: readonly number[]): string {
  return [...ids].sort((a, b) => a - b).join()
}
