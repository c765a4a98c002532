import { ErrorCode } from '../../../protocol/error-codes.js'
import { DescribeLogDirs } from '../../../protocol/rpc/describe-log-dirs.js'
import { Fetch } from '../../../protocol/rpc/fetch.js'
import { GetReplicaLogInfo } from '../../../protocol/rpc/get-replica-log-info.js'
import { DEBUGGING_REPLICA_ID, ListOffsets } from '../../../protocol/rpc/list-offsets.js'
import { KIP_1275_REQUEST_LIMIT } from '../../controller/elections.js'
import type { SimulatedPartition } from '../../model/partition.js'
import { endOfEpoch, epochOfLogStart, type ReplicaLog } from '../../model/replica-log.js'
import { api, type RequestContext } from '../api.js'

interface LocalReplica {
  readonly partition: SimulatedPartition
  readonly log: ReplicaLog
}

/** The asked broker's own replica, or the error that it answers. */
function localReplica(context: RequestContext, partition: SimulatedPartition | null): LocalReplica | number {
  if (partition === null) return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
  const { broker } = context
  if (!partition.registration.current.replicas.includes(broker.id)) return ErrorCode.NOT_LEADER_OR_FOLLOWER
  const log = partition.log(broker.id)
  if (log === null) return ErrorCode.NOT_LEADER_OR_FOLLOWER
  if (!broker.isOnline(log.logDir)) return ErrorCode.KAFKA_STORAGE_ERROR
  return { partition, log }
}

function epochError(partition: SimulatedPartition, claimed: number): number {
  if (claimed === -1) return ErrorCode.NONE
  const { leaderEpoch } = partition.registration.current
  if (claimed < leaderEpoch) return ErrorCode.FENCED_LEADER_EPOCH
  return claimed > leaderEpoch ? ErrorCode.UNKNOWN_LEADER_EPOCH : ErrorCode.NONE
}

/** Special timestamps with the first version that knows them. */
const LATEST = -1n
const EARLIEST = -2n
const MAX_TIMESTAMP = -3n
const EARLIEST_LOCAL = -4n
const LATEST_TIERED = -5n
const EARLIEST_PENDING_UPLOAD = -6n
const SPECIAL_SINCE: ReadonlyMap<bigint, number> = new Map([
  [LATEST, 1],
  [EARLIEST, 1],
  [MAX_TIMESTAMP, 7],
  [EARLIEST_LOCAL, 8],
  [LATEST_TIERED, 9],
  [EARLIEST_PENDING_UPLOAD, 11],
])

interface FoundOffset {
  readonly timestamp: bigint
  readonly offset: number
  readonly leaderEpoch: number
}
const NOT_FOUND: FoundOffset = { timestamp: -1n, offset: -1, leaderEpoch: -1 }

/** Records are taken to be one millisecond apart, the last at the log's lastTimestamp. */
function lookUp({ partition, log }: LocalReplica, timestamp: bigint, end: number): FoundOffset {
  const { leaderEpoch } = partition.registration.current
  switch (timestamp) {
    case LATEST:
      // The partition's present epoch, not that of the last record (measured).
      return { timestamp: -1n, offset: end, leaderEpoch }
    case EARLIEST:
    case EARLIEST_LOCAL:
      return { timestamp: -1n, offset: log.logStartOffset, leaderEpoch: epochOfLogStart(log) ?? -1 }
    case LATEST_TIERED:
    case EARLIEST_PENDING_UPLOAD:
      return NOT_FOUND
  }
  const count = log.logEndOffset - log.logStartOffset
  if (count <= 0 || log.lastTimestamp < 0) return NOT_FOUND
  const last = log.logEndOffset - 1
  const lastTime = BigInt(log.lastTimestamp)
  const behind = timestamp === MAX_TIMESTAMP || timestamp > lastTime ? 0n : lastTime - timestamp
  if (timestamp > lastTime) return NOT_FOUND
  const offset = Math.max(log.logStartOffset, last - Number(behind))
  const epochs = log.epochs.filter(([, start]) => start <= offset)
  return { timestamp: lastTime - BigInt(last - offset), offset, leaderEpoch: epochs.at(-1)?.[0] ?? -1 }
}

function listOffset(
  context: RequestContext,
  replicaId: number,
  topic: string,
  asked: { readonly partitionIndex: number; readonly currentLeaderEpoch: number; readonly timestamp: bigint },
): FoundOffset | number {
  const { timestamp } = asked
  if (timestamp < 0n && (SPECIAL_SINCE.get(timestamp) ?? Number.MAX_SAFE_INTEGER) > context.version) {
    return ErrorCode.UNSUPPORTED_VERSION
  }
  const found = localReplica(context, context.cluster.partition(topic, asked.partitionIndex))
  if (typeof found === 'number') return found
  const epoch = epochError(found.partition, asked.currentLeaderEpoch)
  if (epoch !== ErrorCode.NONE) return epoch
  const debugging = replicaId === DEBUGGING_REPLICA_ID
  if (!debugging && found.partition.registration.current.leader !== context.broker.id)
    return ErrorCode.NOT_LEADER_OR_FOLLOWER
  // A consumer sees up to the high watermark; the debugging one, and followers, the log end.
  const end = replicaId === -1 ? found.log.highWatermark : found.log.logEndOffset
  return lookUp(found, timestamp, end)
}

export const listOffsets = api({
  rpc: ListOffsets,
  handle(request, context) {
    const seen = new Map<string, number>()
    for (const { name, partitions } of request.topics) {
      for (const { partitionIndex } of partitions) {
        const key = `${name}-${partitionIndex}`
        seen.set(key, (seen.get(key) ?? 0) + 1)
      }
    }
    const topics = request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((asked) => {
        const fault = context.faultFor(name, asked.partitionIndex)
        const duplicate = (seen.get(`${name}-${asked.partitionIndex}`) ?? 0) > 1
        const found =
          fault !== ErrorCode.NONE
            ? fault
            : duplicate
              ? ErrorCode.INVALID_REQUEST
              : listOffset(context, request.replicaId, name, asked)
        if (typeof found === 'number') return { partitionIndex: asked.partitionIndex, errorCode: found }
        return {
          partitionIndex: asked.partitionIndex,
          errorCode: ErrorCode.NONE,
          timestamp: found.timestamp,
          offset: BigInt(found.offset),
          leaderEpoch: found.leaderEpoch,
        }
      }),
    }))
    return { topics }
  },
  refuse: (request, { code }) => ({
    topics: request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode: code })),
    })),
  }),
  named: (request) =>
    request.topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex }) => ({ topic: name, partition: partitionIndex })),
    ),
})

interface FetchedPartition {
  readonly partitionIndex: number
  readonly errorCode: number
  readonly highWatermark: bigint
  readonly lastStableOffset: bigint
  readonly logStartOffset: bigint
  readonly divergingEpoch: { readonly epoch: number; readonly endOffset: bigint }
  readonly abortedTransactions: null
  readonly records: Buffer
}

const NO_RECORDS = Buffer.alloc(0)
const NOT_DIVERGING = { epoch: -1, endOffset: -1n }

function fetchError(partitionIndex: number, errorCode: number): FetchedPartition {
  return {
    partitionIndex,
    errorCode,
    highWatermark: -1n,
    lastStableOffset: -1n,
    logStartOffset: -1n,
    divergingEpoch: NOT_DIVERGING,
    abortedTransactions: null,
    records: NO_RECORDS,
  }
}

/** Behaviour of Partition.fetchRecords, 4.4.0, and kafka-facts. Simulated logs hold no records: none are ever answered. */
function fetchPartition(
  context: RequestContext,
  replicaId: number,
  topic: string,
  asked: {
    readonly partition: number
    readonly currentLeaderEpoch: number
    readonly fetchOffset: bigint
    readonly lastFetchedEpoch: number
  },
): FetchedPartition {
  const found = localReplica(context, context.cluster.partition(topic, asked.partition))
  if (typeof found === 'number') return fetchError(asked.partition, found)
  const { partition, log } = found
  const epoch = epochError(partition, asked.currentLeaderEpoch)
  if (epoch !== ErrorCode.NONE) return fetchError(asked.partition, epoch)
  // Followers fetch from the leader alone; consumers from any replica (KIP-392).
  if (replicaId >= 0 && partition.registration.current.leader !== context.broker.id) {
    return fetchError(asked.partition, ErrorCode.NOT_LEADER_OR_FOLLOWER)
  }
  let divergingEpoch = NOT_DIVERGING
  if (asked.lastFetchedEpoch >= 0) {
    const end = endOfEpoch(log, asked.lastFetchedEpoch)
    if (end === null || asked.fetchOffset < BigInt(log.logStartOffset)) {
      return fetchError(asked.partition, ErrorCode.OFFSET_OUT_OF_RANGE)
    }
    if (end.epoch < asked.lastFetchedEpoch || BigInt(end.endOffset) < asked.fetchOffset) {
      divergingEpoch = { epoch: end.epoch, endOffset: BigInt(end.endOffset) }
    }
  }
  const outside = asked.fetchOffset < BigInt(log.logStartOffset) || asked.fetchOffset > BigInt(log.logEndOffset)
  if (divergingEpoch === NOT_DIVERGING && outside) return fetchError(asked.partition, ErrorCode.OFFSET_OUT_OF_RANGE)
  return {
    partitionIndex: asked.partition,
    errorCode: ErrorCode.NONE,
    highWatermark: BigInt(log.highWatermark),
    lastStableOffset: BigInt(log.highWatermark),
    logStartOffset: BigInt(log.logStartOffset),
    divergingEpoch,
    abortedTransactions: null,
    records: NO_RECORDS,
  }
}

export const fetch = api({
  rpc: Fetch,
  handle(request, context) {
    if (request.sessionId !== 0) {
      return { throttleTimeMs: 0, errorCode: ErrorCode.FETCH_SESSION_ID_NOT_FOUND, sessionId: 0, responses: [] }
    }
    const responses = request.topics.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map((asked) => {
        const fault = context.faultFor(topic, asked.partition)
        return fault === ErrorCode.NONE
          ? fetchPartition(context, request.replicaId, topic, asked)
          : fetchError(asked.partition, fault)
      }),
    }))
    const settled = responses.some(({ partitions }) =>
      partitions.some(({ errorCode, divergingEpoch }) => errorCode !== ErrorCode.NONE || divergingEpoch.epoch !== -1),
    )
    // Nothing to answer: a broker waits for records, as long as it was asked to.
    if (!settled && request.minBytes > 0) context.holdMs = request.maxWaitMs
    return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, sessionId: 0, responses }
  },
  refuse: (request, { code }) => ({
    throttleTimeMs: 0,
    errorCode: code,
    responses: request.topics.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map(({ partition }) => fetchError(partition, code)),
    })),
  }),
  named: (request) =>
    request.topics.flatMap(({ topic, partitions }) => partitions.map(({ partition }) => ({ topic, partition }))),
})

/** KIP-1275, as it was in the development branch: personality kip1275 alone. */
export const getReplicaLogInfo = api({
  rpc: GetReplicaLogInfo,
  handle(request, context) {
    const { cluster, broker } = context
    let left = Math.min(KIP_1275_REQUEST_LIMIT, context.requestLimit ?? KIP_1275_REQUEST_LIMIT)
    let truncated = false
    const topicPartitionLogInfoList = (request.topicPartitions ?? []).map(({ topicId, partitions }) => {
      const topic = cluster.topicById(topicId)
      const served = partitions.slice(0, left)
      if (served.length < partitions.length) truncated = true
      left -= served.length
      return {
        topicId,
        partitionLogInfo: served.map((index) => {
          const fault = topic === null ? ErrorCode.NONE : context.faultFor(topic.name, index)
          if (fault !== ErrorCode.NONE) return unknownLogInfo(index, fault)
          if (topic === null) return unknownLogInfo(index, ErrorCode.UNKNOWN_TOPIC_ID)
          const found = localReplica(context, topic.partitions[index] ?? null)
          if (typeof found === 'number') return unknownLogInfo(index, found)
          const written = found.log.epochs.filter(([, start]) => start < found.log.logEndOffset)
          return {
            partition: index,
            lastWrittenLeaderEpoch: written.at(-1)?.[0] ?? -1,
            currentLeaderEpoch: found.partition.registration.current.leaderEpoch,
            logEndOffset: BigInt(found.log.logEndOffset),
            errorCode: ErrorCode.NONE,
          }
        }),
      }
    })
    return { throttleTimeMs: 0, brokerEpoch: BigInt(broker.brokerEpoch), truncated, topicPartitionLogInfoList }
  },
  refuse: (request, { code }) => ({
    throttleTimeMs: 0,
    brokerEpoch: -1n,
    truncated: false,
    topicPartitionLogInfoList: (request.topicPartitions ?? []).map(({ topicId, partitions }) => ({
      topicId,
      partitionLogInfo: partitions.map((index) => unknownLogInfo(index, code)),
    })),
  }),
  // Topics by id: the table of names is the cluster's, so faults by topic are looked up in the handler.
  named: (request) =>
    request.topicPartitions?.flatMap(({ topicId, partitions }) =>
      partitions.map((partition) => ({ topic: topicId, partition })),
    ) ?? null,
})

function unknownLogInfo(partition: number, errorCode: number) {
  return { partition, lastWrittenLeaderEpoch: -1, currentLeaderEpoch: -1, logEndOffset: -1n, errorCode }
}

const TOTAL_BYTES = 2n ** 40n

export const describeLogDirs = api({
  rpc: DescribeLogDirs,
  handle(request, context) {
    const { cluster, broker } = context
    const wanted =
      request.topics === null
        ? null
        : new Map(request.topics.map(({ topic, partitions }) => [topic, new Set(partitions)]))
    const replicas = new Map(broker.logDirs.map((dir) => [dir, new Map<string, LogDirPartition[]>()]))
    const used = new Map<string, number>()
    for (const partition of cluster.partitions()) {
      if (!partition.registration.current.replicas.includes(broker.id)) continue
      const log = partition.log(broker.id)
      const topics = log === null ? undefined : replicas.get(log.logDir)
      if (log === null || topics === undefined) continue
      used.set(log.logDir, (used.get(log.logDir) ?? 0) + log.sizeBytes)
      const { name } = partition.topic
      if (wanted !== null && !wanted.get(name)?.has(partition.index)) continue
      const list = topics.get(name) ?? []
      topics.set(name, list)
      list.push({
        partitionIndex: partition.index,
        partitionSize: BigInt(log.sizeBytes),
        offsetLag: BigInt(Math.max(0, log.highWatermark - log.logEndOffset)),
        isFutureKey: false,
      })
    }
    const results = broker.logDirs.map((logDir) => {
      if (!broker.isOnline(logDir)) {
        return { errorCode: ErrorCode.KAFKA_STORAGE_ERROR, logDir, topics: [], totalBytes: -1n, usableBytes: -1n }
      }
      const topics = [...(replicas.get(logDir) ?? [])].map(([name, partitions]) => ({ name, partitions }))
      const free = TOTAL_BYTES - BigInt(used.get(logDir) ?? 0)
      return { errorCode: ErrorCode.NONE, logDir, topics, totalBytes: TOTAL_BYTES, usableBytes: free > 0n ? free : 0n }
    })
    return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, results }
  },
  refuse: (_request, { code }) => ({ throttleTimeMs: 0, errorCode: code, results: [] }),
})

interface LogDirPartition {
  readonly partitionIndex: number
  readonly partitionSize: bigint
  readonly offsetLag: bigint
  readonly isFutureKey: boolean
}
