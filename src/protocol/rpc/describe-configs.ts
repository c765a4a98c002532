import { rpc } from '../schema/rpc.js'
import { array, arrayOf, bool, int8, int16, int32, nullable, optional, since, string } from '../schema/types.js'

export const TOPIC_RESOURCE = 2
export const BROKER_RESOURCE = 4

/** Of BROKER resource N, sent to another broker, answers 42 "Unexpected broker id": tells who is at the other end. */
export const DescribeConfigs = rpc({
  name: 'DescribeConfigs',
  apiKey: 32,
  versions: [1, 4],
  flexibleFrom: 4,
  writes: false,
  request: {
    resources: arrayOf({ resourceType: int8, resourceName: string, configurationKeys: nullable(array(string)) }),
    includeSynonyms: since(1, bool, false),
    includeDocumentation: since(3, bool, false),
  },
  response: {
    throttleTimeMs: int32,
    results: arrayOf({
      errorCode: int16,
      errorMessage: nullable(string),
      resourceType: int8,
      resourceName: string,
      configs: arrayOf({
        name: string,
        value: nullable(string),
        readOnly: bool,
        configSource: since(1, int8, -1),
        isSensitive: bool,
        synonyms: optional(arrayOf({ name: string, value: nullable(string), source: int8 }), []),
        configType: since(3, int8, 0),
        documentation: since(3, nullable(string), null),
      }),
    }),
  },
})
