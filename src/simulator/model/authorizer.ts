/** Kafka's AclOperation codes; in an authorized-operations field (KIP-430) the bit of that number. */
const CODES = {
  READ: 3,
  WRITE: 4,
  CREATE: 5,
  DELETE: 6,
  ALTER: 7,
  DESCRIBE: 8,
  CLUSTER_ACTION: 9,
  DESCRIBE_CONFIGS: 10,
  ALTER_CONFIGS: 11,
  IDEMPOTENT_WRITE: 12,
} as const

/** What there is to be allowed on each resource (AclEntry.supportedOperations, 4.4.0). */
export const TOPIC_OPERATIONS = [
  'READ',
  'WRITE',
  'CREATE',
  'DELETE',
  'ALTER',
  'DESCRIBE',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
] as const
export const CLUSTER_OPERATIONS = [
  'CREATE',
  'ALTER',
  'DESCRIBE',
  'CLUSTER_ACTION',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
  'IDEMPOTENT_WRITE',
] as const
export type TopicOperation = (typeof TOPIC_OPERATIONS)[number]
export type ClusterOperation = (typeof CLUSTER_OPERATIONS)[number]

export type Refusal =
  | { readonly resource: 'CLUSTER'; readonly operation: ClusterOperation }
  /** Without a name: on every topic. */
  | { readonly resource: 'TOPIC'; readonly operation: TopicOperation; readonly name?: string | undefined }

/** What the one user that a simulated cluster has may do: everything that is not refused, as without an authorizer. */
export class Authorizer {
  readonly #refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[]) {
    this.#refusals = refusals
  }

  allowsOnCluster(operation: ClusterOperation): boolean {
    return !this.#refusals.some((one) => one.resource === 'CLUSTER' && one.operation === operation)
  }

  allowsOnTopic(operation: TopicOperation, topic: string): boolean {
    return !this.#refusals.some(
      (one) =>
        one.resource === 'TOPIC' && one.operation === operation && (one.name === undefined || one.name === topic),
    )
  }

  /** As bits (KIP-430). Without DESCRIBE on the cluster none are told. */
  clusterOperations(): number {
    if (!this.allowsOnCluster('DESCRIBE')) return 0
    return bitsOf(CLUSTER_OPERATIONS.filter((operation) => this.allowsOnCluster(operation)))
  }

  /** As bits. */
  topicOperations(topic: string): number {
    return bitsOf(TOPIC_OPERATIONS.filter((operation) => this.allowsOnTopic(operation, topic)))
  }
}

function bitsOf(operations: readonly (keyof typeof CODES)[]): number {
  return operations.reduce((bits, operation) => bits | (1 << CODES[operation]), 0)
}
