import type { AuthorizedOperations, Capabilities, Cluster, Operation, PermissionReader } from '../../cluster/cluster.js'
import type { ClusterSnapshot, ReadProblem } from '../../cluster/snapshot.js'

export interface PermissionCheck {
  /** `Alter on Cluster` */
  readonly name: string
  /** What it is needed for. */
  readonly needed: string
  /** Null: the broker did not tell. */
  readonly granted: boolean | null
  /** The kafka-acls line that adds it, for the administrator. */
  readonly fix: string
}

export interface ClusterCheck {
  readonly snapshot: ClusterSnapshot
  readonly capabilities: Capabilities
  readonly permissions: readonly PermissionCheck[]
  readonly problems: readonly ReadProblem[]
}

interface Need {
  readonly resource: 'Cluster' | 'Topic'
  readonly operation: Operation
  readonly needed: string
}

/** What the requests of this program need (KIP-11 and the API documentation; READ for Fetch as a consumer does it). */
const NEEDS: readonly Need[] = [
  {
    resource: 'Topic',
    operation: 'describe',
    needed: 'to see partitions, log starts and log ends (Metadata, ListOffsets)',
  },
  { resource: 'Topic', operation: 'read', needed: 'to read leader epochs and high watermarks (Fetch)' },
  {
    resource: 'Topic',
    operation: 'describeConfigs',
    needed: 'to know min.insync.replicas, cleanup.policy and the like (DescribeConfigs)',
  },
  {
    resource: 'Cluster',
    operation: 'describe',
    needed:
      'to see log directories, the quorum and reassignments (DescribeLogDirs, DescribeQuorum, ListPartitionReassignments)',
  },
  {
    resource: 'Cluster',
    operation: 'describeConfigs',
    needed: 'to make sure which broker is at the other end of a connection (DescribeConfigs)',
  },
  { resource: 'Cluster', operation: 'alter', needed: 'to elect (AlterPartitionReassignments, ElectLeaders)' },
]

/** Only where brokers speak KIP-1275. */
const REPLICA_LOG_INFO: Need = {
  resource: 'Cluster',
  operation: 'clusterAction',
  needed: 'to ask for replica logs by KIP-1275 (GetReplicaLogInfo)',
}

/** What this cluster offers and allows. Writes nothing. */
export async function checkCluster(cluster: Cluster & PermissionReader): Promise<ClusterCheck> {
  const [snapshot, capabilities, operations] = await Promise.all([
    cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: true }),
    cluster.capabilities(),
    cluster.authorizedOperations(),
  ])
  const needs = capabilities.brokers.some(({ replicaLogInfo }) => replicaLogInfo) ? [...NEEDS, REPLICA_LOG_INFO] : NEEDS
  return {
    snapshot,
    capabilities,
    permissions: needs.map((need) => permissionCheck(need, operations)),
    problems: snapshot.problems,
  }
}

function permissionCheck({ resource, operation, needed }: Need, operations: AuthorizedOperations): PermissionCheck {
  const word = operation.charAt(0).toUpperCase() + operation.slice(1)
  const on = resource === 'Cluster' ? '--cluster' : "--topic '*'"
  return {
    name: `${word} on ${resource}`,
    needed,
    granted:
      resource === 'Cluster'
        ? grantedBy([operations.cluster], operation)
        : grantedBy([...operations.topics.values()], operation),
    fix: `kafka-acls --bootstrap-server HOST:PORT --command-config ADMIN.properties --add --allow-principal User:NAME --operation ${word} ${on}`,
  }
}

/** Granted if it is on all of them; refused if it is missing on one. No topic at all, or one that was not told: not known. */
function grantedBy(told: readonly (ReadonlySet<Operation> | null)[], operation: Operation): boolean | null {
  if (told.some((operations) => operations !== null && !operations.has(operation))) return false
  return told.length === 0 || told.includes(null) ? null : true
}
