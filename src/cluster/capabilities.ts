import { ALL_RPCS } from '../protocol/rpc/all.js'
import { DescribeQuorum } from '../protocol/rpc/describe-quorum.js'
import { ElectLeaders } from '../protocol/rpc/elect-leaders.js'
import type { BrokerConnection } from '../protocol/transport/connection.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { BrokerCapabilities, Capabilities } from './cluster.js'
import { readClusterOperations } from './read-permissions.js'
import type { ClusterSession } from './session.js'

const ELR_FEATURE = 'eligible.leader.replicas.version'
const METADATA_FEATURE = 'metadata.version'
/** The version of ElectLeaders that has designated leaders (KIP-1275). */
export const DESIGNATED_VERSION = 3

/**
 * What the brokers advertise. A broker that can not be reached is left out: what it offers is not known.
 * @throws NoBrokerReachableError, TransportError
 */
export async function readCapabilities(session: ClusterSession): Promise<Capabilities> {
  const metadata = await session.metadata([])
  const [allowed, connected] = await Promise.all([
    mayElect(session),
    Promise.all(
      metadata.brokers.map(async ({ id }) => {
        const connection = await connect(session, id)
        return connection === null ? null : { id, connection }
      }),
    ),
  ])
  const reached = connected.filter((broker) => broker !== null)
  const brokers = reached.map(({ id, connection }) =>
    capabilitiesOf(id, connection, session.options.replicaLogInfoApiKey),
  )
  const features = reached.map(({ connection }) => connection.versions.features)
  const kraft = reached.some(
    ({ connection }) =>
      connection.versions.apis.has(DescribeQuorum.apiKey) || connection.versions.features.has(METADATA_FEATURE),
  )
  const mode = reached.length === 0 ? 'unknown' : kraft ? 'kraft' : 'zookeeper'
  return {
    mode,
    brokers,
    method: methodOf(mode, brokers),
    mayElect: allowed,
    elr: features.some((levels) => (levels.get(ELR_FEATURE) ?? 0) > 0),
  }
}

/** ALTER implies DESCRIBE, which ListPartitionReassignments needs before and after; a rule of its own may deny that. */
async function mayElect(session: ClusterSession): Promise<boolean | null> {
  const { link } = await session.freshView()
  const allowed = await readClusterOperations(link, session.requestTimeoutMs)
  const needed = [allowed.get('ALTER'), allowed.get('DESCRIBE')]
  if (needed.includes(false)) return false
  return needed.includes(undefined) ? null : true
}

function methodOf(mode: Capabilities['mode'], brokers: readonly BrokerCapabilities[]): Capabilities['method'] {
  if (brokers.length > 0 && brokers.every((broker) => broker.designatedElection)) return 'designated'
  // In ZooKeeper mode another controller, with rules of its own, decides: there a method has to be named.
  return mode === 'kraft' ? 'reorder' : null
}

async function connect(session: ClusterSession, id: number): Promise<BrokerConnection | null> {
  try {
    return (await session.connections.link(id)?.connection(session.requestTimeoutMs)) ?? null
  } catch (error) {
    if (error instanceof TransportError) return null
    throw error
  }
}

function capabilitiesOf(id: number, connection: BrokerConnection, replicaLogInfoApiKey: number): BrokerCapabilities {
  const { apis } = connection.versions
  const designatedElection = (apis.get(ElectLeaders.apiKey)?.max ?? 0) >= DESIGNATED_VERSION
  const named = ALL_RPCS.flatMap((rpc) => {
    const range = apis.get(rpc.apiKey)
    return range === undefined ? [] : [[rpc.name, [range.min, range.max]] as const]
  })
  return {
    id,
    designatedElection,
    // Key 93 alone proves nothing: released 4.4.0 uses it for StreamsGroupTopologyDescriptionUpdate.
    replicaLogInfo: designatedElection && apis.has(replicaLogInfoApiKey),
    apis: new Map(named.filter(([name]) => name !== 'GetReplicaLogInfo' || designatedElection)),
  }
}
