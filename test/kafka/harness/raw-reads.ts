import { Fetch } from '../../../src/protocol/rpc/fetch.js'
import { DEBUGGING_REPLICA_ID, ListOffsets } from '../../../src/protocol/rpc/list-offsets.js'
import type { TestBroker } from './broker.js'

export interface OffsetAnswer {
  readonly errorCode: number
  readonly offset: number
  readonly leaderEpoch: number
}

/** ListOffsets 7 as the debugging consumer: what this broker says of its own log. */
export async function listOffset(
  broker: TestBroker,
  topic: string,
  partition: number,
  timestamp: bigint,
): Promise<OffsetAnswer> {
  const { topics } = await broker.rpc(ListOffsets, 7, {
    replicaId: DEBUGGING_REPLICA_ID,
    topics: [{ name: topic, partitions: [{ partitionIndex: partition, timestamp }] }],
  })
  const answer = topics[0]!.partitions[0]!
  return { errorCode: answer.errorCode, offset: Number(answer.offset), leaderEpoch: answer.leaderEpoch }
}

export interface EpochAnswer {
  readonly errorCode: number
  /** [epoch, end offset]; null: none told. */
  readonly diverging: readonly [number, number] | null
  readonly highWatermark: number
  readonly logStartOffset: number
}

/** Fetch 12 as the debugging consumer, far beyond the log's end, as if the last fetched record were of epoch `epoch`. */
export async function divergingEpoch(
  broker: TestBroker,
  topic: string,
  partition: number,
  epoch: number,
): Promise<EpochAnswer> {
  const { responses } = await broker.rpc(Fetch, 12, {
    replicaId: DEBUGGING_REPLICA_ID,
    maxWaitMs: 0,
    minBytes: 0,
    topics: [
      {
        topic,
        partitions: [{ partition, fetchOffset: 9_000_000_000_000_000n, lastFetchedEpoch: epoch, partitionMaxBytes: 1 }],
      },
    ],
  })
  const answer = responses[0]!.partitions[0]!
  const { epoch: found, endOffset } = answer.divergingEpoch
  return {
    errorCode: answer.errorCode,
    diverging: found < 0 ? null : [found, Number(endOffset)],
    highWatermark: Number(answer.highWatermark),
    logStartOffset: Number(answer.logStartOffset),
  }
}
