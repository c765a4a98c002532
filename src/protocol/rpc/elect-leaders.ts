import { rpc } from '../schema/rpc.js'
import { array, arrayOf, int8, int16, int32, nullable, optional, since, string } from '../schema/types.js'

/** KIP-460; version 3 adds designated leaders (KIP-1275, in no released broker up to 4.4.0). */
export const ElectLeaders = rpc({
  name: 'ElectLeaders',
  apiKey: 43,
  versions: [0, 3],
  flexibleFrom: 2,
  writes: true,
  request: {
    /** 0 preferred, 1 unclean, 2 designated (KIP-1275). */
    electionType: since(1, int8, 0),
    /** Null elects every offline partition of the whole cluster: this program never sends it. */
    topicPartitions: nullable(
      arrayOf({
        topic: string,
        partitions: array(int32),
        /** Matched with `partitions` by index. */
        designatedLeaders: since(3, nullable(array(int32), 3), null),
      }),
    ),
    timeoutMs: optional(int32, 60_000),
  },
  response: {
    throttleTimeMs: int32,
    errorCode: since(1, int16, 0),
    replicaElectionResults: arrayOf({
      topic: string,
      partitionResult: arrayOf({ partitionId: int32, errorCode: int16, errorMessage: nullable(string) }),
    }),
  },
})
