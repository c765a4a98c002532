import { ErrorCode } from '../protocol/error-codes.js'
import { DescribeCluster } from '../protocol/rpc/describe-cluster.js'
import { BROKER_RESOURCE, DescribeConfigs } from '../protocol/rpc/describe-configs.js'
import { Metadata } from '../protocol/rpc/metadata.js'
import type { AnyRpc } from '../protocol/schema/rpc.js'
import type { Answer } from '../protocol/transport/connection.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import type { BrokerLink } from './connections.js'
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
const OPERATIONS = Object.keys(OPERATION_CODES) as AclOperation[]

/** Whether each operation is allowed on a resource; one that is missing here was not told. */
export type AllowedOperations = ReadonlyMap<AclOperation, boolean>

/** What this user may do, as the brokers' own authorizer says; without an authorizer everything. Nothing that writes is tried. */
export interface Permissions {
  readonly cluster: AllowedOperations
  /** By topic, of those asked for. */
  readonly topics: ReadonlyMap<string, AllowedOperations>
  /** On a topic that nobody has: what is allowed on every topic, and not just on some by name. */
  readonly everyTopic: AllowedOperations
}

const NOT_TOLD = -2147483648
const NOTHING_TOLD: AllowedOperations = new Map()
/** A name that no cluster has. Nothing is created: the request forbids it. */
export const NOBODYS_TOPIC = '__kafka-recovery.no-such-topic'

/**
 * KIP-430: Metadata and DescribeCluster tell the authorized operations on request. A topic without DESCRIBE is answered with 29,
 * existing or not (measured on 4.4.0): so a name that nobody has tells what is allowed on every topic, the hidden ones included.
 * What a broker does not answer is not told.
 * @throws NoBrokerReachableError
 */
export async function readPermissions(session: ClusterSession, topics: readonly string[]): Promise<Permissions> {
  const { link } = await session.freshView()
  const timeoutMs = session.requestTimeoutMs
  const [cluster, metadata] = await Promise.all([
    readClusterOperations(link, timeoutMs),
    answerOrNull(
      link.request(
        Metadata,
        {
          topics: [...topics, NOBODYS_TOPIC].map((name) => ({ name })),
          allowAutoTopicCreation: false,
          includeTopicAuthorizedOperations: true,
        },
        { timeoutMs },
      ),
    ),
  ])
  const told = new Map(metadata?.body.topics.map((topic) => [topic.name ?? '', topicOperations(topic)]))
  return {
    cluster,
    topics: new Map(topics.map((name) => [name, told.get(name) ?? NOTHING_TOLD])),
    everyTopic: told.get(NOBODYS_TOPIC) ?? NOTHING_TOLD,
  }
}

/**
 * Without DESCRIBE on the cluster a broker tells 0: DESCRIBE is then known to be missing, and ALTER, which would imply it
 * (AclAuthorizer and StandardAuthorizer; unless DESCRIBE is denied by a rule of its own). DESCRIBE_CONFIGS is then tried, by asking for
 * one broker setting: it may be there all the same.
 */
export async function readClusterOperations(link: BrokerLink, timeoutMs: number): Promise<AllowedOperations> {
  const answer = await answerOrNull(
    link.request(DescribeCluster, { includeClusterAuthorizedOperations: true }, { timeoutMs }),
  )
  const bits = answer?.body.clusterAuthorizedOperations ?? NOT_TOLD
  if (bits !== 0) return operationsOf(bits)
  const missing = new Map<AclOperation, boolean>([
    ['DESCRIBE', false],
    ['ALTER', false],
  ])
  const configs = await answerOrNull(
    link.request(
      DescribeConfigs,
      { resources: [{ resourceType: BROKER_RESOURCE, resourceName: '', configurationKeys: [] }] },
      { timeoutMs },
    ),
  )
  const code = configs?.body.results[0]?.errorCode
  if (code === undefined) return missing
  return missing.set('DESCRIBE_CONFIGS', code !== ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
}

function topicOperations({
  errorCode,
  topicAuthorizedOperations,
}: {
  readonly errorCode: number
  readonly topicAuthorizedOperations: number
}): AllowedOperations {
  // Of a topic that may not be seen none are told, and READ would imply DESCRIBE.
  if (errorCode === ErrorCode.TOPIC_AUTHORIZATION_FAILED) {
    return new Map([
      ['DESCRIBE', false],
      ['READ', false],
    ])
  }
  return operationsOf(topicAuthorizedOperations)
}

async function answerOrNull<R extends AnyRpc>(asked: Promise<Answer<R>>): Promise<Answer<R> | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof TransportError) return null
    throw error
  }
}

function operationsOf(bits: number): AllowedOperations {
  if (bits === NOT_TOLD) return NOTHING_TOLD
  return new Map(OPERATIONS.map((name) => [name, (bits & (1 << OPERATION_CODES[name])) !== 0]))
}
