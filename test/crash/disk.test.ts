import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type DiskFault, diskSteps, surviveFault } from './disk-fault.js'
import { type Night, startNight } from './night.js'
import { expectAllElected, PATIENT, undisturbed } from './survive.js'

// Proves, with the real program: a disk that fails before the first request refuses the run; one that fails in its middle stops it before the
// next request, and what was re-ordered is put back from memory. Every single step is in disk.long.test.ts.

const folder = ownFolder()
const PARTITIONS = 60

test('the disk fails at some steps', async () => {
  const plan = folder.path('plan.json')
  const steps = diskSteps(await undisturbed(PARTITIONS, plan))
  const anyFault: fc.Arbitrary<DiskFault> = fc
    .record({ failFrom: fc.constantFrom(...steps), once: fc.boolean(), code: fc.constantFrom('ENOSPC', 'EIO') })
    .map(({ once, ...fault }) => ({ ...fault, failTo: once ? fault.failFrom : Number.MAX_SAFE_INTEGER }))
  for (const fault of fc.sample(anyFault, 2)) await surviveFault(PARTITIONS, plan, fault)
}, 120_000)

const root = process.platform === 'linux' && process.getuid?.() === 0

/** A file system of this test's own in the place of the state folder. */
async function onSmallDisk(night: Night, options: string, act: () => Promise<void>): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', night.home.path])
  try {
    await act()
  } finally {
    execFileSync('umount', [night.home.path])
  }
}

describe.runIf(root && canMount())('a real file system', () => {
  const elect = (night: Night, plan: string) => night.home.run(['elect', '--plan', plan, '--yes', ...PATIENT])

  test.each([
    ['too small for the journal', 'size=32k', 'ENOSPC'],
    ['read-only', 'ro', 'EROFS'],
  ])('%s: refused before the first request; reading goes on', async (_, options, code) => {
    const plan = folder.path(`${code}.json`)
    await undisturbed(PARTITIONS, plan)
    await using night = await startNight(PARTITIONS)
    await onSmallDisk(night, options, async () => {
      const refused = await elect(night, plan)
      expect(refused.exit, refused.stderr).toBe(4)
      expect(refused.stderr).toMatch(new RegExp(`${code}.*nothing was sent.*KAFKA_RECOVERY_HOME$`, 'm'))
      expect(night.writes).toEqual([])
      expect((await night.home.run(['status'])).exit).toBe(0)
    })
    const before = night.orders()
    expect((await elect(night, plan)).exit).toBe(0)
    expectAllElected(night, before)
  })

  test('it becomes full when the first orders are changed: no election is sent, and they are put back', async () => {
    const plan = folder.path('fills.json')
    await undisturbed(PARTITIONS, plan)
    await using night = await startNight(PARTITIONS, (write, { home, writes }) => {
      if (write.api !== 'AlterPartitionReassignments' || writes.length > 1) return
      const { bavail, bsize } = statfsSync(home.path)
      writeFileSync(join(home.path, 'filler'), Buffer.alloc(bavail * bsize))
    })
    const before = night.orders()
    await onSmallDisk(night, 'size=128k', async () => {
      mkdirSync(night.home.journals)
      const ran = await elect(night, plan)
      expect(ran.exit, ran.stderr).toBe(1)
      expect(ran.stderr).toContain('ENOSPC')
      expect(night.orders()).toEqual(before)
      rmSync(join(night.home.path, 'filler'))
      expect((await night.home.run(['restore', '--yes'], { clockAheadMs: 80_000 })).exit).toBe(0)
      expect((await elect(night, plan)).exit).toBe(0)
    })
    expectAllElected(night, before)
  })
})

function canMount(): boolean {
  const place = '/tmp/crash-test-mount'
  try {
    mkdirSync(place, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync('umount', [place], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
