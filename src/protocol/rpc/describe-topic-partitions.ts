import { rpc } from '../schema/rpc.js'
import {
  arrayOf,
  bool,
  brokerIds,
  int16,
  int32,
  nullable,
  optional,
  string,
  struct,
  uuid,
  ZERO_UUID,
} from '../schema/types.js'

const cursor = nullable(struct({ topicName: string, partitionIndex: int32 }))

/** KIP-966: alone tells ELR and last known ELR. Pages of at most 2,000 partitions, continued by the cursor. */
export const DescribeTopicPartitions = rpc({
  name: 'DescribeTopicPartitions',
  apiKey: 75,
  versions: [0, 0],
  flexibleFrom: 0,
  writes: false,
  request: {
    topics: arrayOf({ name: string }),
    responsePartitionLimit: optional(int32, 2000),
    cursor: optional(cursor, null),
  },
  response: {
    throttleTimeMs: int32,
    topics: arrayOf({
      errorCode: int16,
      name: nullable(string),
      topicId: optional(uuid, ZERO_UUID),
      isInternal: optional(bool, false),
      partitions: arrayOf({
        errorCode: int16,
        partitionIndex: int32,
        leaderId: int32,
        leaderEpoch: optional(int32, -1),
        replicaNodes: brokerIds,
        isrNodes: brokerIds,
        eligibleLeaderReplicas: optional(nullable(brokerIds), null),
        lastKnownElr: optional(nullable(brokerIds), null),
        offlineReplicas: brokerIds,
      }),
      topicAuthorizedOperations: optional(int32, -2147483648),
    }),
    nextCursor: optional(cursor, null),
  },
})
