import { beforeAll, expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type Night, startNight } from './night.js'
import { expectAllElected, PATIENT, undisturbed } from './survive.js'

// Proves, with real processes on the simulator: on one machine one of two writes at most, and the other names what holds it; from two machines
// what the other has done is found and told, and every order is as before in the end. Every interleaving: two-instances.property.test.ts.
// At the same instant, again and again: two-processes.long.test.ts.

const folder = ownFolder()
const PARTITIONS = 60

let plan = ''
beforeAll(async () => {
  plan = folder.path('plan.json')
  await undisturbed(PARTITIONS, plan)
}, 240_000)

const elect = () => ['elect', '--plan', plan, '--yes', '--json', ...PATIENT]

/** Elections are answered late, so that the first process is still alive when others come. */
function slowly({ simulator }: Night, delayMs: number): void {
  for (const broker of simulator.ports.keys()) simulator.addFault({ broker, api: 'ElectLeaders', delayMs })
}

test('on one machine, the first one at work: elect and restore are refused and name it, reading goes on; once it was killed, restore is named', async () => {
  await using night = await startNight(PARTITIONS)
  const { home } = night
  const before = night.orders()
  slowly(night, 600_000)
  const first = home.start(elect())
  await expect.poll(() => night.writes.at(-1)?.api).toBe('ElectLeaders')
  const sent = night.writes.length

  const holder = new RegExp(
    `another kafka-recovery \\(process ${first.child.pid}\\) is changing this cluster now: .*${home.journals}/.*journal`,
  )
  const second = await home.run(elect())
  expect([second.exit, JSON.parse(second.stdout).error.message]).toEqual([4, expect.stringMatching(holder)])
  const status = await home.run(['status'])
  expect(status.exit).toBe(0)
  expect(status.stderr).not.toContain('unfinished')
  // What a living process has changed is its own to put back.
  expect((await home.run(['restore', '--yes', '--json'])).stdout).toContain('"restored":[]')
  expect(night.writes).toHaveLength(sent)
  expect(night.orders()).not.toEqual(before)

  first.child.kill('SIGKILL')
  await first
  night.simulator.clearFaults()
  const third = await home.run(elect())
  expect([third.exit, third.stderr]).toEqual([4, expect.stringContaining('kafka-recovery restore')])
  expect((await home.run(['restore', '--yes'], { clockAheadMs: 80_000 })).exit).toBe(0)
  expect(night.orders()).toEqual(before)
  expect((await home.run(elect())).exit).toBe(0)
  expectAllElected(night, before)
}, 240_000)

test('from two machines at once: nobody overwrites the order of the other, what is not elected is told, and all orders are as before', async () => {
  await using night = await startNight(PARTITIONS)
  const before = night.orders()
  const other = night.otherHome('other')
  slowly(night, 2_000)
  const first = night.home.start(elect())
  await expect.poll(() => night.writes.length).toBeGreaterThan(0)
  const second = other.start(elect())
  for (const { exit, stdout, stderr } of await Promise.all([first, second])) {
    expect([0, 1]).toContain(exit)
    const { outcome } = JSON.parse(stdout)
    expect(outcome).toHaveLength(PARTITIONS)
    for (const { result, error } of outcome) {
      // Elected by either, or left alone because somebody else had re-ordered it: then it says so.
      if (result === 'elected' || result === 'alreadyHasLeader') continue
      expect(`${result}: ${error}`).toMatch(/^stale: .*someone else has re-ordered it/)
      expect(stderr).toContain('someone else')
    }
  }
  expectAllElected(night, before)
  for (const home of [night.home, other]) {
    const status = await home.run(['status'])
    expect([status.exit, status.stderr]).toEqual([0, expect.not.stringContaining('unfinished')])
  }
}, 240_000)
