import type { GetReplicaLogInfo } from '../protocol/rpc/get-replica-log-info.js'
import type { BrokerLink } from './connections.js'
import { type BrokerReadOptions, chunks, type LogReadings, remainingTime } from './log-reading.js'
import { groupByTopic } from './partitions-by-topic.js'
import type { PartitionState } from './snapshot.js'

/** GetReplicaLogInfo serves only the first 1,000 (KIP-1275). */
const REPLICA_LOG_INFO_LIMIT = 1_000

/** Only a hint that saves rounds: what it does not tell, or tells wrongly, the fetches find out. */
export async function askReplicaLogInfo(
  link: BrokerLink,
  rpc: typeof GetReplicaLogInfo,
  readings: LogReadings,
  options: BrokerReadOptions,
): Promise<void> {
  const byTopicId = new Map<string, PartitionState[]>()
  for (const { partition } of readings.values()) {
    if (partition.topicId === null) continue
    const group = byTopicId.get(partition.topicId)
    if (group === undefined) byTopicId.set(partition.topicId, [partition])
    else group.push(partition)
  }
  const all = [...byTopicId.values()].flat()
  const requests = [...chunks(all, REPLICA_LOG_INFO_LIMIT)].map(async (chunk) => {
    const topicPartitions = [...groupByTopic(chunk).values()].map((group) => ({
      topicId: group[0]?.topicId ?? '',
      partitions: group.map(({ partition }) => partition),
    }))
    const { body } = await link.request(rpc, { topicPartitions }, { timeoutMs: remainingTime(options) })
    for (const topic of body.topicPartitionLogInfoList) {
      const name = byTopicId.get(topic.topicId)?.[0]?.topic
      if (name === undefined) continue
      for (const info of topic.partitionLogInfo) {
        const reading = readings.get({ topic: name, partition: info.partition })
        if (reading === undefined || info.errorCode !== 0 || info.lastWrittenLeaderEpoch < 0) continue
        reading.lastWritten = info.lastWrittenLeaderEpoch
      }
    }
  })
  // Whatever does not fit: fall back to the requests that every broker has.
  await Promise.allSettled(requests)
}
