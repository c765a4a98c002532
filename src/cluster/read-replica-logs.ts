import { errorName } from '../protocol/error-codes.js'
import { Fetch } from '../protocol/rpc/fetch.js'
import type { GetReplicaLogInfo } from '../protocol/rpc/get-replica-log-info.js'
import {
  DEBUGGING_REPLICA_ID,
  EARLIEST_TIMESTAMP,
  LATEST_TIMESTAMP,
  ListOffsets,
} from '../protocol/rpc/list-offsets.js'
import type { BrokerLink } from './connections.js'
import { type EpochAnswer, EpochSearch } from './epoch-search.js'
import { knownOffsetFromWire, offsetFromWire } from './offset.js'
import { groupByTopic } from './partitions-by-topic.js'
import type { NotReadCause, ReplicaLog } from './replica-log.js'
import { type PartitionState, partitionName, type TopicPartition } from './snapshot.js'

export interface ReplicaLogFailure {
  readonly cause: NotReadCause
  readonly reason: string
}
export type ReplicaLogResult = { readonly log: ReplicaLog } | { readonly failure: ReplicaLogFailure }

export interface BrokerReadOptions {
  readonly broker: number
  readonly history: boolean
  /** performance.now() at which this broker is late. */
  readonly deadline: number
  /** Offered together with ElectLeaders 3 only: released brokers use its key for something else. */
  readonly replicaLogInfo: typeof GetReplicaLogInfo | null
  /** The last written epochs as they were told last time, by partitionName; kept up to date. */
  readonly lastEpochs: Map<string, number>
}

/** Partitions in one request: some 100 KB to send, some 100 KB to come back. */
const PARTITIONS_PER_REQUEST = 5_000
/** GetReplicaLogInfo serves only the first 1,000 (KIP-1275). */
const REPLICA_LOG_INFO_LIMIT = 1_000
/** How often a log that moves is read again before it is called moving. */
const ATTEMPTS_AT_MOVING_LOGS = 3
/** ListOffsets 7 is what was measured to answer from the local log. */
const LIST_OFFSETS_VERSION = 7
/** Beyond every log: so the answer is the diverging epoch, never records. */
const BEYOND_EVERY_LOG = 9_000_000_000_000_000n
const OFFSET_OUT_OF_RANGE = 1
const NO_HIGH_WATERMARK = null

/** Takes a partition out, with an error code of the broker's or a failure of our own. */
type Fail = (name: string, cause: number | ReplicaLogFailure) => void

interface Reading {
  readonly partition: PartitionState
  start: number | null
  end: number | null
  lastWritten: number | undefined
  highWatermark: number | null
  search: EpochSearch | null
}

/**
 * Reads the logs of one broker's replicas, as kafka-facts measured it: log end and start by ListOffsets, the epochs by fetches
 * far beyond the end. All partitions share each round: one request to the broker (of at most 5,000 partitions).
 * @returns by partitionName; every partition is in it
 * @throws TransportError when the broker fails as a whole; results so far are in `results`
 */
export async function readBrokerLogs(
  link: BrokerLink,
  partitions: readonly PartitionState[],
  options: BrokerReadOptions,
  results: Map<string, ReplicaLogResult>,
): Promise<void> {
  let remaining: readonly PartitionState[] = partitions
  for (let attempt = 0; attempt < ATTEMPTS_AT_MOVING_LOGS && remaining.length > 0; attempt++) {
    remaining = await readOnce(link, remaining, options, results)
  }
  for (const partition of remaining) {
    results.set(partitionName(partition), {
      failure: { cause: 'moving', reason: `broker ${options.broker}: the log kept changing while it was read` },
    })
  }
}

/** @returns the partitions whose log moved meanwhile */
async function readOnce(
  link: BrokerLink,
  partitions: readonly PartitionState[],
  options: BrokerReadOptions,
  results: Map<string, ReplicaLogResult>,
): Promise<PartitionState[]> {
  const readings = new Map<string, Reading>()
  for (const partition of partitions) {
    readings.set(partitionName(partition), {
      partition,
      start: null,
      end: null,
      lastWritten: options.lastEpochs.get(partitionName(partition)),
      highWatermark: NO_HIGH_WATERMARK,
      search: null,
    })
  }
  const fail: Fail = (name, cause) => {
    const failure = typeof cause === 'number' ? failureOf(cause, options.broker) : cause
    results.set(name, { failure })
    readings.delete(name)
  }
  await Promise.all([
    listOffsets(link, readings, EARLIEST_TIMESTAMP, options, fail),
    listOffsets(link, readings, LATEST_TIMESTAMP, options, fail),
    options.replicaLogInfo === null ? null : askReplicaLogInfo(link, options.replicaLogInfo, readings, options),
  ])
  for (const [name, reading] of readings) {
    const { start, end, partition, lastWritten } = reading
    if (start === null || end === null) {
      results.set(name, {
        failure: { cause: 'error', reason: `broker ${options.broker}: left this partition out of its answer` },
      })
      readings.delete(name)
      continue
    }
    reading.search = new EpochSearch(start, end, partition.leaderEpoch, lastWritten)
  }
  const moved = await searchEpochs(link, readings, options, fail)
  for (const [name, reading] of readings) {
    const { start, end, search, highWatermark } = reading
    if (start === null || end === null || search === null) continue
    const { lastWrittenEpoch, epochs } = search.result()
    if (lastWrittenEpoch.kind === 'epoch') options.lastEpochs.set(name, lastWrittenEpoch.epoch)
    results.set(name, {
      log: {
        kind: 'read',
        broker: options.broker,
        logStartOffset: start,
        logEndOffset: end,
        lastWrittenEpoch,
        epochs,
        highWatermark,
        sizeBytes: null,
        logDir: null,
      },
    })
  }
  return moved
}

function remainingTime({ deadline }: BrokerReadOptions): number {
  return Math.max(1, Math.round(deadline - performance.now()))
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

async function listOffsets(
  link: BrokerLink,
  readings: Map<string, Reading>,
  timestamp: bigint,
  options: BrokerReadOptions,
  fail: Fail,
): Promise<void> {
  const partitions = [...readings.values()].map(({ partition }) => partition)
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
        const name = partitionName({ topic: topic.name, partition: answer.partitionIndex })
        const reading = readings.get(name)
        if (reading === undefined) continue
        if (answer.errorCode !== 0) {
          fail(name, answer.errorCode)
          continue
        }
        if (answer.offset > BEYOND_EVERY_LOG) {
          fail(name, tooLarge(answer.offset, options.broker))
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

/** Only a hint that saves rounds: what it does not tell, or tells wrongly, the fetches find out. */
async function askReplicaLogInfo(
  link: BrokerLink,
  rpc: typeof GetReplicaLogInfo,
  readings: Map<string, Reading>,
  options: BrokerReadOptions,
): Promise<void> {
  const byTopicId = new Map<string, PartitionState[]>()
  for (const { partition } of readings.values()) {
    if (partition.topicId === null) continue
    const group = byTopicId.get(partition.topicId)
    if (group === undefined) byTopicId.set(partition.topicId, [partition])
    else group.push(partition)
  }
  const all = [...byTopicId.values()].flat()
  const requests = [...chunks(all, REPLICA_LOG_INFO_LIMIT)].map(async (chunk) => {
    const topicPartitions = [...groupByTopic(chunk).values()].map((group) => ({
      topicId: group[0]?.topicId ?? '',
      partitions: group.map(({ partition }) => partition),
    }))
    const { body } = await link.request(rpc, { topicPartitions }, { timeoutMs: remainingTime(options) })
    for (const topic of body.topicPartitionLogInfoList) {
      const name = byTopicId.get(topic.topicId)?.[0]?.topic
      if (name === undefined) continue
      for (const info of topic.partitionLogInfo) {
        const reading = readings.get(partitionName({ topic: name, partition: info.partition }))
        if (reading === undefined || info.errorCode !== 0 || info.lastWrittenLeaderEpoch < 0) continue
        reading.lastWritten = info.lastWrittenLeaderEpoch
      }
    }
  })
  // Whatever does not fit: fall back to the requests that every broker has.
  await Promise.allSettled(requests)
}

/** @returns the partitions whose log moved; those are taken out of `readings` */
async function searchEpochs(
  link: BrokerLink,
  readings: Map<string, Reading>,
  options: BrokerReadOptions,
  fail: Fail,
): Promise<PartitionState[]> {
  const moved: PartitionState[] = []
  for (;;) {
    const probes: EpochProbe[] = []
    for (const [name, { partition, search }] of readings) {
      if (search === null) continue
      if (search.moved) {
        moved.push(partition)
        readings.delete(name)
        continue
      }
      const epoch = search.probe()
      if (epoch !== null && (options.history || !search.lastWrittenKnown))
        probes.push({ topic: partition.topic, partition: partition.partition, epoch })
    }
    if (probes.length === 0) return moved
    await Promise.all(
      [...chunks(probes, PARTITIONS_PER_REQUEST)].map((chunk) => fetchEpochs(link, chunk, readings, options, fail)),
    )
  }
}

interface EpochProbe extends TopicPartition {
  /** LastFetchedEpoch to ask with. */
  readonly epoch: number
}

async function fetchEpochs(
  link: BrokerLink,
  probes: readonly EpochProbe[],
  readings: Map<string, Reading>,
  options: BrokerReadOptions,
  fail: Fail,
): Promise<void> {
  const topics = [...groupByTopic(probes)].map(([topic, group]) => ({
    topic,
    partitions: group.map(({ partition, epoch }) => ({
      partition,
      fetchOffset: BEYOND_EVERY_LOG,
      lastFetchedEpoch: epoch,
      partitionMaxBytes: 1,
    })),
  }))
  const { body } = await link.request(
    Fetch,
    { replicaId: DEBUGGING_REPLICA_ID, maxWaitMs: 0, minBytes: 0, topics },
    { timeoutMs: remainingTime(options) },
  )
  const unanswered = new Set(probes.map(partitionName))
  for (const topic of body.responses) {
    for (const answer of topic.partitions) {
      const name = partitionName({ topic: topic.topic, partition: answer.partitionIndex })
      const reading = readings.get(name)
      if (!unanswered.delete(name) || reading?.search == null) continue
      const epochAnswer = epochAnswerOf(answer)
      if (epochAnswer === null) {
        fail(name, answer.errorCode)
        continue
      }
      reading.highWatermark = knownOffsetFromWire(answer.highWatermark) ?? reading.highWatermark
      reading.search.accept(epochAnswer)
    }
  }
  // An answer with fewer partitions than asked must not make us ask for ever.
  for (const name of unanswered) fail(name, body.errorCode)
}

function epochAnswerOf(answer: {
  errorCode: number
  divergingEpoch: { epoch: number; endOffset: bigint }
}): EpochAnswer | null {
  if (answer.errorCode === OFFSET_OUT_OF_RANGE) return { kind: 'above' }
  if (answer.errorCode !== 0 || answer.divergingEpoch.epoch < 0) return null
  const { epoch, endOffset } = answer.divergingEpoch
  return { kind: 'epoch', epoch, endOffset: offsetFromWire(endOffset) }
}

const NOT_LEADER_OR_FOLLOWER = 6
const KAFKA_STORAGE_ERROR = 56
const AUTHORIZATION_FAILED = new Set([29, 31])

/** Above 2^53-1 a number would be rounded; and no log that is not damaged is so long. */
function tooLarge(offset: bigint, broker: number): ReplicaLogFailure {
  return { cause: 'error', reason: `broker ${broker}: offset ${offset} is too large to be shown exactly` }
}

function failureOf(code: number, broker: number): ReplicaLogFailure {
  if (code === KAFKA_STORAGE_ERROR) {
    return { cause: 'offlineLogDir', reason: `broker ${broker} reports the log directory of this replica offline` }
  }
  if (AUTHORIZATION_FAILED.has(code)) {
    return { cause: 'permission', reason: `broker ${broker}: not allowed to read this topic (${errorName(code)})` }
  }
  if (code === NOT_LEADER_OR_FOLLOWER) {
    return { cause: 'error', reason: `broker ${broker} says that it has no replica of this partition` }
  }
  const name = code === 0 ? 'an answer without an epoch' : errorName(code)
  return { cause: 'error', reason: `broker ${broker}: reading the log gave ${name}` }
}
