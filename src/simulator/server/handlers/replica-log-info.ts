import { ErrorCode } from '../../../protocol/error-codes.js'
import { GetReplicaLogInfo } from '../../../protocol/rpc/get-replica-log-info.js'
import { KIP_1275_REQUEST_LIMIT } from '../../controller/elections.js'
import { api } from '../api.js'
import { localReplica } from './local-replica.js'

/** KIP-1275, as it was in the development branch: personality kip1275 alone. */
export const getReplicaLogInfo = api({
  rpc: GetReplicaLogInfo,
  needs: { cluster: 'CLUSTER_ACTION' },
  handle(request, context) {
    const { cluster, broker } = context
    let left = Math.min(KIP_1275_REQUEST_LIMIT, context.requestLimit ?? KIP_1275_REQUEST_LIMIT)
    let truncated = false
    const topicPartitionLogInfoList = (request.topicPartitions ?? []).map(({ topicId, partitions }) => {
      const topic = cluster.topicById(topicId)
      const served = partitions.slice(0, left)
      if (served.length < partitions.length) truncated = true
      left -= served.length
      return {
        topicId,
        partitionLogInfo: served.map((index) => {
          const fault = topic === null ? ErrorCode.NONE : context.faultFor(topic.name, index)
          if (fault !== ErrorCode.NONE) return unknownLogInfo(index, fault)
          if (topic === null) return unknownLogInfo(index, ErrorCode.UNKNOWN_TOPIC_ID)
          const found = localReplica(context, topic.partitions[index] ?? null)
          if (typeof found === 'number') return unknownLogInfo(index, found)
          const written = found.log.epochs.filter(([, start]) => start < found.log.logEndOffset)
          return {
            partition: index,
            lastWrittenLeaderEpoch: written.at(-1)?.[0] ?? -1,
            currentLeaderEpoch: found.partition.registration.current.leaderEpoch,
            logEndOffset: BigInt(found.log.logEndOffset),
            errorCode: ErrorCode.NONE,
          }
        }),
      }
    })
    return { throttleTimeMs: 0, brokerEpoch: BigInt(broker.brokerEpoch), truncated, topicPartitionLogInfoList }
  },
  refuse: (request, { code }) => ({
    throttleTimeMs: 0,
    brokerEpoch: -1n,
    truncated: false,
    topicPartitionLogInfoList: (request.topicPartitions ?? []).map(({ topicId, partitions }) => ({
      topicId,
      partitionLogInfo: partitions.map((index) => unknownLogInfo(index, code)),
    })),
  }),
  // Topics by id: the table of names is the cluster's, so faults by topic are looked up in the handler.
  named: (request) =>
    request.topicPartitions?.flatMap(({ topicId, partitions }) =>
      partitions.map((partition) => ({ topic: topicId, partition })),
    ) ?? null,
})

function unknownLogInfo(partition: number, errorCode: number) {
  return { partition, lastWrittenLeaderEpoch: -1, currentLeaderEpoch: -1, logEndOffset: -1n, errorCode }
}
