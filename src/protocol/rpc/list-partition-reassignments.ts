import { rpc } from '../schema/rpc.js'
import { array, arrayOf, int16, int32, nullable, optional, string } from '../schema/types.js'

/** KIP-455. A second reassignment replaces one that is under way (measured): look here first. */
export const ListPartitionReassignments = rpc({
  name: 'ListPartitionReassignments',
  apiKey: 46,
  versions: [0, 0],
  flexibleFrom: 0,
  writes: false,
  request: {
    timeoutMs: optional(int32, 60_000),
    /** Null: all. */
    topics: optional(nullable(arrayOf({ name: string, partitionIndexes: array(int32) })), null),
  },
  response: {
    throttleTimeMs: int32,
    errorCode: int16,
    errorMessage: nullable(string),
    topics: arrayOf({
      name: string,
      partitions: arrayOf({
        partitionIndex: int32,
        replicas: array(int32),
        addingReplicas: array(int32),
        removingReplicas: array(int32),
      }),
    }),
  },
})
