import { DescribeCluster } from '../protocol/rpc/describe-cluster.js'
import { Metadata } from '../protocol/rpc/metadata.js'
import type { AuthorizedOperations, Operation } from './cluster.js'
import type { ClusterSession } from './session.js'

/** org.apache.kafka.common.acl.AclOperation: bit n of the field stands for the operation with code n. */
const OPERATION_BITS: Readonly<Record<Operation, number>> = {
  read: 3,
  write: 4,
  alter: 7,
  describe: 8,
  clusterAction: 9,
  describeConfigs: 10,
}
/** Kafka's Integer.MIN_VALUE: not asked, or not told. */
const NOT_TOLD = -2147483648

/** What this login may do, as a broker tells it; asking changes nothing. @throws NoBrokerReachableError, TransportError */
export async function readAuthorizedOperations(session: ClusterSession): Promise<AuthorizedOperations> {
  const { link } = await session.freshView()
  const timeoutMs = session.requestTimeoutMs
  const offered = (await link.versionFor(DescribeCluster, timeoutMs)) !== null
  const [cluster, topics] = await Promise.all([
    offered
      ? link.request(DescribeCluster, { includeClusterAuthorizedOperations: true }, { timeoutMs })
      : Promise.resolve(null),
    link.request(
      Metadata,
      { topics: null, allowAutoTopicCreation: false, includeTopicAuthorizedOperations: true },
      { timeoutMs },
    ),
  ])
  return {
    cluster:
      cluster === null || cluster.body.errorCode !== 0 ? null : operationsOf(cluster.body.clusterAuthorizedOperations),
    topics: new Map(
      topics.body.topics.flatMap((topic) =>
        topic.name === null ? [] : [[topic.name, operationsOf(topic.topicAuthorizedOperations)] as const],
      ),
    ),
  }
}

function operationsOf(bits: number): ReadonlySet<Operation> | null {
  if (bits === NOT_TOLD) return null
  const names = Object.keys(OPERATION_BITS) as Operation[]
  return new Set(names.filter((name) => (bits & (1 << OPERATION_BITS[name])) !== 0))
}
