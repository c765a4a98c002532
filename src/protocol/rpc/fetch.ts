import { rpc } from '../schema/rpc.js'
import {
  array,
  arrayOf,
  bytes,
  int8,
  int16,
  int32,
  int64,
  nullable,
  optional,
  string,
  struct,
  tagged,
} from '../schema/types.js'

/** Version 12 alone: the last with topic names, the first that tells the diverging epoch (KIP-595). Records are never read. */
export const Fetch = rpc({
  name: 'Fetch',
  apiKey: 1,
  versions: [12, 12],
  flexibleFrom: 12,
  writes: false,
  request: {
    clusterId: tagged(0, 12, nullable(string, 12), null),
    replicaId: optional(int32, -1),
    maxWaitMs: int32,
    minBytes: int32,
    maxBytes: optional(int32, 0x7fffffff),
    isolationLevel: optional(int8, 0),
    sessionId: optional(int32, 0),
    sessionEpoch: optional(int32, -1),
    topics: arrayOf({
      topic: string,
      partitions: arrayOf({
        partition: int32,
        currentLeaderEpoch: optional(int32, -1),
        fetchOffset: int64,
        lastFetchedEpoch: optional(int32, -1),
        logStartOffset: optional(int64, -1n),
        partitionMaxBytes: int32,
      }),
    }),
    forgottenTopicsData: optional(arrayOf({ topic: string, partitions: array(int32) }), []),
    rackId: optional(string, ''),
  },
  response: {
    throttleTimeMs: int32,
    errorCode: optional(int16, 0),
    sessionId: optional(int32, 0),
    responses: arrayOf({
      topic: string,
      partitions: arrayOf({
        partitionIndex: int32,
        errorCode: int16,
        highWatermark: int64,
        lastStableOffset: optional(int64, -1n),
        logStartOffset: optional(int64, -1n),
        /** The largest epoch <= lastFetchedEpoch that this log has, and where it ends in this log. Epoch -1: not told. */
        divergingEpoch: tagged(0, 12, struct({ epoch: optional(int32, -1), endOffset: optional(int64, -1n) }), {
          epoch: -1,
          endOffset: -1n,
        }),
        currentLeader: tagged(1, 12, struct({ leaderId: optional(int32, -1), leaderEpoch: optional(int32, -1) }), {
          leaderId: -1,
          leaderEpoch: -1,
        }),
        snapshotId: tagged(2, 12, struct({ endOffset: optional(int64, -1n), epoch: optional(int32, -1) }), {
          endOffset: -1n,
          epoch: -1,
        }),
        abortedTransactions: nullable(arrayOf({ producerId: int64, firstOffset: int64 }), 4),
        preferredReadReplica: optional(int32, -1),
        records: nullable(bytes),
      }),
    }),
  },
})
