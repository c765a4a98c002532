import { ErrorCode, errorName } from '../protocol/error-codes.js'
import { DescribeLogDirs } from '../protocol/rpc/describe-log-dirs.js'
import type { BrokerLink } from './connections.js'
import { knownOffsetFromWire, offsetFromWire } from './offset.js'
import { partitionsByTopic } from './partitions-by-topic.js'
import type { LogDir, ReplicaPlacement, TopicPartition } from './snapshot.js'

export type LogDirsRead =
  /** `topics`: names of all that have a replica there, also of those that this user may not see. */
  | { readonly kind: 'read'; readonly logDirs: readonly LogDir[]; readonly topics: ReadonlySet<string> }
  | { readonly kind: 'notAllowed' }
  | { readonly kind: 'error'; readonly text: string }

/**
 * The log directories of one broker. A failed one is listed with error 56, without replicas and sizes; a merely cordoned one is
 * no failure (measured on 4.4.0).
 * @param only null: every replica; else just these, which saves bytes
 * @param placements which replicas, not just how many
 * @throws TransportError
 */
export async function readLogDirs(
  link: BrokerLink,
  broker: number,
  only: readonly TopicPartition[] | null,
  placements: boolean,
  timeoutMs: number,
): Promise<LogDirsRead> {
  const topics = only === null ? null : partitionsByTopic(only)
  const { body } = await link.request(DescribeLogDirs, { topics }, { timeoutMs })
  if (body.errorCode === ErrorCode.CLUSTER_AUTHORIZATION_FAILED) return { kind: 'notAllowed' }
  // Before version 3 a missing permission shows as an empty answer; every broker has at least one directory.
  if (body.errorCode === 0 && body.results.length === 0) return { kind: 'notAllowed' }
  if (body.errorCode !== 0) return { kind: 'error', text: `DescribeLogDirs answered ${errorName(body.errorCode)}` }
  const logDirs = body.results.map((result): LogDir => {
    const offline = result.errorCode === ErrorCode.KAFKA_STORAGE_ERROR
    const failed = result.errorCode !== 0
    return {
      broker,
      path: result.logDir,
      state: offline ? 'offline' : failed ? 'unknown' : 'online',
      cordoned: result.isCordoned,
      error: failed ? errorName(result.errorCode) : null,
      totalBytes: knownOffsetFromWire(result.totalBytes),
      usableBytes: knownOffsetFromWire(result.usableBytes),
      replicaCount: failed ? null : result.topics.reduce((count, topic) => count + topic.partitions.length, 0),
      replicas: failed || !placements ? null : placementsOf(result.topics),
    }
  })
  const names = new Set(body.results.flatMap((result) => result.topics.map(({ name }) => name)))
  return { kind: 'read', logDirs: logDirs.sort((a, b) => (a.path < b.path ? -1 : 1)), topics: names }
}

function placementsOf(
  topics: readonly {
    name: string
    partitions: readonly { partitionIndex: number; partitionSize: bigint; isFutureKey: boolean }[]
  }[],
): ReplicaPlacement[] {
  const placed: ReplicaPlacement[] = []
  for (const { name, partitions } of topics) {
    for (const { partitionIndex, partitionSize, isFutureKey } of partitions) {
      placed.push({
        topic: name,
        partition: partitionIndex,
        sizeBytes: offsetFromWire(partitionSize),
        isFuture: isFutureKey,
      })
    }
  }
  return placed
}
