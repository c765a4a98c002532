import { ErrorCode } from '../../../protocol/error-codes.js'
import { DEBUGGING_REPLICA_ID, ListOffsets } from '../../../protocol/rpc/list-offsets.js'
import { epochOfLogStart } from '../../model/replica-log.js'
import { api, type RequestContext } from '../api.js'
import { epochError, type LocalReplica, localReplica } from './local-replica.js'

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
  needs: { topic: 'DESCRIBE' },
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
