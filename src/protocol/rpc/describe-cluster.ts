import { rpc } from '../schema/rpc.js'
import { arrayOf, bool, int8, int16, int32, nullable, optional, since, string } from '../schema/types.js'

/** KIP-700; version 2 lists fenced brokers too, and stopped ones as fenced (measured on 4.4.0). */
export const DescribeCluster = rpc({
  name: 'DescribeCluster',
  apiKey: 60,
  versions: [0, 2],
  flexibleFrom: 0,
  writes: false,
  request: {
    includeClusterAuthorizedOperations: bool,
    endpointType: since(1, int8, 1),
    includeFencedBrokers: since(2, bool, false),
  },
  response: {
    throttleTimeMs: int32,
    errorCode: int16,
    errorMessage: optional(nullable(string), null),
    endpointType: since(1, int8, 1),
    clusterId: string,
    controllerId: optional(int32, -1),
    brokers: arrayOf({
      brokerId: int32,
      host: string,
      port: int32,
      rack: optional(nullable(string), null),
      isFenced: since(2, bool, false),
    }),
    clusterAuthorizedOperations: optional(int32, -2147483648),
  },
})
