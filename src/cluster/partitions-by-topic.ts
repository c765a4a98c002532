import type { TopicPartition } from './snapshot.js'

/** The form of most requests: each topic once, with its partitions. Keeps the order of first mention. */
export function partitionsByTopic(partitions: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  return [...groupByTopic(partitions)].map(([topic, group]) => ({ topic, partitions: group.map((p) => p.partition) }))
}

export function groupByTopic<T extends TopicPartition>(partitions: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const partition of partitions) {
    const group = groups.get(partition.topic)
    if (group === undefined) groups.set(partition.topic, [partition])
    else group.push(partition)
  }
  return groups
}
