import { rpc } from '../schema/rpc.js'
import { array, arrayOf, bool, int16, int32, nullable, optional, since, string } from '../schema/types.js'

/**
 * KIP-455. A missing broker is accepted and drops that replica at once (measured): only ever send exactly the same members.
 * Version 1 with allowReplicationFactorChange false refuses a changed count (38), not a changed set of the same size.
 */
export const AlterPartitionReassignments = rpc({
  name: 'AlterPartitionReassignments',
  apiKey: 45,
  versions: [0, 1],
  flexibleFrom: 0,
  writes: true,
  request: {
    timeoutMs: optional(int32, 60_000),
    allowReplicationFactorChange: since(1, bool, true),
    topics: arrayOf({
      name: string,
      partitions: arrayOf({ partitionIndex: int32, replicas: optional(nullable(array(int32)), null) }),
    }),
  },
  response: {
    throttleTimeMs: int32,
    allowReplicationFactorChange: since(1, bool, true),
    errorCode: int16,
    errorMessage: nullable(string),
    responses: arrayOf({
      name: string,
      partitions: arrayOf({ partitionIndex: int32, errorCode: int16, errorMessage: nullable(string) }),
    }),
  },
})
