import type { TestCluster, TopicToCreate } from './cluster.js'

/** What the log of each replica holds: broker id to values, in the order of their offsets, which start at 0. */
export interface DivergedPartition {
  readonly topic: string
  readonly partition: number
  readonly logs: ReadonlyMap<number, readonly string[]>
}

const ALL = [1, 2, 3]

/**
 * Three different logs, all in one line: kill 3, write, kill 2, write, kill 1, start 2 and 3. After it no partition has a
 * leader; 1 is down and has most, 3 has least, and nobody who runs is in ISR or ELR. All partitions must have the replicas
 * 1, 2 and 3 (in any order), in a cluster of three running brokers; several topics cost no more than one.
 */
export async function leaveTwoBehind(
  cluster: TestCluster,
  topics: readonly TopicToCreate[],
  { counts = [10, 5, 3] }: { readonly counts?: readonly [number, number, number] } = {},
): Promise<DivergedPartition[]> {
  const writer = await Writer.onNew(cluster, topics)
  await writer.write(counts[0], ALL)
  await loseBroker(cluster, 3)
  await writer.write(counts[1], [1, 2])
  await loseBroker(cluster, 2)
  await writer.write(counts[2], [1])
  await loseBroker(cluster, 1)
  await cluster.start(2, 3)
  await writer.untilLeaderless([2, 3])
  return writer.partitions
}

/**
 * The longest log stands on an older epoch: 1 writes alone and dies, 2 and 3 go on without that (an unclean election), 2
 * dies, 3 writes a little more alone and dies, 1 and 2 start. After it no partition has a leader; 3 is down; 1 has 30
 * records that nobody agreed on, 2 has 15 and a newer epoch.
 */
export async function leaveLongerLogOnOlderEpoch(
  cluster: TestCluster,
  topics: readonly TopicToCreate[],
): Promise<DivergedPartition[]> {
  const writer = await Writer.onNew(cluster, topics)
  await writer.write(10, ALL)
  await cluster.broker(3).kill()
  await loseBroker(cluster, 2)
  await cluster.untilFenced(3)
  await writer.write(20, [1])
  await loseBroker(cluster, 1)
  await cluster.start(2, 3)
  await writer.untilLeaderless([2, 3])
  for (const { topic, partition } of writer.partitions) {
    const code = await cluster.elect('unclean', topic, partition)
    if (code !== 0) throw new Error(`unclean election of ${topic}-${partition}: error ${code}`)
  }
  await writer.untilIsr([2, 3])
  await writer.write(5, [2, 3])
  await loseBroker(cluster, 2)
  await writer.write(3, [3])
  await loseBroker(cluster, 3)
  await cluster.start(1, 2)
  await writer.untilLeaderless([1, 2])
  return writer.partitions
}

async function loseBroker(cluster: TestCluster, id: number): Promise<void> {
  await cluster.broker(id).kill()
  await cluster.untilFenced(id)
}

/** Writes to all partitions of some topics, and keeps book on who has what. */
class Writer {
  readonly #logs = new Map<string, { topic: string; partition: number; logs: Map<number, string[]> }>()

  private constructor(
    private readonly cluster: TestCluster,
    private readonly topics: readonly TopicToCreate[],
  ) {
    for (const { name, assignment } of topics) {
      for (const partition of assignment.keys()) {
        this.#logs.set(`${name}-${partition}`, {
          topic: name,
          partition,
          logs: new Map(ALL.map((id): [number, string[]] => [id, []])),
        })
      }
    }
  }

  static async onNew(cluster: TestCluster, topics: readonly TopicToCreate[]): Promise<Writer> {
    await cluster.createTopics(topics)
    return new Writer(cluster, topics)
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

  async untilIsr(isr: readonly number[]): Promise<void> {
    for (const { name } of this.topics) {
      await this.cluster.untilDescribed(name, `brokers ${isr.join()} to be in sync`, (partitions) =>
        partitions.every((partition) => sorted(partition.isr) === sorted(isr)),
      )
    }
  }

  async untilLeaderless(alive: readonly number[]): Promise<void> {
    await this.cluster.untilAlive(alive)
    const offline = ALL.filter((id) => !alive.includes(id))
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
