import { writeFileSync } from 'node:fs'
import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { toldByJournals } from '../crash/journal-lines.js'
import { type CutMode, type CutPoint, cutPointsOf, Home, type Power } from '../crash/run-program.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { leaveTwoBehind } from './harness/diverge.js'

// Proves, on real brokers, with SIGKILL at ten points of an election run: the next start says so, nothing more is elected until restore has put every
// order back, nobody leads whom nobody chose, and a second run finishes the job. At every point, on the simulator: test/crash/kill.long.test.ts.

const PARTITIONS = 9
/** Broker 1 led last and is down, 2 has the best log, 3 stands before it in two of three. */
const ASSIGNMENT = Array.from(
  { length: PARTITIONS },
  (_, n) =>
    [
      [1, 3, 2],
      [3, 1, 2],
      [1, 2, 3],
    ][n % 3] ?? [],
)
const BEST = 2
/** Longer than a request without an answer may still be carried out: restore need not wait for it. */
const LATER: Power = { clockAheadMs: 80_000 }

interface Cut {
  readonly label: string
  readonly mode: CutMode
  /** Which of those with the same label, from 1. */
  readonly nth?: number
  /** {}: restore is started at once, and waits itself. */
  readonly restore?: Power
}

const CUTS: readonly Cut[] = [
  // Those whose restore has to wait begin first.
  { label: 'request reorder', mode: 'before', restore: {} },
  { label: 'request elect', mode: 'before', restore: {} },
  { label: 'request reorder', mode: 'sent', restore: {} },
  { label: 'request elect', mode: 'sent', restore: {} },
  { label: 'request reorder', mode: 'sent', nth: 2, restore: {} },
  { label: 'write journal opened', mode: 'torn' },
  { label: 'write journal about-to-reorder', mode: 'torn' },
  { label: 'request reorder', mode: 'answered' },
  { label: 'write journal about-to-elect', mode: 'torn' },
  { label: 'write journal put-back', mode: 'torn' },
]
const UNDISTURBED = 'undisturbed'
const topics = [UNDISTURBED, ...CUTS.map((_, n) => `cut-${n}`)]

const folder = ownFolder()
let kafka: TestCluster
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
  await leaveTwoBehind(
    kafka,
    topics.map((name) => ({ name, assignment: ASSIGNMENT })),
  )
})
afterAll(async () => {
  await kafka?.dispose()
})

async function planned(topic: string): Promise<{ readonly home: Home; readonly elect: readonly string[] }> {
  const home = new Home(folder.path(topic), ['--bootstrap-server', kafka.bootstrapServers])
  const file = folder.path(`${topic}.partitions.json`)
  const plan = folder.path(`${topic}.plan.json`)
  writeFileSync(file, JSON.stringify({ partitions: [{ topic, partitions: [...ASSIGNMENT.keys()] }] }))
  const ran = await home.run(['plan', '--path-to-json-file', file, '--output', plan])
  expect(ran.exit, ran.stderr).toBe(0)
  return { home, elect: ['elect', '--plan', plan, '--yes', '--json'] }
}

async function expectOrders(topic: string): Promise<void> {
  const views = await kafka.describe(topic)
  expect(views.map(({ replicas }) => replicas)).toEqual(ASSIGNMENT)
  for (const { leader } of views) expect([-1, BEST]).toContain(leader)
}

async function expectAllElected(topic: string): Promise<void> {
  await expectOrders(topic)
  expect((await kafka.describe(topic)).map(({ leader }) => leader)).toEqual(ASSIGNMENT.map(() => BEST))
}

function pointOf(steps: readonly string[], { label, mode, nth = 1 }: Cut): CutPoint {
  const found = cutPointsOf(steps).filter((point) => point.label === label && point.mode === mode)[nth - 1]
  if (found === undefined) throw new Error(`no ${label}, ${mode}, in ${steps.join()}`)
  return found
}

async function survive(topic: string, { step, label, mode }: CutPoint, restoring: Power): Promise<void> {
  const { home, elect } = await planned(topic)
  const killed = await home.run(elect, { cutAt: step, mode })
  expect([killed.signal, killed.steps.length, killed.steps.at(-1)], killed.stderr).toEqual(['SIGKILL', step, label])
  const { left, original } = toldByJournals(home.journals)
  for (const [name, order] of Object.entries(original))
    expect(order).toEqual(ASSIGNMENT[Number(name.split('-').at(-1))])

  const status = await home.run(['status'])
  expect(status.exit).toBe(0)
  if (left.size > 0) {
    expect(status.stderr).toMatch(/^warning: unfinished journal .*kafka-recovery restore/m)
    const refused = await home.run(elect)
    expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining('kafka-recovery restore')])
  }
  const restored = await home.run(['restore', '--yes', '--json'], restoring)
  expect(restored.exit, restored.stdout + restored.stderr).toBe(0)
  expect(JSON.parse(restored.stdout).left).toEqual([])
  await expectOrders(topic)

  const again = await home.run(elect)
  expect(again.exit, again.stdout + again.stderr).toBe(0)
  await expectAllElected(topic)
  expect(toldByJournals(home.journals).left).toEqual(new Set())
}

it('killed at ten points of a run: said, refused, restored, finished', async () => {
  const { home, elect } = await planned(UNDISTURBED)
  const ran = await home.run(elect, {})
  expect(ran.exit, ran.stdout + ran.stderr).toBe(0)
  await expectAllElected(UNDISTURBED)
  const atOnce = pLimit(3)
  const failures: string[] = []
  await Promise.all(
    CUTS.map((cut, n) =>
      atOnce(() =>
        survive(`cut-${n}`, pointOf(ran.steps, cut), cut.restore ?? LATER).catch((error: unknown) => {
          failures.push(`${cut.label}, ${cut.mode}: ${String(error).slice(0, 500)}`)
        }),
      ),
    ),
  )
  expect(failures).toEqual([])
})
