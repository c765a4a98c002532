import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import type { AclOperation, AllowedOperations, Permissions } from '../../cluster/read-permissions.js'
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
  readonly operation: AclOperation
  readonly needed: string
}

/** What the requests of this program need (KIP-11 and the API documentation; READ for Fetch as a consumer does it). */
const NEEDS: readonly Need[] = [
  {
    resource: 'Topic',
    operation: 'DESCRIBE',
    needed: 'to see partitions, log starts and log ends (Metadata, ListOffsets)',
  },
  { resource: 'Topic', operation: 'READ', needed: 'to read leader epochs and high watermarks (Fetch)' },
  {
    resource: 'Topic',
    operation: 'DESCRIBE_CONFIGS',
    needed: 'to know min.insync.replicas, cleanup.policy and the like (DescribeConfigs)',
  },
  {
    resource: 'Cluster',
    operation: 'DESCRIBE',
    needed:
      'to see log directories, the quorum and reassignments (DescribeLogDirs, DescribeQuorum, ListPartitionReassignments)',
  },
  {
    resource: 'Cluster',
    operation: 'DESCRIBE_CONFIGS',
    needed: 'to make sure which broker is at the other end of a connection (DescribeConfigs)',
  },
  { resource: 'Cluster', operation: 'ALTER', needed: 'to elect (AlterPartitionReassignments, ElectLeaders)' },
]

/** Only where brokers speak KIP-1275. */
const REPLICA_LOG_INFO: Need = {
  resource: 'Cluster',
  operation: 'CLUSTER_ACTION',
  needed: 'to ask for replica logs by KIP-1275 (GetReplicaLogInfo)',
}

/** As kafka-acls writes them. */
const ACL_WORDS: Readonly<Record<AclOperation, string>> = {
  READ: 'Read',
  ALTER: 'Alter',
  DESCRIBE: 'Describe',
  CLUSTER_ACTION: 'ClusterAction',
  DESCRIBE_CONFIGS: 'DescribeConfigs',
}

/** What this cluster offers and allows. Writes nothing. */
export async function checkCluster(cluster: Cluster): Promise<ClusterCheck> {
  const [snapshot, capabilities] = await Promise.all([
    cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: true }),
    cluster.capabilities(),
  ])
  const operations = await cluster.permissions([...new Set(snapshot.partitions.map(({ topic }) => topic))])
  const hidden = snapshot.problems.some(({ code }) => code === 'hiddenTopics')
  const needs = capabilities.brokers.some(({ replicaLogInfo }) => replicaLogInfo) ? [...NEEDS, REPLICA_LOG_INFO] : NEEDS
  return {
    snapshot,
    capabilities,
    permissions: needs.map((need) => permissionCheck(need, operations, hidden)),
    problems: snapshot.problems,
  }
}

function permissionCheck(
  { resource, operation, needed }: Need,
  permissions: Permissions,
  hiddenTopics: boolean,
): PermissionCheck {
  const word = ACL_WORDS[operation]
  const on = resource === 'Cluster' ? '--cluster' : "--topic '*'"
  return {
    name: `${word} on ${resource}`,
    needed,
    granted:
      resource === 'Cluster'
        ? (permissions.cluster.get(operation) ?? null)
        : !(operation === 'DESCRIBE' && hiddenTopics) && grantedOnTopics(permissions, operation),
    fix: `kafka-acls --bootstrap-server HOST:PORT --command-config ADMIN.properties --add --allow-principal User:NAME --operation ${word} ${on}`,
  }
}

/**
 * Granted if it is on all topics that were seen; refused if it is missing on one. Topics without DESCRIBE are not seen at all: whether
 * there may be such ones, only what is allowed on every topic tells. The same where none was seen.
 */
function grantedOnTopics({ topics, everyTopic }: Permissions, operation: AclOperation): boolean | null {
  const seen = [...topics.values()]
  return grantedBy(operation === 'DESCRIBE' || seen.length === 0 ? [...seen, everyTopic] : seen, operation)
}

/** One that was not told: not known, unless another one is missing. */
function grantedBy(told: readonly AllowedOperations[], operation: AclOperation): boolean | null {
  const granted = told.map((operations) => operations.get(operation) ?? null)
  if (granted.includes(false)) return false
  return granted.includes(null) ? null : true
}
