import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, ownFolder, recovery } from '../cli/harness.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { recordBatch } from './harness/records.js'
import { Produce } from './harness/rpcs.js'
import { until } from './harness/until.js'

// Repairs of real brokers by the printed steps alone: a directory that is taken out of log.dirs while records are written all the time, and two
// that fail together. (The disk of a last leader that is replaced: log-dirs.test.ts.)

ownFolder()
const PARTITIONS = [0, 1, 2, 3, 4, 5]
let kafka: TestCluster
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0', logDirsPerBroker: 3 })
  // One after the other: a broker puts each replica where there are fewest, so every directory gets some of each topic.
  await kafka.createTopic(
    'ledger',
    PARTITIONS.map(() => [1, 2, 3]),
  )
  await kafka.createTopic(
    'strict',
    PARTITIONS.map(() => [1, 2]),
    { 'min.insync.replicas': '2' },
  )
  await kafka.createTopic(
    'alone',
    PARTITIONS.map(() => [1]),
  )
  await kafka.createTopic(
    'pair',
    PARTITIONS.map(() => [2, 3]),
  )
  // Leaders are named before their folders are there.
  for (const [broker, topic] of [
    [1, 'ledger'],
    [1, 'strict'],
    [1, 'alone'],
    [2, 'pair'],
  ] as const) {
    await until(`broker ${broker} to make the folders of ${topic}`, () => ({
      done: PARTITIONS.map((partition) => kafka.broker(broker).logDirOf(topic, partition)),
    }))
  }
})
afterAll(async () => {
  await kafka?.dispose()
})

interface Place {
  readonly topic: string
  readonly partition: number
}
interface Step {
  readonly id: string
  readonly status: string
  readonly seen: string | null
  readonly how: readonly { readonly kind: string; readonly words: readonly string[]; readonly line: string }[]
}

const server = () => ['--bootstrap-server', kafka.bootstrapServers]
function repairOf(broker: number, disk: string) {
  const repair = (...args: readonly string[]) =>
    recovery('repair', '--broker', String(broker), '--log-dir', disk, ...args, ...server())
  return { repair, document: async (...args: readonly string[]) => documentOf(await repair('--json', ...args)).repair }
}
const numbers = (list: readonly Place[], topic: string): number[] =>
  list.filter((one) => one.topic === topic).map(({ partition }) => partition)

/** Partitions of a topic that a broker keeps in this directory. */
function inDirectory(broker: number, topic: string, disk: string): number[] {
  const found = PARTITIONS.filter((partition) => kafka.broker(broker).logDirOf(topic, partition) === disk)
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(PARTITIONS.length)
  return found
}
const without = (some: readonly number[]) => PARTITIONS.filter((one) => !some.includes(one))

/** Writes to all partitions of a topic until stopped; what was acknowledged, by partition. */
function producing(topic: string): { stop(): Promise<ReadonlyMap<number, readonly string[]>>; taken(): number } {
  const acknowledged = new Map(PARTITIONS.map((partition): [number, string[]] => [partition, []]))
  let going = true
  const writers = PARTITIONS.map(async (partition) => {
    for (let n = 0; going; n++) {
      const value = `${partition} ${n}`
      await kafka.produce(topic, partition, [value], { acks: -1 })
      acknowledged.get(partition)!.push(value)
      // Steadily, not as fast as two cores can.
      await delay(10)
    }
  })
  return {
    taken: () => Math.min(...[...acknowledged.values()].map(({ length }) => length)),
    async stop() {
      going = false
      await Promise.all(writers)
      return acknowledged
    },
  }
}

test('taken out of log.dirs by the printed steps while records are written: the impact is what happens, and nothing acknowledged is lost', async () => {
  const disk = kafka.broker(1).logDirs[1]!
  const { repair, document } = repairOf(1, disk)
  const lost = {
    ledger: inDirectory(1, 'ledger', disk),
    strict: inDirectory(1, 'strict', disk),
    alone: inDirectory(1, 'alone', disk),
  }
  for (const partition of PARTITIONS) await kafka.produce('alone', partition, ['a'], { acks: -1 })
  expect(await repair()).toMatchObject({ exit: 0, stdout: expect.stringContaining('Nothing to repair') })
  const ledger = producing('ledger')
  await kafka.broker(1).failLogDir(disk)
  await kafka.untilDescribed('alone', 'those of the failed directory to be offline', (views) =>
    views.every(({ partition, leader }) => leader < 0 === lost.alone.includes(partition)),
  )

  // The diagnosis against what the cluster shows.
  const dirs = documentOf(await recovery('log-dirs', '--json', ...server())).logDirs
  expect(dirs.find((one: { broker: number; path: string }) => one.broker === 1 && one.path === disk)).toMatchObject({
    state: 'offline',
    replicas: null,
  })
  const found = await document('--way', 'remove')
  expect(found).toMatchObject({ phase: 'failed', held: { source: 'derived', exact: true } })
  const views = { ledger: await kafka.describe('ledger'), strict: await kafka.describe('strict') }
  for (const one of found.partitions as (Place & { kind: string; leader: number | null; otherCopies: string })[]) {
    if (one.topic === 'alone') expect(one).toMatchObject({ kind: 'leaderless', otherCopies: 'no' })
    else if (one.topic !== 'pair') {
      const { leader } = views[one.topic as 'ledger' | 'strict'][one.partition]!
      expect(one).toMatchObject({ kind: 'servedElsewhere', leader })
    }
  }
  for (const topic of ['ledger', 'strict', 'alone'] as const)
    expect(numbers(found.partitions, topic)).toEqual(lost[topic])
  const { impact } = found
  const ledOn1 = (topic: 'ledger' | 'strict') =>
    views[topic].filter(({ leader }) => leader === 1).map((one) => one.partition)
  expect(numbers(impact.goesOffline, 'alone')).toEqual(without(lost.alone))
  expect(numbers(impact.onlyCopy, 'alone')).toEqual(without(lost.alone))
  // Those of the failed directory are under it already: not counted twice.
  expect(numbers(impact.underMinIsr, 'strict')).toEqual(without(lost.strict))
  for (const topic of ['ledger', 'strict'] as const) expect(numbers(impact.changesLeader, topic)).toEqual(ledOn1(topic))
  expect(numbers(impact.emptiedLeads, 'ledger')).toEqual([])
  expect(numbers(found.gate.holds, 'alone')).toEqual(lost.alone)
  expect(impact).toMatchObject({ noGoAhead: null, metadataLog: false, minIsrUnknown: [] })

  // Step by step, each as it is printed.
  const writtenOff = lost.alone.flatMap((partition) => ['--write-off', `alone-${partition}`])
  const performed: string[] = []
  let more: string[] = []
  for (;;) {
    const { steps, gate } = (await document('--way', 'remove', ...more)) as { steps: Step[]; gate: { open: boolean } }
    const step = steps.find((one) => ['now', 'byHand'].includes(one.status) && !performed.includes(one.id))!
    expect(step, JSON.stringify(steps.map(({ id, status }) => [id, status]))).toBeDefined()
    performed.push(step.id)
    if (step.id === 'readLog') expect(await kafka.broker(1).log()).toMatch(new RegExp(`Error while .*${disk}`))
    if (step.id === 'stop') {
      await kafka.broker(1).stop()
      await kafka.untilFenced(1)
      await impactHappened(ledOn1)
    }
    if (step.id === 'gate') {
      expect(gate.open).toBe(false)
      more = writtenOff
    }
    if (step.id === 'editConfig') {
      await kafka.broker(1).undoFailedLogDir(disk)
      await kafka.broker(1).setLogDirs(step.how[0]!.line)
    }
    if (step.id === 'start') {
      expect(gate.open).toBe(true)
      await kafka.broker(1).start()
      const watch = steps.find(({ id }) => id === 'watch')!
      expect(watch.how[0]!.words).toEqual(['repair', '--broker', '1', '--log-dir', disk, '--watch'])
      const watched = await recovery(...(watch.how[0]!.words as string[]), ...more, ...server())
      expect(watched.exit, watched.stdout + watched.stderr).toBe(0)
      expect(watched.stdout).toMatch(/in sync: done/)
      break
    }
  }
  expect(performed).toEqual(['readLog', 'checkDisk', 'stop', 'gate', 'editConfig', 'start'])

  const before = ledger.taken()
  await until('records to be taken after the repair', () =>
    ledger.taken() > before + 2 ? { done: undefined } : { seen: before },
  )
  const acknowledged = await ledger.stop()
  await kafka.untilDescribed('ledger', 'all in sync', (all) => all.every(({ isr }) => isr.length === 3))
  for (const [partition, values] of acknowledged) {
    const kept = new Set((await kafka.consume('ledger', partition)).map(({ value }) => value))
    expect(values.filter((value) => !kept.has(value))).toEqual([])
  }
  expect(kafka.broker(1).logDirs).toHaveLength(2)
  for (const partition of PARTITIONS) expect(kafka.broker(1).logDirOf('ledger', partition)).not.toBe(disk)
  for (const partition of without(lost.alone)) expect(await kafka.consume('alone', partition)).toHaveLength(1)
})

/** While broker 1 is away: what had no copy in sync elsewhere has no leader, what was under min ISR refuses producers. */
async function impactHappened(ledBefore: (topic: 'ledger' | 'strict') => readonly number[]): Promise<void> {
  expect((await kafka.describe('alone')).every(({ leader }) => leader < 0)).toBe(true)
  for (const topic of ['ledger', 'strict'] as const) {
    const views = await kafka.describe(topic)
    expect(views.every(({ leader, isr }) => leader > 1 && !isr.includes(1))).toBe(true)
    for (const partition of ledBefore(topic)) expect(views[partition]!.leader).not.toBe(1)
  }
  for (const partition of PARTITIONS) {
    const { responses } = await kafka.broker(2).rpc(Produce, 8, {
      acks: -1,
      timeoutMs: 5_000,
      topicData: [{ name: 'strict', partitionData: [{ index: partition, records: await recordBatch(['refused']) }] }],
    })
    const NOT_ENOUGH_REPLICAS = 19
    expect(responses[0]!.partitionResponses[0]!.errorCode).toBe(NOT_ENOUGH_REPLICAS)
  }
}

test('two directories of a broker fail together: each has its own partitions and its own gate, and the steps of one warn of the other', async () => {
  const [, first = '', second = ''] = kafka.broker(2).logDirs
  const one = { ...repairOf(2, first), lost: inDirectory(2, 'pair', first) }
  const other = { ...repairOf(2, second), lost: inDirectory(2, 'pair', second) }
  for (const partition of PARTITIONS) await kafka.produce('pair', partition, ['a', 'b'], { acks: -1 })
  await kafka.broker(3).kill()
  await kafka.untilDescribed('pair', '2 alone in sync', (views) => views.every(({ isr }) => isr.join() === '2'))
  for (const partition of PARTITIONS) await kafka.produce('pair', partition, ['c'], { acks: -1 })
  // Looked at while all of it was well.
  expect((await one.document()).phase).toBe('nothing')
  await Promise.all([first, second].map((path) => kafka.broker(2).failLogDir(path)))
  await kafka.broker(3).start()
  await kafka.untilDescribed('pair', 'those of both to have no leader', (views) =>
    views.every(({ partition, leader }) => leader < 0 === [...one.lost, ...other.lost].includes(partition)),
  )
  for (const { document, lost } of [one, other]) {
    const found = await document('--way', 'replace')
    expect(found).toMatchObject({ phase: 'failed', held: { exact: true } })
    expect(numbers(found.partitions, 'pair')).toEqual(lost)
    expect(numbers(found.gate.holds, 'pair')).toEqual(lost)
    expect(numbers(found.impact.emptiedLeads, 'pair')).toEqual(lost)
  }
  await kafka.broker(2).stop()
  await kafka.untilFenced(2)
  expect((await one.repair('--run', 'elect', '--yes')).exit).toBe(0)
  const halfWay = await one.document('--way', 'replace')
  expect(halfWay.gate.open).toBe(true)
  expect(halfWay.otherFailed).toEqual([{ path: second, holds: other.lost.length }])
  const start = (halfWay.steps as Step[]).find(({ id }) => id === 'start')!
  expect(start.seen).toContain(`${second} of broker 2 failed too, and its own gate is SHUT`)
  expect((await other.document('--way', 'replace')).gate.open).toBe(false)
  expect((await other.repair('--run', 'elect', '--yes')).exit).toBe(0)
  const { gate, otherFailed, steps } = await other.document('--way', 'replace')
  expect(gate.open).toBe(true)
  expect(otherFailed).toEqual([{ path: first, holds: 0 }])

  const format = (steps as Step[]).find(({ id }) => id === 'format')!.how[0]!.words
  expect(format).toEqual(expect.arrayContaining(['format', '--ignore-formatted', '--cluster-id', kafka.clusterId]))
  for (const path of [first, second]) {
    await kafka.broker(2).undoFailedLogDir(path)
    await kafka.broker(2).emptyLogDir(path)
  }
  await kafka.broker(2).formatMissingDirs()
  await kafka.broker(2).start()
  for (const { repair } of [one, other]) {
    const watched = await repair('--watch')
    expect(watched.exit, watched.stdout + watched.stderr).toBe(0)
  }
  for (const partition of [...one.lost, ...other.lost]) {
    const [view] = (await kafka.describe('pair')).filter((each) => each.partition === partition)
    expect(view).toMatchObject({ leader: 3 })
    expect((await kafka.consume('pair', partition)).map(({ value }) => value)).toEqual(['a', 'b'])
  }
})
