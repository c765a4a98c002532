import { rpc } from '../../../src/protocol/schema/rpc.js'
import {
  array,
  arrayOf,
  bool,
  bytes,
  int8,
  int16,
  int32,
  int64,
  nullable,
  optional,
  since,
  string,
  tagged,
  uuid,
  ZERO_UUID,
} from '../../../src/protocol/schema/types.js'

// What only tests ask of a cluster: the program itself never creates, writes or deletes.

export const CreateTopics = rpc({
  name: 'CreateTopics',
  apiKey: 19,
  versions: [7, 7],
  flexibleFrom: 5,
  writes: true,
  request: {
    topics: arrayOf({
      name: string,
      /** -1: as the assignments say. */
      numPartitions: int32,
      replicationFactor: int16,
      assignments: arrayOf({ partitionIndex: int32, brokerIds: array(int32) }),
      configs: arrayOf({ name: string, value: nullable(string) }),
    }),
    timeoutMs: optional(int32, 60_000),
    validateOnly: since(1, bool, false),
  },
  response: {
    throttleTimeMs: since(2, int32, 0),
    topics: arrayOf({
      name: string,
      topicId: since(7, uuid, ZERO_UUID),
      errorCode: int16,
      errorMessage: since(1, nullable(string), null),
      topicConfigErrorCode: tagged(0, 5, int16, 0),
      numPartitions: since(5, int32, -1),
      replicationFactor: since(5, int16, -1),
      configs: since(
        5,
        nullable(
          arrayOf({
            name: string,
            value: nullable(string),
            readOnly: bool,
            configSource: optional(int8, -1),
            isSensitive: bool,
          }),
        ),
        null,
      ),
    }),
  },
})

export const Produce = rpc({
  name: 'Produce',
  apiKey: 0,
  versions: [8, 8],
  flexibleFrom: 9,
  writes: true,
  request: {
    transactionalId: since(3, nullable(string, 3), null),
    acks: int16,
    timeoutMs: int32,
    topicData: arrayOf({ name: string, partitionData: arrayOf({ index: int32, records: nullable(bytes) }) }),
  },
  response: {
    responses: arrayOf({
      name: string,
      partitionResponses: arrayOf({
        index: int32,
        errorCode: int16,
        baseOffset: int64,
        logAppendTimeMs: since(2, int64, -1n),
        logStartOffset: since(5, int64, -1n),
        recordErrors: since(
          8,
          arrayOf({ batchIndex: int32, batchIndexErrorMessage: optional(nullable(string), null) }),
          [],
        ),
        errorMessage: since(8, nullable(string), null),
      }),
    }),
    throttleTimeMs: since(1, int32, 0),
  },
})

export const DeleteRecords = rpc({
  name: 'DeleteRecords',
  apiKey: 21,
  versions: [2, 2],
  flexibleFrom: 2,
  writes: true,
  request: {
    topics: arrayOf({ name: string, partitions: arrayOf({ partitionIndex: int32, offset: int64 }) }),
    timeoutMs: int32,
  },
  response: {
    throttleTimeMs: int32,
    topics: arrayOf({
      name: string,
      partitions: arrayOf({ partitionIndex: int32, lowWatermark: int64, errorCode: int16 }),
    }),
  },
})

export const HARNESS_RPCS = [CreateTopics, Produce, DeleteRecords]
