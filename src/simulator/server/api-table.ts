import type { Personality, SimulatedCluster } from '../model/cluster.js'
import type { Api } from './api.js'
import { type AdvertisedVersion, apiVersions, describeCluster, describeQuorum } from './handlers/cluster.js'
import { describeConfigs, incrementalAlterConfigs } from './handlers/configs.js'
import { fetch } from './handlers/fetch.js'
import { listOffsets } from './handlers/list-offsets.js'
import { describeLogDirs } from './handlers/log-dirs.js'
import { metadata } from './handlers/metadata.js'
import { getReplicaLogInfo } from './handlers/replica-log-info.js'
import { describeTopicPartitions } from './handlers/topic-partitions.js'
import { alterPartitionReassignments, electLeaders, listPartitionReassignments } from './handlers/writes.js'

const FIRST_KIP_1275_VERSION = 3

/**
 * What 4.4.0 has at these keys, and the simulator does not serve: StreamsGroupTopologyDescriptionUpdate where the development
 * branch once had GetReplicaLogInfo, and UnregisterController. A broker closes the connection on a body that is not theirs.
 */
const ADVERTISED_ONLY: ReadonlyMap<number, string> = new Map([
  [93, 'StreamsGroupTopologyDescriptionUpdate'],
  [94, 'UnregisterController'],
])

const SHARED: readonly Api[] = [
  fetch,
  listOffsets,
  metadata,
  apiVersions((cluster) => apisOf(cluster.personality).advertised),
  describeConfigs,
  describeLogDirs,
  incrementalAlterConfigs,
  alterPartitionReassignments,
  listPartitionReassignments,
  describeQuorum,
  describeCluster,
  describeTopicPartitions,
]

/** What a personality's brokers serve and advertise. */
export interface ApiTable {
  readonly served: ReadonlyMap<number, Api>
  readonly advertised: readonly AdvertisedVersion[]
  /** Names of what is advertised but not served. */
  readonly unserved: ReadonlyMap<number, string>
}

function tableOf(apis: readonly Api[], unserved: ReadonlyMap<number, string>): ApiTable {
  const served = new Map(apis.map((one) => [one.rpc.apiKey, one]))
  const advertised = [
    ...apis.map(({ rpc, versions }) => ({ apiKey: rpc.apiKey, minVersion: versions[0], maxVersion: versions[1] })),
    ...[...unserved.keys()].map((apiKey) => ({ apiKey, minVersion: 0, maxVersion: 0 })),
  ].sort((a, b) => a.apiKey - b.apiKey)
  return { served, advertised, unserved }
}

const TABLES: Readonly<Record<Personality, ApiTable>> = {
  stock: tableOf([...SHARED, { ...electLeaders, versions: [0, FIRST_KIP_1275_VERSION - 1] }], ADVERTISED_ONLY),
  kip1275: tableOf([...SHARED, electLeaders, getReplicaLogInfo], new Map()),
}

export function apisOf(personality: Personality): ApiTable {
  return TABLES[personality]
}

/** The name in the request log; brokers are asked for anything. */
export function apiName(cluster: SimulatedCluster, apiKey: number): string {
  const { served, unserved } = apisOf(cluster.personality)
  return served.get(apiKey)?.rpc.name ?? unserved.get(apiKey) ?? `api key ${apiKey}`
}

/** What a fault can name. */
export const SERVED_API_NAMES: ReadonlySet<string> = new Set(
  [...TABLES.kip1275.served.values()].map(({ rpc }) => rpc.name).sort(),
)
