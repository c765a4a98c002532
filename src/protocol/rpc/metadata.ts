import { rpc } from '../schema/rpc.js'
import {
  arrayOf,
  between,
  bool,
  brokerIds,
  int16,
  int32,
  nullable,
  since,
  string,
  uuid,
  ZERO_UUID,
} from '../schema/types.js'

const NO_AUTHORIZED_OPERATIONS = -2147483648

/** Brokers holds only unfenced brokers; a partition without a leader has error 5 and leader -1 (measured, 3.9.2 to 4.4.0). */
export const Metadata = rpc({
  name: 'Metadata',
  apiKey: 3,
  versions: [1, 13],
  flexibleFrom: 9,
  writes: false,
  request: {
    /** Null asks for all topics, an empty list for none. */
    topics: nullable(arrayOf({ topicId: since(10, uuid, ZERO_UUID), name: nullable(string, 10) }), 1),
    /** Send false: asking must never create a topic. */
    allowAutoTopicCreation: since(4, bool, true),
    includeClusterAuthorizedOperations: between(8, 10, bool, false),
    includeTopicAuthorizedOperations: since(8, bool, false),
  },
  response: {
    throttleTimeMs: since(3, int32, 0),
    brokers: arrayOf({ nodeId: int32, host: string, port: int32, rack: since(1, nullable(string, 1), null) }),
    clusterId: since(2, nullable(string, 2), null),
    controllerId: since(1, int32, -1),
    topics: arrayOf({
      errorCode: int16,
      name: nullable(string, 12),
      topicId: since(10, uuid, ZERO_UUID),
      isInternal: since(1, bool, false),
      partitions: arrayOf({
        errorCode: int16,
        partitionIndex: int32,
        leaderId: int32,
        leaderEpoch: since(7, int32, -1),
        replicaNodes: brokerIds,
        isrNodes: brokerIds,
        offlineReplicas: since(5, brokerIds, []),
      }),
      topicAuthorizedOperations: since(8, int32, NO_AUTHORIZED_OPERATIONS),
    }),
    clusterAuthorizedOperations: between(8, 10, int32, NO_AUTHORIZED_OPERATIONS),
    errorCode: since(13, int16, 0),
  },
})
