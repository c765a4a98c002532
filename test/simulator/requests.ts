import { AlterPartitionReassignments } from '../../src/protocol/rpc/alter-partition-reassignments.js'
import { ElectLeaders } from '../../src/protocol/rpc/elect-leaders.js'
import { Fetch } from '../../src/protocol/rpc/fetch.js'
import { ListOffsets } from '../../src/protocol/rpc/list-offsets.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { ask } from './client.js'

/** The requests that most tests send, with what they most often want to know. */

export const PREFERRED = 0
export const UNCLEAN = 1

/** The error code of each partition, in the order of the request. */
export async function elect(
  running: RunningSimulator,
  broker: number,
  electionType: number,
  topic: string,
  partitions: number[],
): Promise<number[]> {
  const answer = await ask(running, broker, ElectLeaders, 2, {
    electionType,
    topicPartitions: [{ topic, partitions }],
    timeoutMs: 1000,
  })
  return answer.replicaElectionResults.flatMap(({ partitionResult }) =>
    partitionResult.map(({ errorCode }) => errorCode),
  )
}

export async function reassign(
  running: RunningSimulator,
  broker: number,
  topic: string,
  partition: number,
  replicas: number[] | null,
  allowReplicationFactorChange = true,
): Promise<number> {
  const answer = await ask(running, broker, AlterPartitionReassignments, 1, {
    allowReplicationFactorChange,
    topics: [{ name: topic, partitions: [{ partitionIndex: partition, replicas }] }],
  })
  return answer.responses[0]?.partitions[0]?.errorCode ?? answer.errorCode
}

export interface OffsetAnswer {
  readonly error: number
  readonly offset: number
  readonly leaderEpoch: number
  readonly timestamp: number
}

export async function listOffset(
  running: RunningSimulator,
  broker: number,
  topic: string,
  partition: number,
  timestamp: bigint,
  replicaId = -2,
  version = 7,
): Promise<OffsetAnswer> {
  const answer = await ask(running, broker, ListOffsets, version, {
    replicaId,
    topics: [{ name: topic, partitions: [{ partitionIndex: partition, timestamp }] }],
  })
  const found = answer.topics[0]!.partitions[0]!
  return {
    error: found.errorCode,
    offset: Number(found.offset),
    leaderEpoch: found.leaderEpoch,
    timestamp: Number(found.timestamp),
  }
}

export interface EpochAnswer {
  readonly error: number
  /** -1: none was told. */
  readonly epoch: number
  readonly endOffset: number
  readonly highWatermark: number
  readonly logStartOffset: number
}

/** Asks that broker's own log for the end of an epoch, as kafka-facts says. */
export async function endOfEpoch(
  running: RunningSimulator,
  broker: number,
  topic: string,
  partition: number,
  epoch: number,
): Promise<EpochAnswer> {
  const answer = await ask(running, broker, Fetch, 12, {
    replicaId: -2,
    maxWaitMs: 0,
    minBytes: 0,
    topics: [
      {
        topic,
        partitions: [{ partition, fetchOffset: 9_000_000_000_000_000n, lastFetchedEpoch: epoch, partitionMaxBytes: 1 }],
      },
    ],
  })
  const found = answer.responses[0]!.partitions[0]!
  return {
    error: found.errorCode,
    epoch: found.divergingEpoch.epoch,
    endOffset: Number(found.divergingEpoch.endOffset),
    highWatermark: Number(found.highWatermark),
    logStartOffset: Number(found.logStartOffset),
  }
}
