import { afterAll, beforeAll, expect, test } from 'vitest'
import { LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { documentOf, ownFolder, recovery } from '../cli/harness.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { PartitionWriter } from './harness/partition-writer.js'
import { listOffset } from './harness/raw-reads.js'

// Failed log directories of real brokers: what `repair` says against what happens, and the repair of a partition's last leader in the safe
// order, against Kafka's own way, which loses all of it.

ownFolder()
let kafka: TestCluster
let disk = ''
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
  // The first directory is the metadata log's: without it the broker exits.
  disk = kafka.broker(1).logDirs[1]!
  await kafka.createTopics([
    { name: 'alone', assignment: Array.from({ length: 4 }, () => [1]) },
    { name: 'ledger', assignment: Array.from({ length: 4 }, () => [1, 2, 3]) },
  ])
  for (const partition of [0, 1, 2, 3]) await kafka.produce('alone', partition, ['a', 'b'], { acks: -1 })
})
afterAll(async () => {
  await kafka?.dispose()
})

const server = () => ['--bootstrap-server', kafka.bootstrapServers]
const repair = (...args: readonly string[]) =>
  recovery('repair', '--broker', '1', '--log-dir', disk, ...args, ...server())
const repairDocument = async (...args: readonly string[]) => documentOf(await repair('--json', ...args)).repair

/** Partitions of a topic that broker 1 keeps on the disk in question, and those that it keeps on the other one. */
function placed(topic: string): { lost: number[]; kept: number[] } {
  const lost = [0, 1, 2, 3].filter((partition) => kafka.broker(1).logDirOf(topic, partition) === disk)
  expect(lost.length).toBeGreaterThan(0)
  expect(lost.length).toBeLessThan(4)
  return { lost, kept: [0, 1, 2, 3].filter((partition) => !lost.includes(partition)) }
}

const numbers = (list: readonly { topic: string; partition: number }[], topic: string): number[] =>
  list.filter((one) => one.topic === topic).map(({ partition }) => partition)
const leaderless = async (topic: string): Promise<number[]> =>
  (await kafka.describe(topic)).filter(({ leader }) => leader < 0).map(({ partition }) => partition)
const valuesOf = async (topic: string, partition: number): Promise<(string | null)[]> =>
  (await kafka.consume(topic, partition)).map(({ value }) => value)

test('a directory that fails while records are produced: who takes over, what has no copy, what stopping costs; kept, it all comes back', async () => {
  const ledger = placed('ledger')
  const alone = placed('alone')
  const healthy = await repair()
  expect(healthy.exit).toBe(0)
  expect(healthy.stdout).toContain('Nothing to repair')

  const acknowledged = new Map(ledger.lost.map((partition): [number, string[]] => [partition, []]))
  let producing = true
  const writing = ledger.lost.map(async (partition) => {
    for (let n = 0; producing; n++) {
      const value = `${partition} ${n}`
      await kafka.produce('ledger', partition, [value], { acks: -1 })
      acknowledged.get(partition)!.push(value)
    }
  })
  await kafka.broker(1).failLogDir(disk)
  await kafka.untilDescribed('ledger', 'the replicas of the failed directory to be offline', (views) =>
    ledger.lost.every((partition) => views.find((view) => view.partition === partition)!.offlineReplicas.includes(1)),
  )
  const before = acknowledged.get(ledger.lost[0]!)!.length
  await kafka.untilDescribed('ledger', 'records to be taken after the failure', () =>
    [...acknowledged.values()].every((values) => values.length > before + 3),
  )
  producing = false
  await Promise.all(writing)

  const found = await repairDocument()
  expect(found).toMatchObject({ phase: 'failed', way: 'keep', held: { source: 'derived', exact: true } })
  const views = await kafka.describe('ledger')
  const served = found.partitions.filter(({ kind }: { kind: string }) => kind === 'servedElsewhere')
  expect(served.map((one: { partition: number; leader: number }) => [one.partition, one.leader])).toEqual(
    ledger.lost.map((partition) => [partition, views.find((view) => view.partition === partition)!.leader]),
  )
  const dead = found.partitions.filter(({ kind }: { kind: string }) => kind === 'leaderless')
  expect(numbers(dead, 'alone')).toEqual(alone.lost)
  expect(await leaderless('alone')).toEqual(alone.lost)
  expect(dead.every(({ otherCopies }: { otherCopies: string }) => otherCopies === 'no')).toBe(true)
  // What is predicted of its absence...
  expect(numbers(found.impact.goesOffline, 'alone')).toEqual(alone.kept)
  expect(numbers(found.impact.goesOffline, 'ledger')).toEqual([])
  expect(found.impact).toMatchObject({ metadataLog: false, quorum: { kind: 'none' }, noGoAhead: null })
  const changes = views.filter(({ partition, leader }) => ledger.kept.includes(partition) && leader === 1)
  expect(numbers(found.impact.changesLeader, 'ledger')).toEqual(changes.map(({ partition }) => partition))
  expect(found.gate.open).toBe(false)

  // ... is what happens.
  await kafka.broker(1).undoFailedLogDir(disk)
  await kafka.broker(1).stop()
  await kafka.untilFenced(1)
  expect(await leaderless('alone')).toEqual([0, 1, 2, 3])
  expect(await leaderless('ledger')).toEqual([])
  const away = await repairDocument()
  expect(away).toMatchObject({ phase: 'away', held: { source: 'noted', exact: true } })
  expect(numbers(away.partitions, 'ledger')).toEqual(ledger.lost)
  expect(numbers(away.partitions, 'alone')).toEqual(alone.lost)
  await kafka.broker(1).start()
  const watched = await repair('--watch')
  expect(watched.exit).toBe(0)
  expect(watched.stdout).toMatch(/in sync: done/)
  for (const partition of ledger.lost) {
    // A batch whose acknowledgement got lost with the directory was sent again: twice is not lost.
    expect([...new Set(await valuesOf('ledger', partition))]).toEqual(acknowledged.get(partition))
  }
  for (const partition of alone.lost) expect(await valuesOf('alone', partition)).toEqual(['a', 'b'])
})

/** Broker 1 alone has the newest records; its directory fails; 2 comes back with less, and is not elected. */
async function lastLeaderFails(topic: string): Promise<PartitionWriter> {
  const writer = await PartitionWriter.onNew(kafka, [
    { name: topic, assignment: Array.from({ length: 4 }, () => [1, 2, 3]) },
  ])
  await writer.write(4, [1, 2, 3])
  await kafka.broker(3).kill()
  await writer.untilIsr([1, 2])
  await writer.write(4, [1, 2])
  await kafka.broker(2).kill()
  await writer.untilIsr([1])
  await writer.write(4, [1])
  await kafka.broker(1).failLogDir(disk)
  await kafka.broker(2).start()
  const { lost } = placed(topic)
  await kafka.untilDescribed(
    topic,
    'those of the failed directory to be without a leader, the others served',
    (views) => views.every(({ partition, leader, isr }) => (lost.includes(partition) ? leader < 0 : isr.length === 2)),
  )
  return writer
}

test("the last leader's disk replaced in the safe order: what others have is kept, and it returns as a follower", async () => {
  const writer = await lastLeaderFails('saved')
  const { lost } = placed('saved')
  const alone = placed('alone')
  const found = await repairDocument('--way', 'replace')
  expect(numbers(found.impact.emptiedLeads, 'saved')).toEqual(lost)
  expect(numbers(found.gate.holds, 'saved')).toEqual(lost)
  expect(numbers(found.gate.holds, 'alone')).toEqual(alone.lost)
  const early = await repair('--run', 'elect', '--yes')
  expect(early.exit).toBe(4)

  await kafka.broker(1).stop()
  await kafka.untilFenced(1)
  expect((await repair('--run', 'elect', '--yes')).exit).toBe(0)
  const writtenOff = alone.lost.flatMap((partition) => ['--write-off', `alone-${partition}`])
  expect((await repairDocument('--way', 'replace')).gate.open).toBe(false)
  expect((await repairDocument('--way', 'replace', ...writtenOff)).gate).toMatchObject({ open: true, holds: [] })

  await kafka.broker(1).undoFailedLogDir(disk)
  await kafka.broker(1).emptyLogDir(disk)
  await kafka.broker(1).start({ format: true })
  const watched = await repair('--watch', ...writtenOff)
  expect(watched.exit).toBe(0)
  expect(watched.stdout).toMatch(/in sync: done/)
  await kafka.broker(3).start()
  await writer.untilIsr([1, 2, 3])
  for (const partition of lost) {
    const { logs } = writer.partitions.find((one) => one.partition === partition)!
    expect(await valuesOf('saved', partition)).toEqual(logs.get(2))
    expect(logs.get(2)).toHaveLength(8)
  }
})

test("Kafka's own way: the same disk replaced without the guide wipes every copy, and that is told afterwards", async () => {
  const writer = await lastLeaderFails('wiped')
  const { lost } = placed('wiped')
  expect(numbers((await repairDocument()).impact.emptiedLeads, 'wiped')).toEqual(lost)
  await kafka.broker(1).stop()
  await kafka.untilFenced(1)
  await kafka.broker(1).undoFailedLogDir(disk)
  await kafka.broker(1).emptyLogDir(disk)
  await kafka.broker(1).start({ format: true })
  // Elected at once, or (state Z) at the next touch: any broker that comes back.
  await kafka.broker(3).start()
  await writer.untilIsr([1, 2, 3])
  for (const partition of lost) {
    expect(await valuesOf('wiped', partition)).toEqual([])
    for (const id of [1, 2, 3]) {
      const { offset } = await listOffset(kafka.broker(id), 'wiped', partition, LATEST_TIMESTAMP)
      expect(offset).toBe(0)
    }
  }
  const told = await repairDocument()
  expect(told.phase).toBe('wiped')
  expect(numbers(told.wiped, 'wiped')).toEqual(lost)
  expect(told.wiped[0]).toMatchObject({ kind: 'empty', leader: 1, hadRecords: true })
})
