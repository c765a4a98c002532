import { ErrorCode, errorName } from '../protocol/error-codes.js'
import {
  DEBUGGING_REPLICA_ID,
  EARLIEST_TIMESTAMP,
  LATEST_TIMESTAMP,
  ListOffsets,
} from '../protocol/rpc/list-offsets.js'
import { askReplicaLogInfo } from './ask-replica-log-info.js'
import type { BrokerLink } from './connections.js'
import { EpochSearch } from './epoch-search.js'
import { searchEpochs } from './fetch-epochs.js'
import {
  BEYOND_EVERY_LOG,
  type BrokerReadOptions,
  chunks,
  type Fail,
  type LogReadings,
  PARTITIONS_PER_REQUEST,
  type ReplicaLogFailure,
  type ReplicaLogResults,
  remainingTime,
} from './log-reading.js'
import { offsetFromWire } from './offset.js'
import { PartitionMap } from './partition-map.js'
import { groupByTopic } from './partitions-by-topic.js'
import type { ReplicaNotRead } from './replica-log.js'
import { eachInSlices, sharedSlices } from './slices.js'
import type { PartitionState } from './snapshot.js'

/** How often a log that moves is read again before it is called moving. */
const ATTEMPTS_AT_MOVING_LOGS = 3
/** ListOffsets 7 is what was measured to answer from the local log. */
const LIST_OFFSETS_VERSION = 7

/**
 * Reads the logs of one broker's replicas, as kafka-facts measured it: log end and start by ListOffsets, the epochs by fetches
 * far beyond the end. All partitions share each round: one request to the broker (of at most 2,000 partitions).
 * Afterwards every partition is in `results`.
 * @throws TransportError when the broker fails as a whole; results so far are in `results`
 */
export async function readBrokerLogs(
  link: BrokerLink,
  partitions: readonly PartitionState[],
  options: BrokerReadOptions,
  results: ReplicaLogResults,
): Promise<void> {
  const { broker } = options
  let remaining: readonly PartitionState[] = partitions
  for (let attempt = 0; attempt < ATTEMPTS_AT_MOVING_LOGS && remaining.length > 0; attempt++) {
    remaining = await readOnce(link, remaining, options, results)
  }
  const reason = `broker ${broker}: the log kept changing while it was read`
  for (const partition of remaining) results.set(partition, { kind: 'notRead', broker, cause: 'moving', reason })
}

/** @returns the partitions whose log moved meanwhile */
async function readOnce(
  link: BrokerLink,
  partitions: readonly PartitionState[],
  options: BrokerReadOptions,
  results: ReplicaLogResults,
): Promise<PartitionState[]> {
  const { broker } = options
  const readings: LogReadings = new PartitionMap()
  await eachInSlices(partitions, sharedSlices, 64, (partition) => {
    readings.set(partition, {
      partition,
      start: null,
      end: null,
      lastWritten: options.lastEpoch(partition),
      highWatermark: null,
      asked: false,
      search: null,
    })
  })
  // Whole directories fail with one code: one object tells it for all of them.
  const failures = new Map<number | ReplicaLogFailure, ReplicaNotRead>()
  const fail: Fail = (partition, cause) => {
    const failure = failures.get(cause) ?? {
      kind: 'notRead',
      broker,
      ...(typeof cause === 'number' ? failureOf(cause, broker) : cause),
    }
    failures.set(cause, failure)
    results.set(partition, failure)
    readings.delete(partition)
  }
  await Promise.all([
    listOffsets(link, readings, EARLIEST_TIMESTAMP, options, fail),
    listOffsets(link, readings, LATEST_TIMESTAMP, options, fail),
    options.replicaLogInfo === null ? null : askReplicaLogInfo(link, options.replicaLogInfo, readings, options),
  ])
  const leftOut: ReplicaLogFailure = {
    cause: 'error',
    reason: `broker ${broker}: left this partition out of its answer`,
  }
  await eachInSlices(readings.values(), sharedSlices, 64, (reading) => {
    const { start, end, partition, lastWritten } = reading
    if (start === null || end === null) fail(partition, leftOut)
    else reading.search = new EpochSearch(start, end, partition.leaderEpoch, lastWritten)
  })
  const moved = await searchEpochs(link, readings, options, fail)
  await eachInSlices(readings.values(), sharedSlices, 64, ({ partition, start, end, search, highWatermark }) => {
    if (start === null || end === null || search === null) return
    const { lastWrittenEpoch, epochs } = search.result()
    results.set(partition, {
      kind: 'read',
      broker,
      logStartOffset: start,
      logEndOffset: end,
      lastWrittenEpoch,
      epochs,
      highWatermark,
      sizeBytes: null,
      logDir: null,
    })
  })
  return moved
}

async function listOffsets(
  link: BrokerLink,
  readings: LogReadings,
  timestamp: bigint,
  options: BrokerReadOptions,
  fail: Fail,
): Promise<void> {
  const partitions: PartitionState[] = []
  for (const { partition } of readings.values()) partitions.push(partition)
  const requests = [...chunks(partitions, PARTITIONS_PER_REQUEST)].map(async (chunk) => {
    const topics = [...groupByTopic(chunk)].map(([name, group]) => ({
      name,
      partitions: group.map(({ partition }) => ({ partitionIndex: partition, timestamp })),
    }))
    const { body } = await link.request(
      ListOffsets,
      { replicaId: DEBUGGING_REPLICA_ID, topics },
      { timeoutMs: remainingTime(options), maxVersion: LIST_OFFSETS_VERSION },
    )
    for (const topic of body.topics) {
      for (const answer of topic.partitions) {
        const partition = { topic: topic.name, partition: answer.partitionIndex }
        const reading = readings.get(partition)
        if (reading === undefined) continue
        if (answer.errorCode !== 0) {
          fail(partition, answer.errorCode)
          continue
        }
        if (answer.offset > BEYOND_EVERY_LOG) {
          fail(partition, tooLarge(answer.offset, options.broker))
          continue
        }
        const offset = offsetFromWire(answer.offset)
        if (timestamp === LATEST_TIMESTAMP) reading.end = offset
        else reading.start = offset
      }
    }
  })
  await Promise.all(requests)
}

const AUTHORIZATION_FAILED = new Set([29, 31])

/** Above 2^53-1 a number would be rounded; and no log that is not damaged is so long. */
function tooLarge(offset: bigint, broker: number): ReplicaLogFailure {
  return { cause: 'error', reason: `broker ${broker}: offset ${offset} is too large to be shown exactly` }
}

function failureOf(code: number, broker: number): ReplicaLogFailure {
  if (code === ErrorCode.KAFKA_STORAGE_ERROR) {
    return { cause: 'offlineLogDir', reason: `broker ${broker} reports the log directory of this replica offline` }
  }
  if (AUTHORIZATION_FAILED.has(code)) {
    return { cause: 'permission', reason: `broker ${broker}: not allowed to read this topic (${errorName(code)})` }
  }
  if (code === ErrorCode.NOT_LEADER_OR_FOLLOWER) {
    return { cause: 'error', reason: `broker ${broker} says that it has no replica of this partition` }
  }
  const name = code === 0 ? 'an answer without an epoch' : errorName(code)
  return { cause: 'error', reason: `broker ${broker}: reading the log gave ${name}` }
}
