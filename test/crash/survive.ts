import { expect, vi } from 'vitest'
import { filesIn, toldByJournals } from './journal-lines.js'
import { BEST, type Night, startNight } from './night.js'
import type { CutPoint, Power } from './run-program.js'

/** Longer than a request that had no answer may still be carried out: restore need not wait for it. */
const LATER = { clockAheadMs: 80_000 }

/** A busy machine is no reason to fail. */
export const PATIENT = ['--recovery-duration-ms', '120000']

/** The steps of a run that nothing disturbs. Its plan stays in the file `plan`, and is good for every night of this size. */
export async function undisturbed(partitions: number, plan: string): Promise<readonly string[]> {
  await using night = await startNight(partitions)
  const before = night.orders()
  const planned = await night.home.run(['plan', '--all-offline-partitions', '--output', plan, ...PATIENT])
  expect(planned.exit, planned.stderr).toBe(0)
  const ran = await night.home.run(['elect', '--plan', plan, '--yes', ...PATIENT], {})
  expect(ran.exit, ran.stderr).toBe(0)
  expectAllElected(night, before)
  expect(ran.steps.filter((label) => label.startsWith('request ')).length).toBe(night.writes.length)
  return ran.steps
}

/**
 * Kills the program at this point of an election run, and looks at all that is promised of what follows. `later`: restore is
 * started when nothing can come any more, else at once, and it waits itself.
 */
export async function surviveCut(
  partitions: number,
  plan: string,
  { step, label, mode }: CutPoint,
  later: Power = LATER,
): Promise<void> {
  await using night = await startNight(partitions)
  const { home } = night
  const before = night.orders()
  const elect = ['elect', '--plan', plan, '--yes', '--json', ...PATIENT]
  const killed = await home.run(elect, { cutAt: step, mode })
  expect(killed.signal, killed.stderr).toBe('SIGKILL')
  // The run came to the very step that was meant.
  expect([killed.steps.length, killed.steps.at(-1)]).toEqual([step, label])
  await requestsOfTheDead(night, killed.steps, mode)

  const told = toldByJournals(home.journals)
  expectJournalledBeforeSent(night, told)
  for (const [name, order] of Object.entries(told.original)) expect(order).toEqual(before[name])
  expectNobodyElseLeads(night)

  // Reading goes on, and says what was left.
  const status = await home.run(['status'])
  expect(status.exit).toBe(0)
  if (told.left.size === 0) expect(status.stderr).not.toContain('unfinished journal')
  else expect(status.stderr).toMatch(/^warning: unfinished journal .*kafka-recovery restore/m)

  const sent = night.writes.length
  if (told.left.size > 0) {
    const refused = await home.run(elect)
    expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining('kafka-recovery restore')])
    expect(night.writes).toHaveLength(sent)
  }

  const restored = await home.run(['restore', '--yes', '--json'], later)
  expect(restored.exit, restored.stdout + restored.stderr).toBe(0)
  const { restored: back, inPlace, left } = JSON.parse(restored.stdout)
  expect(left).toEqual([])
  expect(back.length + inPlace.length).toBe(told.left.size)
  expect(night.orders()).toEqual(before)
  expectNobodyElseLeads(night)
  // It puts orders back, and elects nobody.
  expect(night.writes.slice(sent).map(({ api }) => api)).not.toContain('ElectLeaders')
  expect(toldByJournals(home.journals).left).toEqual(new Set())

  const again = await home.run(elect)
  expect(again.exit, again.stderr).toBe(0)
  expectAllElected(night, before)
  expect((await home.run(['status'])).stderr).not.toContain('unfinished')
  expectNothingLitters(filesIn(home.journals))
}

/** An election run that was killed when it had sent its first election, in a night that is for the caller to end. */
export async function killedElecting(partitions: number, plan: string, steps: readonly string[]): Promise<Night> {
  const night = await startNight(partitions)
  try {
    const cutAt = steps.indexOf('request elect') + 1
    const killed = await night.home.run(['elect', '--plan', plan, '--yes', ...PATIENT], { cutAt, mode: 'sent' })
    expect([killed.signal, killed.steps.at(-1)], killed.stderr).toEqual(['SIGKILL', 'request elect'])
    await vi.waitFor(() => expect(Object.keys(night.leaders())).toHaveLength(partitions), 30_000)
    return night
  } catch (error) {
    await night[Symbol.asyncDispose]()
    throw error
  }
}

/** The steps of a restore that nothing disturbs, after a run that was killed as it elected. */
export async function undisturbedRestore(
  partitions: number,
  plan: string,
  steps: readonly string[],
): Promise<readonly string[]> {
  await using night = await killedElecting(partitions, plan, steps)
  const restored = await night.home.run(['restore', '--yes'], LATER)
  expect(restored.exit, restored.stderr).toBe(0)
  return restored.steps
}

/** Kills restore itself at this point: what it has left is restored by the next one. */
export async function surviveCutInRestore(
  partitions: number,
  plan: string,
  steps: readonly string[],
  { step, label, mode }: CutPoint,
): Promise<void> {
  await using night = await killedElecting(partitions, plan, steps)
  const { home } = night
  const killed = await home.run(['restore', '--yes'], { ...LATER, cutAt: step, mode })
  expect([killed.signal, killed.steps.length, killed.steps.at(-1)], killed.stderr).toEqual(['SIGKILL', step, label])
  const { left, original } = toldByJournals(home.journals)
  const restored = await home.run(['restore', '--yes', '--json'], { clockAheadMs: 160_000 })
  expect(restored.exit, restored.stdout + restored.stderr).toBe(0)
  const { restored: back, inPlace } = JSON.parse(restored.stdout)
  expect(back.length + inPlace.length).toBe(left.size)
  for (const [name, order] of Object.entries(original)) expect(night.orders()[name]).toEqual(order)
  expectNobodyElseLeads(night)
  const status = await home.run(['status'])
  expect([status.exit, status.stderr]).toEqual([0, expect.not.stringContaining('unfinished')])
}

/** Until the cluster has got what left the process before it died. */
async function requestsOfTheDead(night: Night, steps: readonly string[], mode: CutPoint['mode']): Promise<void> {
  const requests = steps.filter((label) => label.startsWith('request ')).length
  const diedBefore = steps.at(-1)?.startsWith('request ') === true && mode === 'before'
  await expect.poll(() => night.writes.length).toBe(requests - (diedBefore ? 1 : 0))
}

function expectJournalledBeforeSent(night: Night, { announced }: ReturnType<typeof toldByJournals>): void {
  for (const { api, named } of night.writes) {
    const told = api === 'ElectLeaders' ? announced.elect : announced.reorder
    expect(named.filter((name) => !told.has(name))).toEqual([])
  }
}

export function expectNobodyElseLeads(night: Night): void {
  expect(new Set(Object.values(night.leaders()))).toEqual(
    Object.keys(night.leaders()).length > 0 ? new Set([BEST]) : new Set(),
  )
}

export function expectAllElected(night: Night, before: Night['orders'] extends () => infer T ? T : never): void {
  expect(night.leaders()).toEqual(Object.fromEntries(Object.keys(before).map((name) => [name, BEST])))
  expect(night.orders()).toEqual(before)
}

/** No file stays for good but closed journals, and one that a death left before anything was written down in it. */
function expectNothingLitters(files: readonly string[]): void {
  expect(files.filter((name) => !/\.(journal|closed)\.jsonl$/.test(name))).toEqual([])
}
