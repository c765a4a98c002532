import { DescribeTopicPartitions } from '../../../src/protocol/rpc/describe-topic-partitions.js'
import { Metadata } from '../../../src/protocol/rpc/metadata.js'
import type { TestBroker } from './broker.js'

/** A partition as DescribeTopicPartitions tells it. */
export interface PartitionView {
  readonly partition: number
  /** -1: none. */
  readonly leader: number
  readonly leaderEpoch: number
  readonly replicas: readonly number[]
  readonly isr: readonly number[]
  /** Null: the cluster has no ELR. */
  readonly elr: readonly number[] | null
  readonly lastKnownElr: readonly number[] | null
  readonly offlineReplicas: readonly number[]
}

/** By DescribeTopicPartitions, in the view of one broker. */
export async function describePartitions(broker: TestBroker, topic: string): Promise<PartitionView[]> {
  const { topics } = await broker.rpc(DescribeTopicPartitions, 0, { topics: [{ name: topic }] })
  const [found] = topics
  if (found === undefined || found.errorCode !== 0) throw new Error(`describing ${topic}: error ${found?.errorCode}`)
  return found.partitions.map((partition) => ({
    ...common(partition),
    elr: partition.eligibleLeaderReplicas,
    lastKnownElr: partition.lastKnownElr,
  }))
}

/** By Metadata: ZooKeeper mode has no DescribeTopicPartitions. */
export async function describeWithoutElr(broker: TestBroker, topic: string): Promise<PartitionView[]> {
  const { topics } = await broker.rpc(Metadata, 9, { topics: [{ name: topic }], allowAutoTopicCreation: false })
  const [found] = topics
  if (found === undefined || found.errorCode !== 0) throw new Error(`describing ${topic}: error ${found?.errorCode}`)
  return found.partitions
    .map((partition) => ({ ...common(partition), elr: null, lastKnownElr: null }))
    .sort((a, b) => a.partition - b.partition)
}

function common(partition: {
  readonly partitionIndex: number
  readonly leaderId: number
  readonly leaderEpoch: number
  readonly replicaNodes: readonly number[]
  readonly isrNodes: readonly number[]
  readonly offlineReplicas: readonly number[]
}): Omit<PartitionView, 'elr' | 'lastKnownElr'> {
  return {
    partition: partition.partitionIndex,
    leader: partition.leaderId,
    leaderEpoch: partition.leaderEpoch,
    replicas: partition.replicaNodes,
    isr: partition.isrNodes,
    offlineReplicas: partition.offlineReplicas,
  }
}
