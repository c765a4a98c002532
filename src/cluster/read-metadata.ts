import { Metadata } from '../protocol/rpc/metadata.js'
import type { ResponseOf } from '../protocol/schema/rpc.js'
import { ZERO_UUID } from '../protocol/schema/types.js'
import type { BrokerLink } from './connections.js'
import { eachInSlices, sharedSlices } from './slices.js'
import type { PartitionState } from './snapshot.js'

export interface MetadataRead {
  readonly clusterId: string
  readonly controller: number | null
  /** Unfenced brokers only (measured). */
  readonly brokers: readonly MetadataBroker[]
  /** By name (code units). */
  readonly topics: readonly MetadataTopic[]
}

export interface MetadataBroker {
  readonly id: number
  readonly host: string
  readonly port: number
  readonly rack: string | null
}

export interface MetadataTopic {
  readonly name: string
  readonly errorCode: number
  readonly internal: boolean
  /** ELR is not told here: null. By partition. */
  readonly partitions: readonly PartitionState[]
}

/**
 * @param topics null: all; an empty list: none, just the brokers
 * @throws TransportError
 */
export async function readMetadata(
  link: BrokerLink,
  topics: readonly string[] | null,
  timeoutMs: number,
): Promise<MetadataRead> {
  const { body } = await link.request(
    Metadata,
    { topics: topics === null ? null : topics.map((name) => ({ name })), allowAutoTopicCreation: false },
    { timeoutMs },
  )
  const all: MetadataTopic[] = []
  await eachInSlices(body.topics, sharedSlices, 1, (topic) => void all.push(topicOf(topic)))
  return {
    clusterId: body.clusterId ?? '',
    controller: body.controllerId < 0 ? null : body.controllerId,
    brokers: body.brokers.map(({ nodeId, host, port, rack }) => ({ id: nodeId, host, port, rack })),
    topics: all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  }
}

type WireTopic = ResponseOf<typeof Metadata>['topics'][number]

function topicOf(topic: WireTopic): MetadataTopic {
  const name = topic.name ?? ''
  const topicId = topic.topicId === ZERO_UUID ? null : topic.topicId
  const partitions = topic.partitions.map(
    (partition): PartitionState => ({
      topic: name,
      topicId,
      partition: partition.partitionIndex,
      leader: partition.leaderId < 0 ? null : partition.leaderId,
      leaderEpoch: partition.leaderEpoch,
      replicas: partition.replicaNodes,
      isr: partition.isrNodes,
      elr: null,
      lastKnownElr: null,
      offlineReplicas: partition.offlineReplicas,
    }),
  )
  return { name, errorCode: topic.errorCode, internal: topic.isInternal, partitions: sortedByPartition(partitions) }
}

function sortedByPartition(partitions: PartitionState[]): PartitionState[] {
  // Brokers mostly tell them in order: then there is nothing to be done.
  const ordered = partitions.every(({ partition }, index) => partition >= (partitions[index - 1]?.partition ?? 0))
  return ordered ? partitions : partitions.sort((a, b) => a.partition - b.partition)
}
