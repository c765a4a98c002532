import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partitionName } from '../../../src/cluster/snapshot.js'
import type { PartitionOutcome, RecoveryReport } from '../../../src/recovery/apply/outcome.js'
import { exitCodeOf } from '../../../src/recovery/apply/report.js'
import type { RecoveryPlan } from '../../../src/recovery/planning/plan.js'
import { MemoryStorage } from '../journal/memory-storage.js'
import { anyOutage, type Outage } from './arbitrary-outage.js'
import { FakeCluster } from './fake-cluster.js'
import { outcomeFor, planOf, portsFor, run } from './recovery-bench.js'
import { VirtualClock } from './virtual-clock.js'

/** `FC_RUNS=50 npx vitest run --project unit test/recovery/apply` looks fifty times as hard. */
const RUNS = Number(process.env.FC_RUNS ?? 1)

const NAMES = ['t-0', 't-1', 't-2']
const originals = (outage: Outage) => new Map(outage.partitions.map((one) => [partitionName(one), one.replicas]))

async function recover(outage: Outage) {
  const fake = new FakeCluster(new VirtualClock(), new Set(outage.up), outage.partitions, outage.faults, outage.lagMs)
  const plan = await planOf(fake, NAMES, { elections: outage.designated ? 'designated' : 'stock' })
  const storage = new MemoryStorage()
  const { batchSize, attempts } = outage
  const ran = await run(fake, plan, {
    ports: portsFor(fake, storage),
    options: { batchSize, electionAttempts: attempts },
  })
  return { fake, plan, storage, ...ran }
}

/** Whatever goes wrong. */
const anything = anyOutage(8)

test('every partition ends in exactly one outcome, and the exit code is 0 only if all have a leader', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (outage) => {
      const { plan, report, events } = await recover(outage)
      const asked = [...plan.partitions, ...plan.skipped].map(partitionName).sort()
      expect(report.outcome.map(partitionName)).toEqual(asked)
      expect(
        events.flatMap((event) => (event.type === 'outcome' ? [partitionName(event.outcome)] : [])).sort(),
      ).toEqual(asked)
      const done = report.outcome.every(({ result }) => result === 'elected' || result === 'alreadyHasLeader')
      if (exitCodeOf(report) === 0) expect(done).toBe(true)
      for (const { result, error } of report.outcome) {
        if (result !== 'elected' && result !== 'alreadyHasLeader') expect(error).toBeTruthy()
        if (error !== null) expect(error).not.toContain('\n')
      }
    }),
    { numRuns: 400 * RUNS },
  )
})

test('nothing is ever sent for a partition that was shown with a leader, with other members, or naming nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (outage) => {
      const { fake } = await recover(outage)
      expect(fake.violations).toEqual([])
    }),
    { numRuns: 400 * RUNS },
  )
})

test('no partition is named by more election requests than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (outage) => {
      const { fake, report } = await recover(outage)
      for (const outcome of report.outcome) {
        const name = partitionName(outcome)
        const sent = fake.writes.filter(({ api, partitions }) => api === 'elect' && partitions.includes(name)).length
        expect(sent).toBeLessThanOrEqual(outage.attempts + 1)
        expect(outcome.attempts).toBe(sent)
      }
    }),
    { numRuns: 300 * RUNS },
  )
})

function checkTruth(fake: FakeCluster, plan: RecoveryPlan, outcome: PartitionOutcome, lagMs: number): void {
  const name = partitionName(outcome)
  const leaders = fake.leaders.get(name) ?? []
  const sent = fake.writes.some(({ partitions }) => partitions.includes(name))
  const planned = plan.partitions.find((one) => partitionName(one) === name)
  switch (outcome.result) {
    case 'elected':
      expect(outcome.leader).toBe(planned?.designatedLeader)
      expect(leaders.map(({ broker }) => broker)).toContain(outcome.leader)
      break
    case 'alreadyHasLeader':
      expect(leaders.map(({ broker }) => broker)).toContain(outcome.leader)
      expect(sent).toBe(false)
      break
    case 'notAttempted':
    case 'skipped':
      expect(sent).toBe(false)
      break
    case 'failed':
      if (outcome.leader !== null) expect(leaders.map(({ broker }) => broker)).toContain(outcome.leader)
      break
    case 'stale':
    case 'unknown':
      break
  }
  // A leader that came by our doing is never passed over in silence.
  for (const { broker, by } of leaders) {
    if (by === 'itself' || outcome.result === 'unknown') continue
    // A view that lags shows a leader that has been lost since: nobody can know better at that time.
    const seenTooLate = lagMs > 0 && leaders.some((one) => one.broker === planned?.designatedLeader)
    if (seenTooLate && outcome.result === 'elected') continue
    if (broker === planned?.designatedLeader) {
      expect(['elected', 'failed']).toContain(outcome.result)
    } else {
      expect(outcome.result).toBe('failed')
      // Named, unless it was lost again before it could be seen.
      const stillLeads = fake.partition(name).leader === broker
      if (leaders.length === 1 && stillLeads && lagMs === 0) expect(outcome.leader).toBe(broker)
    }
  }
}

test('what is told is true of the cluster', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (outage) => {
      const { fake, plan, report } = await recover(outage)
      for (const outcome of report.outcome) checkTruth(fake, plan, outcome, outage.lagMs)
    }),
    { numRuns: 600 * RUNS },
  )
})

function checkOrders(fake: FakeCluster, outage: Outage, report: RecoveryReport): void {
  for (const [name, original] of originals(outage)) {
    if (fake.othersChanged.has(name)) continue
    const left = report.ordersLeft.some((one) => partitionName(one) === name)
    if (left || report.openJournal !== null) continue
    expect(fake.partition(name).replicas, name).toEqual(original)
  }
}

test('every order is as before, or said to be left, or in a journal that stays open; also when late requests have come', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (outage) => {
      const { fake, report } = await recover(outage)
      checkOrders(fake, outage, report)
      fake.finishLate()
      checkOrders(fake, outage, report)
      for (const { code, topic, partition } of report.outcome) {
        if (code !== 'orderLeft') continue
        expect(report.ordersLeft.map(partitionName)).toContain(partitionName({ topic, partition }))
      }
    }),
    { numRuns: 600 * RUNS },
  )
})

test('an election that comes late finds the order that it was sent for', async () => {
  const lateElection = fc.record({ outage: anyOutage(1), call: fc.integer({ min: 9, max: 12 }) })
  await fc.assert(
    fc.asyncProperty(lateElection, async ({ outage, call }) => {
      const faults = new Map([...outage.faults, [call, { kind: 'late', ms: 60_000 } as const]])
      const { fake, plan, report } = await recover({ ...outage, faults, attempts: 0, designated: false })
      fake.finishLate()
      for (const outcome of report.outcome) {
        for (const { broker, by } of fake.leaders.get(partitionName(outcome)) ?? []) {
          if (by !== 'election' || outcome.result !== 'unknown') continue
          if (fake.othersChanged.has(partitionName(outcome))) continue
          const planned = plan.partitions.find((one) => partitionName(one) === partitionName(outcome))
          // An election in the order as it is has none of its own to find: a broker that returns may stand before ours.
          if (planned?.method !== 'reorder') continue
          if (fake.brokersUp.has(planned.designatedLeader)) expect(broker).toBe(planned.designatedLeader)
        }
      }
    }),
    { numRuns: 400 * RUNS },
  )
})

test('it ends, within minutes, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(anyOutage(25), async (outage) => {
      const { fake } = await recover(outage)
      expect(fake.clock.monotonicMs()).toBeLessThan(3 * 6 * 60_000)
      expect(fake.calls).toBeLessThan(2_000)
    }),
    { numRuns: 300 * RUNS },
  )
})

test('without faults every planned partition is elected, and every order is as before', async () => {
  await fc.assert(
    fc.asyncProperty(anyOutage(0), async (outage) => {
      const { fake, plan, report } = await recover(outage)
      for (const planned of plan.partitions) {
        expect(outcomeFor(report, partitionName(planned))).toMatchObject({
          result: 'elected',
          leader: planned.designatedLeader,
        })
      }
      for (const [name, original] of originals(outage)) expect(fake.partition(name).replicas).toEqual(original)
      expect(report.openJournal).toBeNull()
    }),
    { numRuns: 200 * RUNS },
  )
})
