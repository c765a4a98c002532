import { rpc } from '../schema/rpc.js'
import { arrayOf, int8, int16, int32, int64, since, string } from '../schema/types.js'

/** Special timestamps. With replica id -2 they are answered from that broker's local log, leader or not (measured). */
export const LATEST_TIMESTAMP = -1n
export const EARLIEST_TIMESTAMP = -2n
/** Reads segments; an I/O error there takes the whole directory offline: only when the operator asks for times. */
export const MAX_TIMESTAMP = -3n
/** Asks a broker for its own log, as a debugging consumer (Kafka: FetchRequest.DEBUGGING_CONSUMER_ID). */
export const DEBUGGING_REPLICA_ID = -2

export const ListOffsets = rpc({
  name: 'ListOffsets',
  apiKey: 2,
  versions: [1, 11],
  flexibleFrom: 6,
  writes: false,
  request: {
    replicaId: int32,
    isolationLevel: since(2, int8, 0),
    topics: arrayOf({
      name: string,
      partitions: arrayOf({ partitionIndex: int32, currentLeaderEpoch: since(4, int32, -1), timestamp: int64 }),
    }),
    timeoutMs: since(10, int32, 0),
  },
  response: {
    throttleTimeMs: since(2, int32, 0),
    topics: arrayOf({
      name: string,
      partitions: arrayOf({
        partitionIndex: int32,
        errorCode: int16,
        timestamp: since(1, int64, -1n),
        offset: since(1, int64, -1n),
        /** The partition's current epoch, not that of the last record (measured): not used. */
        leaderEpoch: since(4, int32, -1),
      }),
    }),
  },
})
