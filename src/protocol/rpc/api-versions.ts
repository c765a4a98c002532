import { rpc } from '../schema/rpc.js'
import { arrayOf, bool, int16, int32, int64, since, string, tagged } from '../schema/types.js'

/** Its response header never has a tag buffer, in no version: it must be readable before versions are known (KIP-511). */
export const ApiVersions = rpc({
  name: 'ApiVersions',
  apiKey: 18,
  versions: [0, 4],
  flexibleFrom: 3,
  writes: false,
  request: {
    clientSoftwareName: since(3, string, ''),
    clientSoftwareVersion: since(3, string, ''),
  },
  response: {
    errorCode: int16,
    apiKeys: arrayOf({ apiKey: int16, minVersion: int16, maxVersion: int16 }),
    throttleTimeMs: since(1, int32, 0),
    supportedFeatures: tagged(0, 3, arrayOf({ name: string, minVersion: int16, maxVersion: int16 }), []),
    finalizedFeaturesEpoch: tagged(1, 3, int64, -1n),
    finalizedFeatures: tagged(2, 3, arrayOf({ name: string, maxVersionLevel: int16, minVersionLevel: int16 }), []),
    zkMigrationReady: tagged(3, 3, bool, false),
  },
})

/** The error answer to a version that the broker does not have is always in the form of version 0. */
export const API_VERSIONS_FALLBACK_VERSION = 0
