import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type DiskFault, diskSteps, surviveFault } from './disk-fault.js'
import { startNight } from './night.js'
import { canMount, onSmallDisk } from './small-disk.js'
import { expectAllElected, PATIENT, undisturbed } from './survive.js'

// Proves, with the real program: at every single step of an election run in which the disk can fail, once or for good, nothing is sent that is
// not written down, and what was re-ordered is put back.

const folder = ownFolder()
const PARTITIONS = 60

test('the disk fails at every step, once and for good', async () => {
  const plan = folder.path('plan.json')
  const steps = diskSteps(await undisturbed(PARTITIONS, plan))
  const faults = steps.flatMap((step): DiskFault[] => [
    { failFrom: step, failTo: step, code: 'EIO' },
    { failFrom: step, failTo: Number.MAX_SAFE_INTEGER, code: 'ENOSPC' },
  ])
  const atOnce = pLimit(2)
  const failures: string[] = []
  const exits = await Promise.all(
    faults.map((fault) =>
      atOnce(() =>
        surviveFault(PARTITIONS, plan, fault).catch((error: unknown) => {
          failures.push(`${JSON.stringify(fault)}: ${String(error).slice(0, 400)}`)
          return null
        }),
      ),
    ),
  )
  process.stdout.write(
    `${faults.length} faults: ${[0, 1, 4].map((exit) => exits.filter((one) => one === exit).length).join(', ')} with exit 0, 1, 4\n`,
  )
  expect(failures).toEqual([])
}, 1_500_000)

test.runIf(canMount()).each([
  ['too small for the journal', 'size=32k', 'ENOSPC'],
  ['read-only', 'ro', 'EROFS'],
])('a real disk that is %s: refused before the first request; reading goes on', async (_, options, code) => {
  const plan = folder.path(`${code}.json`)
  await undisturbed(PARTITIONS, plan)
  await using night = await startNight(PARTITIONS)
  const elect = ['elect', '--plan', plan, '--yes', ...PATIENT]
  await onSmallDisk(night.home, options, async () => {
    const refused = await night.home.run(elect)
    expect(refused.exit, refused.stderr).toBe(4)
    expect(refused.stderr).toMatch(new RegExp(`${code}.*nothing was sent.*KAFKA_RECOVERY_HOME$`, 'm'))
    expect(night.writes).toEqual([])
    expect((await night.home.run(['status'])).exit).toBe(0)
  })
  const before = night.orders()
  expect((await night.home.run(elect)).exit).toBe(0)
  expectAllElected(night, before)
})
