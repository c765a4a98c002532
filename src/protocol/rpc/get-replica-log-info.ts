import { rpc } from '../schema/rpc.js'
import { array, arrayOf, bool, int16, int32, int64, nullable, uuid } from '../schema/types.js'

/**
 * KIP-1275, as it was in Kafka's development branch in 2025; reverted before any release. Released 4.4.0 brokers answer key 93
 * as something else: use it only where ElectLeaders 3 is advertised too.
 */
export const GetReplicaLogInfo = rpc({
  name: 'GetReplicaLogInfo',
  apiKey: 93,
  versions: [0, 0],
  flexibleFrom: 0,
  writes: false,
  request: { topicPartitions: nullable(arrayOf({ topicId: uuid, partitions: array(int32) })) },
  response: {
    throttleTimeMs: int32,
    brokerEpoch: int64,
    /** More than 1,000 partitions were asked for; only the first 1,000 are answered. */
    truncated: bool,
    topicPartitionLogInfoList: arrayOf({
      topicId: uuid,
      partitionLogInfo: arrayOf({
        partition: int32,
        lastWrittenLeaderEpoch: int32,
        currentLeaderEpoch: int32,
        logEndOffset: int64,
        errorCode: int16,
      }),
    }),
  },
})
