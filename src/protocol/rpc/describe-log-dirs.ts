import { rpc } from '../schema/rpc.js'
import { array, arrayOf, bool, int16, int32, int64, nullable, since, string } from '../schema/types.js'

/** A failed directory is listed with error 56, without topics, sizes -1 (measured on 4.4.0). */
export const DescribeLogDirs = rpc({
  name: 'DescribeLogDirs',
  apiKey: 35,
  versions: [1, 5],
  flexibleFrom: 2,
  writes: false,
  request: { topics: nullable(arrayOf({ topic: string, partitions: array(int32) })) },
  response: {
    throttleTimeMs: int32,
    errorCode: since(3, int16, 0),
    results: arrayOf({
      errorCode: int16,
      logDir: string,
      topics: arrayOf({
        name: string,
        partitions: arrayOf({
          partitionIndex: int32,
          partitionSize: int64,
          /** Relative to the high watermark, for future copies to the current log end: no comparison of replicas. */
          offsetLag: int64,
          isFutureKey: bool,
        }),
      }),
      totalBytes: since(4, int64, -1n),
      usableBytes: since(4, int64, -1n),
      /** Takes no new replicas (4.4): not a failure. */
      isCordoned: since(5, bool, false),
    }),
  },
})
