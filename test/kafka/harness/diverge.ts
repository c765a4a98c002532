import type { TestCluster, TopicToCreate } from './cluster.js'
import { type DivergedPartition, PartitionWriter } from './partition-writer.js'

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
  const writer = await PartitionWriter.onNew(cluster, topics)
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
  const writer = await PartitionWriter.onNew(cluster, topics)
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
