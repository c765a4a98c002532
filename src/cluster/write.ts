import { ErrorCode, errorName, isRetriable } from '../protocol/error-codes.js'
import { AlterPartitionReassignments } from '../protocol/rpc/alter-partition-reassignments.js'
import { ElectLeaders } from '../protocol/rpc/elect-leaders.js'
import { ListPartitionReassignments } from '../protocol/rpc/list-partition-reassignments.js'
import type { AnyRpc, RequestInput, ResponseOf } from '../protocol/schema/rpc.js'
import { TransportError } from '../protocol/transport/transport-error.js'
import { errorText } from '../text/error-text.js'
import {
  type AssignmentOrder,
  type Election,
  type PartitionAnswer,
  RequestFailedError,
  type WritingTarget,
} from './cluster.js'
import type { BrokerLink } from './connections.js'
import { groupByTopic, partitionsByTopic } from './partitions-by-topic.js'
import { PARTITIONS_PER_WRITE } from './partitions-per-write.js'
import type { ClusterSession } from './session.js'
import { partitionName, type TopicPartition } from './snapshot.js'

/** ElectionType of ElectLeaders. 2 is the KIP-1275 draft's; stock 4.4.0 answers it with 42. */
const UNCLEAN = 1
const DESIGNATED = 2
/** Our own deadline lies behind the broker's: its answer tells more than our giving up. ms */
const ANSWER_MARGIN_MS = 2_000

/** @throws RequestFailedError */
export async function reorder(
  session: ClusterSession,
  orders: readonly AssignmentOrder[],
  timeoutMs: number,
): Promise<PartitionAnswer[]> {
  refuseTooMany(orders.length)
  const topics = [...groupByTopic(orders)].map(([name, group]) => ({
    name,
    partitions: group.map(({ partition, replicas }) => ({ partitionIndex: partition, replicas: [...replicas] })),
  }))
  const { version, body } = await write(session, AlterPartitionReassignments, timeoutMs, (version) => ({
    timeoutMs,
    topics,
    // A changed number of members is then refused by the broker, too; the same members are our own promise.
    ...(version >= 1 ? { allowReplicationFactorChange: false } : {}),
  }))
  refuseTopLevelError(`AlterPartitionReassignments ${version}`, body.errorCode, body.errorMessage)
  return body.responses.flatMap((topic) =>
    topic.partitions.map((p) => answerOf(topic.name, p.partitionIndex, p.errorCode, p.errorMessage)),
  )
}

/** @throws RequestFailedError */
export async function elect(
  session: ClusterSession,
  election: Election,
  timeoutMs: number,
): Promise<PartitionAnswer[]> {
  refuseTooMany(election.partitions.length)
  const { version, body } = await write(session, ElectLeaders, timeoutMs, (version) => {
    if (election.kind === 'unclean') {
      return { electionType: UNCLEAN, topicPartitions: partitionsByTopic(election.partitions), timeoutMs }
    }
    if (version < 3) {
      throw new RequestFailedError(
        'designated leaders need ElectLeaders 3, which this broker does not offer: use --election-method reorder',
        false,
        'unsupported',
        false,
      )
    }
    return {
      electionType: DESIGNATED,
      topicPartitions: [...groupByTopic(election.partitions)].map(([topic, group]) => ({
        topic,
        partitions: group.map(({ partition }) => partition),
        designatedLeaders: group.map(({ leader }) => leader),
      })),
      timeoutMs,
    }
  })
  refuseTopLevelError(`ElectLeaders ${version}`, body.errorCode, null)
  return body.replicaElectionResults.flatMap((topic) =>
    topic.partitionResult.map((p) => answerOf(topic.topic, p.partitionId, p.errorCode, p.errorMessage)),
  )
}

/** @throws NoBrokerReachableError, TransportError, RequestFailedError */
export async function reassignmentsUnderWay(
  session: ClusterSession,
  partitions: readonly TopicPartition[],
): Promise<ReadonlySet<string>> {
  if (partitions.length === 0) return new Set()
  const link = await writingLink(session)
  const timeoutMs = session.requestTimeoutMs
  const topics = [...groupByTopic(partitions)].map(([name, group]) => ({
    name,
    partitionIndexes: group.map(({ partition }) => partition),
  }))
  const { body } = await link.request(ListPartitionReassignments, { timeoutMs, topics }, { timeoutMs })
  refuseTopLevelError('ListPartitionReassignments', body.errorCode, body.errorMessage)
  return new Set(
    body.topics.flatMap((topic) =>
      topic.partitions.map((p) => partitionName({ topic: topic.name, partition: p.partitionIndex })),
    ),
  )
}

/** @throws NoBrokerReachableError, TransportError, RequestFailedError */
export async function writingTarget(session: ClusterSession): Promise<WritingTarget> {
  const link = await writingLink(session)
  const [alter, election] = await Promise.all(
    [AlterPartitionReassignments, ElectLeaders].map((rpc) => link.versionFor(rpc, session.requestTimeoutMs)),
  )
  const { host, port } = link.address
  return {
    broker: session.brokerAt(link),
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    forwards: (await session.quorum()).kind !== 'notOffered',
    alterVersion: alter ?? 0,
    electVersion: election ?? 0,
  }
}

async function write<R extends AnyRpc>(
  session: ClusterSession,
  rpc: R,
  timeoutMs: number,
  body: (version: number) => RequestInput<R>,
): Promise<{ version: number; body: ResponseOf<R> }> {
  try {
    await session.refuseMixedClusters()
    const link = await writingLink(session)
    const version = await link.versionFor(rpc, session.requestTimeoutMs)
    return await link.request(rpc, body(version ?? 0), { timeoutMs: timeoutMs + ANSWER_MARGIN_MS })
  } catch (error) {
    if (error instanceof RequestFailedError) throw error
    if (error instanceof TransportError) throw requestFailure(error)
    const text = errorText(error)
    throw new RequestFailedError(text, false, 'connection', true)
  }
}

function requestFailure(error: TransportError): RequestFailedError {
  switch (error.failure) {
    case 'readOnly':
      return new RequestFailedError(error.message, false, 'refusedReadOnly', false)
    case 'unsupported':
      return new RequestFailedError(error.message, false, 'unsupported', false)
    case 'malformed':
      return new RequestFailedError(error.message, error.sent, 'malformed', false)
    case 'timeout':
      return new RequestFailedError(error.message, error.sent, 'timeout', true)
    case 'connection':
      return new RequestFailedError(error.message, error.sent, 'connection', true)
    case 'tls':
    case 'authentication':
      return new RequestFailedError(error.message, false, 'connection', false)
  }
}

/**
 * KRaft brokers forward to the controller: any whose identity is not in doubt will do, best one with a fresh view. In ZooKeeper
 * mode both requests must go to the controller (elsewhere error 41, measured on 3.9.2).
 */
async function writingLink(session: ClusterSession): Promise<BrokerLink> {
  const quorum = await session.quorum()
  if (quorum.kind === 'notOffered' && session.controller !== null) {
    const controller = session.connections.link(session.controller)
    if (controller !== null) return identified(session, session.controller, controller)
  }
  const { link } = await session.freshView()
  const id = session.brokerAt(link)
  return id === null ? link : identified(session, id, link)
}

async function identified(session: ClusterSession, id: number, link: BrokerLink): Promise<BrokerLink> {
  const identity = await session.identity(id, link)
  if (identity.kind === 'confirmed') return link
  if (identity.kind === 'unconfirmed' && !session.connections.hasEndpoint(id)) return link
  throw new RequestFailedError(`nothing is written: ${identity.text}`, false, 'connection', false)
}

function refuseTooMany(count: number): void {
  if (count === 0 || count > PARTITIONS_PER_WRITE) {
    throw new RangeError(`a writing request names 1 to ${PARTITIONS_PER_WRITE} partitions, not ${count}`)
  }
}

function refuseTopLevelError(request: string, code: number, message: string | null): void {
  if (code === 0) return
  // KRaft's own words are its whole request, with session and principal (measured on 4.4.0).
  const notAllowed = code === ErrorCode.CLUSTER_AUTHORIZATION_FAILED
  const detail = notAllowed
    ? ': `kafka-recovery check` names the right that is missing'
    : message === null
      ? ''
      : `: ${message}`
  throw new RequestFailedError(
    `${request} was answered with ${errorName(code)}${detail}`,
    true,
    'errorCode',
    isRetriable(code),
    errorName(code),
  )
}

function answerOf(topic: string, partition: number, code: number, message: string | null): PartitionAnswer {
  return { topic, partition, code, name: errorName(code), message, retriable: isRetriable(code) }
}
