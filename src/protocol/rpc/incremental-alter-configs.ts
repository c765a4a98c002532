import { rpc } from '../schema/rpc.js'
import { arrayOf, bool, int8, int16, int32, nullable, string } from '../schema/types.js'

/** KIP-339. This program never sends it: kafka-reassign-partitions clears its throttles with it, so the simulator serves it. */
export const IncrementalAlterConfigs = rpc({
  name: 'IncrementalAlterConfigs',
  apiKey: 44,
  versions: [0, 1],
  flexibleFrom: 1,
  writes: true,
  request: {
    resources: arrayOf({
      resourceType: int8,
      resourceName: string,
      /** 0 set, 1 delete, 2 append, 3 subtract. */
      configs: arrayOf({ name: string, configOperation: int8, value: nullable(string) }),
    }),
    validateOnly: bool,
  },
  response: {
    throttleTimeMs: int32,
    responses: arrayOf({
      errorCode: int16,
      errorMessage: nullable(string),
      resourceType: int8,
      resourceName: string,
    }),
  },
})
