import { readdirSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { ownFolder, recovery } from '../cli/harness.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { PartitionWriter } from './harness/partition-writer.js'
import { listOffset } from './harness/raw-reads.js'
import { DeleteRecords } from './harness/rpcs.js'
import { untilReplicaOnline, untilSessionOver } from './harness/state-z.js'
import { until } from './harness/until.js'

// After an emptied replica has become leader: what its followers keep on disk of what they were made to cut, for how long, and how it is
// brought back.

ownFolder()
let kafka: TestCluster
beforeAll(async () => {
  kafka = await startCluster({
    version: '4.4.0',
    config: { 'log.retention.check.interval.ms': '500', 'log.initial.task.delay.ms': '500' },
  })
})
afterAll(async () => {
  await kafka?.dispose()
})

/** A new segment with each batch: 4 records each. */
const SEGMENTS = { 'segment.ms': '1', 'message.timestamp.type': 'LogAppendTime' }
const TOPICS = [
  { name: 'one-segment', assignment: [[1, 2, 3]] },
  { name: 'from-zero', assignment: [[1, 2, 3]], config: SEGMENTS },
  // Whatever was before offset 8 is gone by retention, as in most topics that live long.
  { name: 'trimmed', assignment: [[1, 2, 3]], config: SEGMENTS },
  { name: 'quick', assignment: [[1, 2, 3]], config: { ...SEGMENTS, 'file.delete.delay.ms': '1000' } },
]
const folderOf = (broker: number, topic: string) => join(kafka.broker(broker).logDirOf(topic, 0), `${topic}-0`)

/** Segments with records in a broker's folder: by first offset, those that are to be deleted apart. */
function segments(broker: number, topic: string): { readonly live: number[]; readonly deleted: number[] } {
  const folder = folderOf(broker, topic)
  const found = (end: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(end) && statSync(join(folder, name)).size > 0)
      .map((name) => Number(name.slice(0, 20)))
      .sort((a, b) => a - b)
  return { live: found('.log'), deleted: found('.log.deleted') }
}

async function trim(topic: string, offset: bigint): Promise<void> {
  const { topics } = await kafka.broker(1).rpc(DeleteRecords, 2, {
    topics: [{ name: topic, partitions: [{ partitionIndex: 0, offset }] }],
    timeoutMs: 10_000,
  })
  expect(topics[0]!.partitions[0]!.errorCode).toBe(0)
  await until('segments before it to be gone everywhere', () => {
    const seen = [1, 2, 3].map((id) => segments(id, topic).live)
    return seen.every(([first]) => first === Number(offset)) ? { done: undefined } : { seen }
  })
}

test('cut followers keep .deleted segments, not the first one from offset 0; renamed while they are down, they are read again', async () => {
  const writer = await PartitionWriter.onNew(kafka, TOPICS)
  for (let batch = 0; batch < 4; batch++) await writer.write(4, [1, 2, 3])
  await trim('trimmed', 8n)
  await kafka.broker(3).kill()
  await writer.untilIsr([1, 2])
  await writer.write(4, [1, 2])
  await kafka.broker(2).kill()
  await writer.untilIsr([1])
  await kafka.broker(1).stop()
  const stoppedAt = Date.now()
  for (const disk of kafka.broker(1).logDirs) await kafka.broker(1).emptyLogDir(disk)
  await kafka.broker(2).start()
  expect(segments(2, 'from-zero')).toEqual({ live: [0, 4, 8, 12, 16], deleted: [] })
  await untilSessionOver(stoppedAt)
  await kafka.broker(1).start({ format: true })
  // Led by the emptied 1 at once, or at this touch.
  for (const { name } of TOPICS) {
    await untilReplicaOnline(kafka, name)
    await kafka.elect('unclean', name, 0)
  }

  await until('2 to have cut all of them', () => {
    const seen = TOPICS.map(({ name }) => segments(2, name).live.length)
    return seen.every((count) => count === 0) ? { done: undefined } : { seen }
  })
  expect(segments(2, 'one-segment')).toEqual({ live: [], deleted: [] })
  expect(segments(2, 'from-zero')).toEqual({ live: [], deleted: [4, 8, 12, 16] })
  // A log that starts above 0 is replaced as a whole.
  expect(segments(2, 'trimmed')).toEqual({ live: [], deleted: [8, 12, 16] })
  await until("the topic's own file.delete.delay.ms to run out", () => {
    const { deleted } = segments(2, 'quick')
    return deleted.length === 0 ? { done: undefined } : { seen: deleted }
  })
  expect(segments(2, 'trimmed').deleted).toEqual([8, 12, 16])

  // A clean stop keeps them...
  await kafka.broker(2).stop()
  expect(segments(2, 'trimmed').deleted).toEqual([8, 12, 16])
  await kafka.broker(3).start()
  await until('3 to have cut all of them', () => {
    const seen = TOPICS.map(({ name }) => segments(3, name).live.length)
    return seen.every((count) => count === 0) ? { done: undefined } : { seen }
  })
  await kafka.broker(3).kill()
  expect(segments(3, 'trimmed').deleted).toEqual([8, 12])
  await kafka.broker(1).stop()

  // ... renamed on one broker while all are down they are its log again.
  for (const topic of ['from-zero', 'trimmed']) {
    const folder = folderOf(2, topic)
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.deleted'))) {
      await rename(join(folder, name), join(folder, name.slice(0, -'.deleted'.length)))
    }
  }
  await kafka.broker(2).start()
  const server = ['--bootstrap-server', kafka.bootstrapServers]
  for (const topic of ['from-zero', 'trimmed']) {
    expect((await listOffset(kafka.broker(2), topic, 0, LATEST_TIMESTAMP)).offset).toBe(20)
    await kafka.untilDescribed(topic, '1 and 3 to be away', ([view]) => view!.offlineReplicas.length === 2)
    const [view] = await kafka.describe(topic)
    if (view!.leader === 2) continue
    const elected = await recovery('elect', '--leader', `${topic}-0=2`, '--yes', ...server)
    expect(elected.stdout + elected.stderr).toContain('elected')
  }
  // ... and a start deletes those that were left as they are.
  await kafka.start(1, 3)
  expect(segments(3, 'trimmed').deleted).toEqual([])
  for (const [topic, first] of [
    ['from-zero', 4],
    ['trimmed', 8],
  ] as const) {
    await kafka.untilDescribed(topic, 'all in sync', ([view]) => view!.leader === 2 && view!.isr.length === 3)
    const records = await kafka.consume(topic, 0)
    const { logs } = writer.partitions.find((one) => one.topic === topic)!
    expect(records.map(({ value }) => value)).toEqual(logs.get(2)!.slice(first))
    for (const id of [1, 2, 3]) {
      expect((await listOffset(kafka.broker(id), topic, 0, LATEST_TIMESTAMP)).offset).toBe(20)
    }
  }
})
