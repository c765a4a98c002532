import { expect } from 'vitest'
import { toldByJournals } from './journal-lines.js'
import { BEST, startNight } from './night.js'
import { expectAllElected, expectNobodyElseLeads, PATIENT } from './survive.js'

/** Steps of a run, as power.mjs counts them, whose writing and syncing fails. */
export interface DiskFault {
  readonly failFrom: number
  /** `failFrom`: it fails once, and then the disk is well again. */
  readonly failTo: number
  readonly code: 'ENOSPC' | 'EIO'
}

/** The steps that the disk can fail in. */
export function diskSteps(steps: readonly string[]): number[] {
  return steps.flatMap((label, index) => (label.startsWith('request ') ? [] : [index + 1]))
}

/** Lets the disk fail in an election run, and looks at all that is promised of it. @returns the exit code of the run */
export async function surviveFault(partitions: number, plan: string, fault: DiskFault): Promise<number | null> {
  await using night = await startNight(partitions)
  const { home } = night
  const before = night.orders()
  const elect = ['elect', '--plan', plan, '--yes', '--json', ...PATIENT]
  const ran = await home.run(elect, fault)
  expect(ran.signal).toBeNull()
  expect([0, 1, 4]).toContain(ran.exit)

  const told = toldByJournals(home.journals)
  for (const { api, named } of night.writes) {
    const announced = api === 'ElectLeaders' ? told.announced.elect : told.announced.reorder
    expect(named.filter((name) => !announced.has(name))).toEqual([])
  }
  // Whatever could not be written down: the orders were put back from memory.
  expect(night.orders()).toEqual(before)
  expectNobodyElseLeads(night)
  if (ran.exit === 4) {
    expect(night.writes).toEqual([])
    expect(JSON.parse(ran.stdout).error.message).toMatch(
      new RegExp(`^cannot write the journal in .*: ${fault.code}.*nothing was sent; .*KAFKA_RECOVERY_HOME$`),
    )
  } else {
    const { outcome } = JSON.parse(ran.stdout)
    expect(outcome).toHaveLength(partitions)
    const leaders = night.leaders()
    for (const { topic, partition, result, leader } of outcome) {
      expect([result, leader]).toEqual(leaders[`${topic}-${partition}`] === BEST ? ['elected', BEST] : ['failed', null])
    }
    expect(ran.stderr).toMatch(/the journal .*could not be (written|closed)/)
    if (ran.exit === 0) expectAllElected(night, before)
  }

  // With a disk that is well: at most the journal is unfinished, and then a second run finishes the job.
  const sent = night.writes.length
  const restored = await home.run(['restore', '--yes', '--json'], { clockAheadMs: 80_000 })
  expect(restored.exit, restored.stdout + restored.stderr).toBe(0)
  expect(night.writes).toHaveLength(sent)
  const again = await home.run(elect)
  expect(again.exit, again.stderr).toBe(0)
  expectAllElected(night, before)
  expect((await home.run(['status'])).stderr).not.toContain('unfinished')
  return ran.exit
}
