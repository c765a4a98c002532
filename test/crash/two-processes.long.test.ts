import { expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { startNight } from './night.js'
import { expectAllElected, PATIENT, undisturbed } from './survive.js'

// Proves, with real processes on the simulator: of some that start at the same instant on one machine one writes at most.

const folder = ownFolder()
const PARTITIONS = 60
const TIMES = 10

/** Each result once. */
function resultsIn(stdout: string): string[] {
  const { outcome }: { readonly outcome: readonly { readonly result: string }[] } = JSON.parse(stdout)
  return [...new Set(outcome.map(({ result }) => result))]
}

test('three at the same instant, ten times: one at most writes, the others are refused with nothing sent', async () => {
  const plan = folder.path('plan.json')
  await undisturbed(PARTITIONS, plan)
  const elect = ['elect', '--plan', plan, '--yes', '--json', ...PATIENT]
  const wrote: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await using night = await startNight(PARTITIONS)
    const before = night.orders()
    // The first one is still at work when the last one comes.
    for (const broker of night.simulator.ports.keys())
      night.simulator.addFault({ broker, api: 'ElectLeaders', delayMs: 3_000 })
    const all = await Promise.all([1, 2, 3].map(() => night.home.start(elect)))
    for (const { exit, stdout } of all) {
      if (exit === 4) expect(JSON.parse(stdout).error.message).toMatch(/another kafka-recovery \(process \d+\)/)
    }
    // On a busy machine one may come when the first is done: it finds that all have a leader, and sends nothing.
    const results = all.flatMap(({ exit, stdout }) => (exit === 4 ? [] : [resultsIn(stdout)]))
    for (const one of results) expect([['elected'], ['alreadyHasLeader']]).toContainEqual(one)
    const elected = results.filter(([result]) => result === 'elected').length
    wrote.push(elected)
    expect(elected).toBeLessThanOrEqual(1)
    expect(night.writes.filter(({ api }) => api === 'ElectLeaders')).toHaveLength(elected)
    expect(night.orders()).toEqual(before)
    // Whoever gave way stands in nobody's way.
    night.simulator.clearFaults()
    expect((await night.home.run(elect)).exit).toBe(0)
    expectAllElected(night, before)
  }
  process.stdout.write(`of three at once, so many wrote: ${wrote.join(', ')}\n`)
}, 600_000)
