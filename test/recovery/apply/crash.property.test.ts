import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partitionName, type TopicPartition } from '../../../src/cluster/snapshot.js'
import { runPlan } from '../../../src/recovery/apply/apply-plan.js'
import { findUnfinished } from '../../../src/recovery/journal/found.js'
import { decodeLine } from '../../../src/recovery/journal/line.js'
import { planRestore, restoreOrders } from '../../../src/recovery/restore/restore.js'
import { type CutMode, FakeProcesses, MemoryStorage, Power } from '../journal/memory-storage.js'
import { anyOutage, type Outage } from './arbitrary-outage.js'
import { FakeCluster } from './fake-cluster.js'
import { OPTIONS, planOf, portsFor, RESTORE_OPTIONS, run } from './recovery-bench.js'
import { VirtualClock } from './virtual-clock.js'

/** `FC_RUNS=50 npx vitest run --project unit test/recovery/apply` looks fifty times as hard. */
const RUNS = Number(process.env.FC_RUNS ?? 1)
const NAMES = ['t-0', 't-1', 't-2']

interface Crash {
  readonly outage: Outage
  readonly cutAt: number
  readonly mode: CutMode
  /** A second cut, while restoring; 0: none. */
  readonly cutRestoreAt: number
}

const anyCrash: fc.Arbitrary<Crash> = fc.record({
  outage: anyOutage(2).map((outage) => ({ ...outage, faults: withoutLoss(outage.faults) })),
  cutAt: fc.integer({ min: 1, max: 60 }),
  mode: fc.constantFrom<CutMode>('before', 'half', 'after'),
  cutRestoreAt: fc.integer({ min: 0, max: 25 }),
})

/** The process dies here, not the cluster. */
function withoutLoss(faults: Outage['faults']): Outage['faults'] {
  return new Map([...faults].filter(([, { kind }]) => kind !== 'gone'))
}

/** Applies a plan in a process that dies on the way. What outlives it: the cluster, and what is on the disk. */
async function applyAndDie({ outage, cutAt, mode }: Crash) {
  const fake = new FakeCluster(new VirtualClock(), new Set(outage.up), outage.partitions, outage.faults, outage.lagMs)
  const plan = await planOf(fake, NAMES)
  const power = new Power(cutAt, mode)
  const disk = new Map<string, Uint8Array>()
  const processes = new FakeProcesses()
  const ports = portsFor(fake, new MemoryStorage(disk, power), processes)
  const options = { ...OPTIONS, batchSize: outage.batchSize, electionAttempts: outage.attempts }
  await runPlan(power.supply(fake), plan, ports, options, () => {}).catch(() => {})
  processes.restart()
  return { fake, plan, disk, processes }
}

function leftByJournals(disk: ReadonlyMap<string, Uint8Array>): readonly TopicPartition[] {
  const lines = [...disk.values()].flatMap((bytes) => Buffer.from(bytes).toString().split('\n'))
  return lines.flatMap((line) => {
    const decoded = decodeLine(Buffer.from(line))
    return decoded.kind === 'line' && decoded.line.entry.type === 'left' ? decoded.line.entry.partitions : []
  })
}

test('after a death at any step, every order is as before once restore has run, or it is named as left', async () => {
  await fc.assert(
    fc.asyncProperty(anyCrash, async (crash) => {
      const { fake, disk, processes } = await applyAndDie(crash)
      if (crash.cutRestoreAt > 0) {
        // The first attempt at restoring dies, too.
        const power = new Power(crash.cutRestoreAt, crash.mode)
        const storage = new MemoryStorage(disk, power)
        const ports = portsFor(fake, storage, processes)
        await findUnfinished(storage, processes)
          .then((found) => restoreOrders(power.supply(fake), found, ports, RESTORE_OPTIONS))
          .catch(() => {})
        processes.restart()
      }
      const storage = new MemoryStorage(disk)
      const unfinished = await findUnfinished(storage, processes)
      const report = await restoreOrders(fake, unfinished, portsFor(fake, storage, processes), RESTORE_OPTIONS)
      expect(report.unknown).toEqual([])
      // What a restore that died has written down as left was on its screen: it is not said again.
      const left = [...report.left, ...leftByJournals(disk)].map(partitionName)
      for (const partition of crash.outage.partitions) {
        const name = partitionName(partition)
        if (fake.othersChanged.has(name)) continue
        if (left.includes(name)) continue
        expect(fake.partition(name).replicas, name).toEqual(partition.replicas)
      }
      expect(await findUnfinished(storage, processes)).toEqual([])
      expect(fake.violations).toEqual([])
    }),
    { numRuns: 500 * RUNS },
  )
})

test('restoring elects nobody: what leads after it led before, or came back by itself', async () => {
  await fc.assert(
    fc.asyncProperty(anyCrash, async (crash) => {
      const { fake, disk, processes } = await applyAndDie(crash)
      // Faults are for the run that died: here the cluster holds still, so that only we can make leaders.
      const ledBefore = new Map(NAMES.map((name) => [name, fake.leaders.get(name)?.length ?? 0]))
      const storage = new MemoryStorage(disk)
      fake.holdStill()
      await restoreOrders(
        fake,
        await findUnfinished(storage, processes),
        portsFor(fake, storage, processes),
        RESTORE_OPTIONS,
      )
      for (const name of NAMES) {
        const since = (fake.leaders.get(name) ?? []).slice(ledBefore.get(name))
        expect(since.filter(({ by }) => by === 'reorder')).toEqual([])
      }
    }),
    { numRuns: 400 * RUNS },
  )
})

test('the preview says what restoring then does, when nothing moves in between', async () => {
  await fc.assert(
    fc.asyncProperty(anyCrash, async (crash) => {
      const { fake, disk, processes } = await applyAndDie(crash)
      const storage = new MemoryStorage(disk)
      fake.holdStill()
      fake.finishLate()
      await fake.clock.sleep(100_000)
      const unfinished = await findUnfinished(storage, processes)
      const writes = fake.writes.length
      const preview = await planRestore(fake, unfinished, fake.clock, RESTORE_OPTIONS)
      expect(fake.writes).toHaveLength(writes)
      const report = await restoreOrders(fake, unfinished, portsFor(fake, storage, processes), RESTORE_OPTIONS)
      expect(report.restored.map(partitionName).sort()).toEqual(preview.toRestore.map(partitionName).sort())
      expect(report.left.map(partitionName).sort()).toEqual(preview.left.map(partitionName).sort())
      expect(report.inPlace.map(partitionName).sort()).toEqual(preview.inPlace.map(partitionName).sort())
    }),
    { numRuns: 300 * RUNS },
  )
})

test('after a death, the next run is refused while something is left, and goes on once it has been restored', async () => {
  await fc.assert(
    fc.asyncProperty(anyCrash, async (crash) => {
      const { fake, plan, disk, processes } = await applyAndDie(crash)
      fake.holdStill()
      const storage = new MemoryStorage(disk)
      const ports = portsFor(fake, storage, processes)
      if (plan.partitions.length === 0) return
      const unfinished = await findUnfinished(storage, processes)
      if (unfinished.length > 0) {
        const writes = fake.writes.length
        await expect(run(fake, plan, { ports })).rejects.toMatchObject({ reason: 'unfinishedJournal' })
        expect(fake.writes).toHaveLength(writes)
        await restoreOrders(fake, unfinished, ports, RESTORE_OPTIONS)
      }
      const { report } = await run(fake, plan, { ports })
      expect(report.outcome).toHaveLength(NAMES.length)
    }),
    { numRuns: 300 * RUNS },
  )
})
