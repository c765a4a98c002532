import type { TopicPartition } from './snapshot.js'

/**
 * A map by topic, then partition number. A Map by partitionName would keep a string of its own for each of some 100,000 partitions on each broker, and
 * make it anew at each look-up.
 */
export class PartitionMap<Value> {
  readonly #topics = new Map<string, Map<number, Value>>()

  get({ topic, partition }: TopicPartition): Value | undefined {
    return this.#topics.get(topic)?.get(partition)
  }

  set({ topic, partition }: TopicPartition, value: Value): void {
    const partitions = this.#topics.get(topic)
    if (partitions === undefined) this.#topics.set(topic, new Map([[partition, value]]))
    else partitions.set(partition, value)
  }

  /** @returns whether it was there */
  delete({ topic, partition }: TopicPartition): boolean {
    return this.#topics.get(topic)?.delete(partition) === true
  }

  /** What is there of one topic. */
  ofTopic(topic: string): ReadonlyMap<number, Value> | undefined {
    return this.#topics.get(topic)
  }

  /** In the order in which topics, and in them partitions, were set first. Deleting the present one is allowed. */
  *values(): Generator<Value> {
    for (const partitions of this.#topics.values()) yield* partitions.values()
  }

  get size(): number {
    let size = 0
    for (const partitions of this.#topics.values()) size += partitions.size
    return size
  }
}
