import pLimit from 'p-limit'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type CutPoint, cutPointsOf } from './run-program.js'
import { surviveCut, surviveCutInRestore, undisturbed, undisturbedRestore } from './survive.js'

// Proves, with the real program and SIGKILL at every single step of an election run: whatever it had come to, the next start says so,
// nothing more is elected until restore has put every order back, nobody leads whom nobody chose, and a second run finishes the job.

const folder = ownFolder()
/** Two cores. */
const atOnce = pLimit(2)

async function surviveAll(points: readonly CutPoint[], survive: (point: CutPoint) => Promise<void>): Promise<void> {
  const failures: string[] = []
  await Promise.all(
    points.map((point) =>
      atOnce(() =>
        survive(point).catch((error: unknown) => {
          failures.push(
            `${point.step} ${point.label}, ${point.mode}: ${error instanceof Error ? error.message : error}`,
          )
        }),
      ),
    ),
  )
  expect(failures).toEqual([])
}

describe.each([
  ['one batch', 240, () => true],
  // The first batch is as above: what is new is that one is over when the next is cut.
  [
    'the second batch of two',
    1_040,
    ({ step }: CutPoint, _: number, all: readonly CutPoint[]) => step > secondBatch(all),
  ],
] as const)('%s', (name, partitions, chosen) => {
  test(`killed at every step, ${partitions} partitions`, async () => {
    const plan = folder.path(`${name}.json`)
    const points = cutPointsOf(await undisturbed(partitions, plan)).filter(chosen)
    process.stdout.write(`${name}: ${points.length} cut points\n`)
    await surviveAll(points, (point) => surviveCut(partitions, plan, point))
  }, 1_500_000)
})

/** The step before which the first batch was over. */
function secondBatch(points: readonly CutPoint[]): number {
  const reorderings = points.filter(
    ({ label, mode }) => label === 'write journal about-to-reorder' && mode === 'before',
  )
  return (reorderings[1]?.step ?? Number.POSITIVE_INFINITY) - 1
}

test('restored at once, it waits itself until what had no answer can no longer be carried out', async () => {
  const plan = folder.path('at-once.json')
  const points = cutPointsOf(await undisturbed(60, plan))
  // Here the original order stands, or no leader shows, and the request that was announced may have left.
  const unsure = points.filter(({ label, mode }) => mode === 'before' && label.startsWith('request '))
  expect(unsure.map(({ label }) => label)).toEqual(['request reorder', 'request elect', 'request reorder'])
  await Promise.all(unsure.map((point) => surviveCut(60, plan, point, {})))
}, 300_000)

test('restore itself killed at every step: the next one puts back what it has left', async () => {
  const plan = folder.path('restore.json')
  const steps = await undisturbed(60, plan)
  const points = cutPointsOf(await undisturbedRestore(60, plan, steps))
  process.stdout.write(`restore: ${points.length} cut points\n`)
  await surviveAll(points, (point) => surviveCutInRestore(60, plan, steps, point))
}, 1_500_000)
