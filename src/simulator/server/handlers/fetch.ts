import { ErrorCode } from '../../../protocol/error-codes.js'
import { Fetch } from '../../../protocol/rpc/fetch.js'
import { endOfEpoch } from '../../model/replica-log.js'
import { api, type RequestContext } from '../api.js'
import { epochError, localReplica } from './local-replica.js'

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
  // As a consumer fetches; what followers need is not asked for: nobody but the simulator has any.
  needs: { topic: 'READ' },
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
