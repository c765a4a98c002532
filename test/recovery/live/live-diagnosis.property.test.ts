import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partitionName } from '../../../src/cluster/snapshot.js'
import type { Diagnosis } from '../../../src/recovery/diagnosis/diagnosis.js'
import { makePlan } from '../../../src/recovery/planning/make-plan.js'
import { startAdvice } from '../../../src/recovery/returns/start-advice.js'
import { settled, WatchedNight } from './watched-night.js'

type Happening = (night: WatchedNight) => void

const NAMES = ['a-0', 'a-1', 'b-0', '__consumer_offsets-3']
const BROKERS = [1, 2, 9]
const broker = fc.constantFrom(...BROKERS)
const name = fc.constantFrom(...NAMES)
const end = fc.constantFrom(0, 50, 90, 100)

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(broker, fc.constantFrom('up', 'down', 'fenced' as const)).map(
    ([id, state]): Happening =>
      (night) =>
        void night.brokers.set(id, state),
  ),
  fc.tuple(name, fc.option(broker)).map(
    ([partition, leader]): Happening =>
      (night) => {
        if (night.partitions.has(partition)) night.alter(partition, { leader })
      },
  ),
  fc.tuple(name, fc.subarray(BROKERS), fc.subarray(BROKERS), fc.subarray(BROKERS, { maxLength: 1 })).map(
    ([partition, isr, elr, lastKnownElr]): Happening =>
      (night) => {
        if (night.partitions.has(partition)) night.alter(partition, { isr, elr, lastKnownElr })
      },
  ),
  fc.tuple(name, fc.tuple(end, end, end)).map(
    ([partition, [one, two, nine]]): Happening =>
      (night) =>
        void night.add(partition.replace(/-\d+$/, ''), Number(partition.at(-1)), { 1: one, 2: two, 9: nine }),
  ),
  name.map(
    (partition): Happening =>
      (night) =>
        void night.partitions.delete(partition),
  ),
  name.map(
    (partition): Happening =>
      (night) => {
        if (!night.reassigning.delete(partition)) night.reassigning.add(partition)
      },
  ),
  fc.boolean().map(
    (full): Happening =>
      (night) =>
        night.show(full),
  ),
  fc.constant<Happening>((night) => {
    night.clock.pass(30_000)
    night.show(true)
  }),
)
const turns = fc.array(fc.tuple(happening, fc.nat(3)), { maxLength: 25 })

/** What must hold of every diagnosis that is ever published. */
function checkItself(diagnosis: Diagnosis): void {
  const { partitions, groups, plan, overview, progress } = diagnosis
  expect(partitions.filter(({ state }) => state.leader !== null)).toEqual([])
  const grouped = groups.flatMap((group) => group.partitions)
  expect(grouped.map(partitionName).sort()).toEqual(partitions.map(partitionName).sort())
  expect(new Set(grouped).size).toBe(partitions.length)
  for (const group of groups) for (const one of group.partitions) expect(one.group).toBe(group.id)
  expect(plan.partitions.length + plan.skipped.length + progress.notRead).toBe(partitions.length)
  expect(overview.offline).toBe(partitions.length)
  const planned = plan.partitions.reduce((sum, { loss }) => sum + loss.atLeast, 0)
  expect(groups.reduce((sum, { loss }) => sum + (loss?.atLeast ?? 0), 0)).toBe(planned)
  const openA = plan.partitions.some(({ loss }) => loss.known === null)
  expect(groups.some(({ loss }) => loss?.open)).toBe(openA)
}

describe('whatever happens', () => {
  it('every diagnosis is right in itself, and the last one is as if made from nothing', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (happenings) => {
        const night = new WatchedNight({ 1: 'up', 2: 'up', 9: 'down' }).add('a', 0, { 1: 100, 2: 90, 9: 100 })
        const live = night.diagnose()
        live.subscribe(() => checkItself(live.current()!))
        night.show()
        for (const [happen, pause] of happenings) {
          happen(night)
          for (let turn = 0; turn < pause; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        }
        await live.readNow()
        await settled(() => live.current()?.progress.reading === null)
        live.stop()

        const diagnosis = live.current()!
        const snapshot = night.snapshot()
        const offline = snapshot.partitions.filter(({ leader }) => leader === null)
        const evidences = offline.map((state) => night.evidenceOf(state))
        const { context } = diagnosis
        expect([...context.brokers]).toEqual(snapshot.brokers.map(({ id, state }) => [id, state]))
        for (const key of offline.map(partitionName)) {
          expect(context.reassigning.has(key), key).toBe(night.reassigning.has(key))
        }
        const { planId, createdAt } = diagnosis.plan
        const fresh = makePlan({
          clusterId: 'night',
          evidences,
          skippedAlready: [],
          context,
          now: createdAt,
          planId,
        })
        expect(JSON.parse(timeless(diagnosis.plan))).toEqual(JSON.parse(timeless(fresh)))
        if (diagnosis.overview.advice.kind === 'start') {
          const lines = diagnosis.overview.advice.lines
          expect(lines.map(({ advice }) => advice)).toEqual(startAdvice(evidences, context))
        }
        expect(night.mostReadsUnderWay).toBeLessThanOrEqual(1)
      }),
      { numRuns: 150 },
    )
  })
})

function timeless(plan: Diagnosis['plan']): string {
  return JSON.stringify(plan, (key, value: unknown) => (key === 'readAt' ? undefined : value))
}
