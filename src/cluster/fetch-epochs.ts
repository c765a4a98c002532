import { ErrorCode } from '../protocol/error-codes.js'
import { Fetch } from '../protocol/rpc/fetch.js'
import { DEBUGGING_REPLICA_ID } from '../protocol/rpc/list-offsets.js'
import type { BrokerLink } from './connections.js'
import type { EpochAnswer } from './epoch-search.js'
import {
  BEYOND_EVERY_LOG,
  type BrokerReadOptions,
  chunks,
  type Fail,
  type LogReadings,
  PARTITIONS_PER_REQUEST,
  remainingTime,
} from './log-reading.js'
import { knownOffsetFromWire, offsetFromWire } from './offset.js'
import { groupByTopic } from './partitions-by-topic.js'
import { eachInSlices, sharedSlices } from './slices.js'
import type { PartitionState, TopicPartition } from './snapshot.js'

/**
 * Asks for epochs, round by round, until every search has its answer.
 * @returns the partitions whose log moved; those are taken out of `readings`
 */
export async function searchEpochs(
  link: BrokerLink,
  readings: LogReadings,
  options: BrokerReadOptions,
  fail: Fail,
): Promise<PartitionState[]> {
  const moved: PartitionState[] = []
  for (;;) {
    const probes: EpochProbe[] = []
    await eachInSlices(readings.values(), sharedSlices, 64, (reading) => {
      const { partition, search } = reading
      if (search === null) return
      if (search.moved) {
        moved.push(partition)
        readings.delete(partition)
        return
      }
      const epoch = search.probe()
      if (epoch === null || (!options.history && search.lastWrittenKnown)) return
      reading.asked = true
      probes.push({ topic: partition.topic, partition: partition.partition, epoch })
    })
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
  readings: LogReadings,
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
  for (const topic of body.responses) {
    for (const answer of topic.partitions) {
      const partition = { topic: topic.topic, partition: answer.partitionIndex }
      const reading = readings.get(partition)
      if (reading?.search == null || !reading.asked) continue
      reading.asked = false
      const epochAnswer = epochAnswerOf(answer)
      if (epochAnswer === null) {
        fail(partition, answer.errorCode)
        continue
      }
      reading.highWatermark = knownOffsetFromWire(answer.highWatermark) ?? reading.highWatermark
      reading.search.accept(epochAnswer)
    }
  }
  // An answer with fewer partitions than asked must not make us ask for ever.
  for (const probe of probes) if (readings.get(probe)?.asked === true) fail(probe, body.errorCode)
}

function epochAnswerOf(answer: {
  errorCode: number
  divergingEpoch: { epoch: number; endOffset: bigint }
}): EpochAnswer | null {
  if (answer.errorCode === ErrorCode.OFFSET_OUT_OF_RANGE) return { kind: 'above' }
  if (answer.errorCode !== 0 || answer.divergingEpoch.epoch < 0) return null
  const { epoch, endOffset } = answer.divergingEpoch
  return { kind: 'epoch', epoch, endOffset: offsetFromWire(endOffset) }
}
