import { rpc } from '../schema/rpc.js'
import {
  arrayOf,
  int16,
  int32,
  int64,
  nullable,
  optional,
  since,
  string,
  uint16,
  uuid,
  ZERO_UUID,
} from '../schema/types.js'

export const METADATA_TOPIC = '__cluster_metadata'

const replicaStates = arrayOf({
  replicaId: int32,
  replicaDirectoryId: since(2, uuid, ZERO_UUID),
  logEndOffset: int64,
  lastFetchTimestamp: since(1, int64, -1n),
  lastCaughtUpTimestamp: since(1, int64, -1n),
})

/** KIP-595; lists every broker as an observer with its log end beside the controller's high watermark: how stale its view is. */
export const DescribeQuorum = rpc({
  name: 'DescribeQuorum',
  apiKey: 55,
  versions: [0, 2],
  flexibleFrom: 0,
  writes: false,
  request: { topics: arrayOf({ topicName: string, partitions: arrayOf({ partitionIndex: int32 }) }) },
  response: {
    errorCode: int16,
    errorMessage: since(2, nullable(string, 2), null),
    topics: arrayOf({
      topicName: string,
      partitions: arrayOf({
        partitionIndex: int32,
        errorCode: int16,
        errorMessage: since(2, nullable(string, 2), null),
        leaderId: int32,
        leaderEpoch: int32,
        highWatermark: int64,
        currentVoters: replicaStates,
        observers: optional(replicaStates, []),
      }),
    }),
    nodes: since(2, arrayOf({ nodeId: int32, listeners: arrayOf({ name: string, host: string, port: uint16 }) }), []),
  },
})
