import { DescribeCluster } from '../protocol/rpc/describe-cluster.js'
import { Metadata } from '../protocol/rpc/metadata.js'
import type { AnyRpc } from '../protocol/schema/rpc.js'
import type { Answer } from '../protocol/transport/connection.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { ClusterSession } from './session.js'

/** Kafka's AclOperation codes (org.apache.kafka.common.acl.AclOperation), as bits of an authorized-operations field. */
const OPERATION_CODES = {
  READ: 3,
  ALTER: 7,
  DESCRIBE: 8,
  CLUSTER_ACTION: 9,
  DESCRIBE_CONFIGS: 10,
} as const
export type AclOperation = keyof typeof OPERATION_CODES

/** What this user may do, as the brokers' own authorizer says; without an authorizer everything. Nothing is tried out. */
export interface Permissions {
  /** Null: not told. */
  readonly cluster: ReadonlySet<AclOperation> | null
  /** By topic; null: not told. */
  readonly topics: ReadonlyMap<string, ReadonlySet<AclOperation> | null>
}

const NOT_TOLD = -2147483648

/**
 * KIP-430: Metadata and DescribeCluster tell the authorized operations on request. Without DESCRIBE on the cluster it tells none
 * for the cluster: DESCRIBE is then known to be missing, and ALTER, which would imply it; the others stay unknown.
 * What a broker does not answer is not told.
 * @throws NoBrokerReachableError
 */
export async function readPermissions(session: ClusterSession, topics: readonly string[]): Promise<Permissions> {
  const { link } = await session.freshView()
  const timeoutMs = session.requestTimeoutMs
  const [cluster, metadata] = await Promise.all([
    answerOrNull(link.request(DescribeCluster, { includeClusterAuthorizedOperations: true }, { timeoutMs })),
    answerOrNull(
      link.request(
        Metadata,
        {
          topics: topics.map((name) => ({ name })),
          allowAutoTopicCreation: false,
          includeTopicAuthorizedOperations: true,
        },
        { timeoutMs },
      ),
    ),
  ])
  if (metadata === null) {
    return { cluster: clusterOperations(cluster), topics: new Map(topics.map((name) => [name, null])) }
  }
  return {
    cluster: clusterOperations(cluster),
    topics: new Map(
      metadata.body.topics.map((topic) => [
        topic.name ?? '',
        topic.errorCode === 0 ? operationsOf(topic.topicAuthorizedOperations) : new Set<AclOperation>(),
      ]),
    ),
  }
}

async function answerOrNull<R extends AnyRpc>(asked: Promise<Answer<R>>): Promise<Answer<R> | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof TransportError) return null
    throw error
  }
}

function clusterOperations(answer: Answer<typeof DescribeCluster> | null): Permissions['cluster'] {
  return answer === null ? null : operationsOf(answer.body.clusterAuthorizedOperations)
}

function operationsOf(bits: number): ReadonlySet<AclOperation> | null {
  if (bits === NOT_TOLD) return null
  const names = Object.keys(OPERATION_CODES) as AclOperation[]
  return new Set(names.filter((name) => (bits & (1 << OPERATION_CODES[name])) !== 0))
}
