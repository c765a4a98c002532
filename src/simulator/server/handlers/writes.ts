import { ErrorCode } from '../../../protocol/error-codes.js'
import { AlterPartitionReassignments } from '../../../protocol/rpc/alter-partition-reassignments.js'
import { ElectLeaders } from '../../../protocol/rpc/elect-leaders.js'
import { ListPartitionReassignments } from '../../../protocol/rpc/list-partition-reassignments.js'
import { ChangeBatch } from '../../controller/change-batch.js'
import { DESIGNATED, Elections, KIP_1275_REQUEST_LIMIT, UNCLEAN } from '../../controller/elections.js'
import { reassign } from '../../controller/reassignments.js'
import { type ApiError, apiError, REQUEST_LIMIT_REACHED } from '../../errors.js'
import { isReassigning } from '../../model/registration.js'
import { api, type RequestContext } from '../api.js'

/** KIP-1275's version of ElectLeaders. */
const DESIGNATED_SINCE = 3

interface ElectionAsked {
  readonly topic: string
  readonly partitions: readonly number[]
  readonly designatedLeaders: readonly number[] | null
}

/** A timeout of zero has passed before the controller comes to the request (measured: 7, and nothing done). */
function timedOut(timeoutMs: number): ApiError | null {
  return timeoutMs > 0 ? null : apiError(ErrorCode.REQUEST_TIMED_OUT, null)
}

export const electLeaders = api({
  rpc: ElectLeaders,
  forwarded: true,
  needs: { cluster: 'ALTER' },
  handle(request, context) {
    const { version, cluster } = context
    if (request.topicPartitions?.length === 0) return { throttleTimeMs: 0, replicaElectionResults: [] }
    const late = timedOut(request.timeoutMs)
    if (late !== null) return refusedElection(request.topicPartitions, late)
    const known = version >= DESIGNATED_SINCE ? DESIGNATED : UNCLEAN
    if (request.electionType < 0 || request.electionType > known) {
      return refusedElection(
        request.topicPartitions,
        apiError(ErrorCode.INVALID_REQUEST, `Unknown election type ${request.electionType}`),
      )
    }
    const everything = request.topicPartitions === null
    const asked: readonly ElectionAsked[] =
      request.topicPartitions ??
      cluster.topicNames().map((topic) => ({
        topic,
        partitions: cluster.topics.get(topic)?.partitions.map(({ index }) => index) ?? [],
        designatedLeaders: null,
      }))
    return runElection(context, request.electionType, asked, everything)
  },
  refuse: (request, error) => refusedElection(request.topicPartitions, error),
  named: (request) =>
    request.topicPartitions?.flatMap(({ topic, partitions }) =>
      partitions.map((partition) => ({ topic, partition })),
    ) ?? null,
})

function runElection(
  context: RequestContext,
  electionType: number,
  asked: readonly ElectionAsked[],
  everything: boolean,
) {
  const limit = context.version >= DESIGNATED_SINCE ? KIP_1275_REQUEST_LIMIT : Number.POSITIVE_INFINITY
  let left = Math.min(limit, context.requestLimit ?? limit)
  const elections = new Elections(context.controller)
  const replicaElectionResults = asked.map(({ topic, partitions, designatedLeaders }) => ({
    topic,
    partitionResult: partitions.flatMap((partition, index) => {
      const fault = context.faultFor(topic, partition)
      const error =
        left <= 0
          ? apiError(REQUEST_LIMIT_REACHED)
          : fault !== ErrorCode.NONE
            ? apiError(fault)
            : elections.elect(electionType, {
                topic,
                partition,
                designatedLeader: designatedLeaders?.[index] ?? null,
              })
      left -= 1
      // Asked for everything, a broker leaves out what needs no election.
      if (everything && error.code === ErrorCode.ELECTION_NOT_NEEDED) return []
      return [{ partitionId: partition, errorCode: error.code, errorMessage: error.message }]
    }),
  }))
  const committed = elections.commit()
  if (committed.code !== ErrorCode.NONE) return refusedElection(everything ? null : asked, committed)
  return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, replicaElectionResults }
}

function refusedElection(asked: readonly ElectionAsked[] | null, { code, message }: ApiError) {
  return {
    throttleTimeMs: 0,
    errorCode: code,
    replicaElectionResults: (asked ?? []).map(({ topic, partitions }) => ({
      topic,
      partitionResult: partitions.map((partitionId) => ({ partitionId, errorCode: code, errorMessage: message })),
    })),
  }
}

export const alterPartitionReassignments = api({
  rpc: AlterPartitionReassignments,
  forwarded: true,
  needs: { cluster: 'ALTER' },
  handle(request, context) {
    const late = timedOut(request.timeoutMs)
    if (late !== null && request.topics.length > 0) return refusedReassignment(request.topics, late)
    let left = context.requestLimit ?? Number.POSITIVE_INFINITY
    const batch = new ChangeBatch(context.controller)
    const responses = request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex, replicas }) => {
        const fault = context.faultFor(name, partitionIndex)
        const error =
          left <= 0
            ? apiError(REQUEST_LIMIT_REACHED)
            : fault !== ErrorCode.NONE
              ? apiError(fault)
              : reassign(
                  context.controller,
                  batch,
                  name,
                  partitionIndex,
                  replicas,
                  request.allowReplicationFactorChange,
                )
        left -= 1
        return { partitionIndex, errorCode: error.code, errorMessage: error.message }
      }),
    }))
    const committed = batch.commit()
    if (committed.code !== ErrorCode.NONE) return refusedReassignment(request.topics, committed)
    return {
      throttleTimeMs: 0,
      allowReplicationFactorChange: request.allowReplicationFactorChange,
      errorCode: ErrorCode.NONE,
      errorMessage: null,
      responses,
    }
  },
  refuse: (request, error) => refusedReassignment(request.topics, error),
  named: (request) =>
    request.topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex }) => ({ topic: name, partition: partitionIndex })),
    ),
})

function refusedReassignment(
  topics: readonly { readonly name: string; readonly partitions: readonly { readonly partitionIndex: number }[] }[],
  { code, message }: ApiError,
) {
  return {
    throttleTimeMs: 0,
    errorCode: code,
    errorMessage: message,
    responses: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({
        partitionIndex,
        errorCode: code,
        errorMessage: message,
      })),
    })),
  }
}

export const listPartitionReassignments = api({
  rpc: ListPartitionReassignments,
  forwarded: true,
  needs: { cluster: 'DESCRIBE' },
  handle(request, context) {
    const { cluster } = context
    const late = timedOut(request.timeoutMs)
    if (late !== null) return refusedList(request.topics, late)
    const asked =
      request.topics ??
      cluster.topicNames().map((name) => ({
        name,
        partitionIndexes: cluster.topics.get(name)?.partitions.map(({ index }) => index) ?? [],
      }))
    const topics = asked.flatMap(({ name, partitionIndexes }) => {
      const partitions = partitionIndexes.flatMap((partitionIndex) => {
        const registration = cluster.partition(name, partitionIndex)?.registration.current
        if (registration === undefined || !isReassigning(registration)) return []
        const { replicas, adding, removing } = registration
        return [{ partitionIndex, replicas, addingReplicas: adding, removingReplicas: removing }]
      })
      return partitions.length === 0 ? [] : [{ name, partitions }]
    })
    return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, errorMessage: null, topics }
  },
  refuse: (request, error) => refusedList(request.topics, error),
  named: (request) =>
    request.topics?.flatMap(({ name, partitionIndexes }) =>
      partitionIndexes.map((partition) => ({ topic: name, partition })),
    ) ?? null,
})

/** Whoever is refused gets the names back that were asked for, with nothing under way (measured on 4.4.0). */
function refusedList(
  asked: readonly { readonly name: string; readonly partitionIndexes: readonly number[] }[] | null,
  { code, message }: ApiError,
) {
  const topics = (asked ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partitionIndex) => ({
      partitionIndex,
      replicas: [],
      addingReplicas: [],
      removingReplicas: [],
    })),
  }))
  return { throttleTimeMs: 0, errorCode: code, errorMessage: message, topics }
}
