import { createRequire } from 'node:module'

// kafkajs's own reader and writer of record batches (format 2), reached by its file paths: it has no exports field and no types for them.
const require = createRequire(import.meta.url)

interface Encoder {
  readonly buffer: Buffer
}
type EncodeRecord = (record: { offsetDelta: number; key: Buffer | null; value: Buffer }) => Encoder
type EncodeBatch = (batch: { lastOffsetDelta: number; records: readonly Encoder[] }) => Promise<Encoder>
interface DecodedBatch {
  readonly partitionLeaderEpoch: number
  readonly records: readonly { readonly offset: string; readonly value: Buffer; readonly isControlRecord: boolean }[]
}
interface Decoder {
  canReadBytes(length: number): boolean
}

const encodeRecord = require('kafkajs/src/protocol/recordBatch/record/v0') as EncodeRecord
const { RecordBatch: encodeBatch } = require('kafkajs/src/protocol/recordBatch/v0') as { RecordBatch: EncodeBatch }
const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder') as (
  decoder: Decoder,
) => Promise<DecodedBatch>
const Decoder = require('kafkajs/src/protocol/decoder') as new (buffer: Buffer) => Decoder

/** Size of a batch before its records: less than this at the end of a fetch is a piece that was cut off. */
const BATCH_OVERHEAD_BYTES = 49

/** A record as it stands in a log. */
export interface StoredRecord {
  readonly offset: number
  readonly epoch: number
  readonly value: string
}

/** One batch with these values, as Produce takes it. */
export async function recordBatch(values: readonly string[]): Promise<Buffer> {
  const records = values.map((value, offsetDelta) =>
    encodeRecord({ offsetDelta, key: null, value: Buffer.from(value) }),
  )
  return (await encodeBatch({ lastOffsetDelta: values.length - 1, records })).buffer
}

/** The records of a Fetch answer, control records left out. */
export async function storedRecords(fetched: Buffer): Promise<StoredRecord[]> {
  const decoder = new Decoder(fetched)
  const found: StoredRecord[] = []
  while (decoder.canReadBytes(BATCH_OVERHEAD_BYTES)) {
    const batch = await decodeBatch(decoder)
    for (const record of batch.records) {
      if (record.isControlRecord) continue
      found.push({ offset: Number(record.offset), epoch: batch.partitionLeaderEpoch, value: record.value.toString() })
    }
  }
  return found
}
