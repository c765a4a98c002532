import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type DiskFault, diskSteps, surviveFault } from './disk-fault.js'
import { startNight } from './night.js'
import { canMount, onSmallDisk } from './small-disk.js'
import { expectAllElected, PATIENT, undisturbed } from './survive.js'

// Proves, with the real program: a disk that fails before the first request refuses the run; one that fails in its middle stops it before the
// next request, and what was re-ordered is put back from memory. Every single step is in disk.long.test.ts.

const folder = ownFolder()
const PARTITIONS = 60
let plan = ''
let steps: readonly string[] = []
beforeAll(async () => {
  plan = folder.path('plan.json')
  steps = await undisturbed(PARTITIONS, plan)
}, 240_000)

test('the disk fails at some step', async () => {
  const anyFault: fc.Arbitrary<DiskFault> = fc
    .record({
      failFrom: fc.constantFrom(...diskSteps(steps)),
      once: fc.boolean(),
      code: fc.constantFrom('ENOSPC', 'EIO'),
    })
    .map(({ once, ...fault }) => ({ ...fault, failTo: once ? fault.failFrom : Number.MAX_SAFE_INTEGER }))
  for (const fault of fc.sample(anyFault, 1)) await surviveFault(PARTITIONS, plan, fault)
}, 240_000)

test.runIf(canMount())(
  'a real disk becomes full when the first orders are changed: no election is sent, and they are put back',
  async () => {
    await using night = await startNight(PARTITIONS, (write, { home, writes }) => {
      if (write.api !== 'AlterPartitionReassignments' || writes.length > 1) return
      const { bavail, bsize } = statfsSync(home.path)
      writeFileSync(join(home.path, 'filler'), Buffer.alloc(bavail * bsize))
    })
    const before = night.orders()
    const elect = ['elect', '--plan', plan, '--yes', ...PATIENT]
    await onSmallDisk(night.home, 'size=128k', async () => {
      mkdirSync(night.home.journals)
      const ran = await night.home.run(elect)
      expect(ran.exit, ran.stderr).toBe(1)
      expect(ran.stderr).toContain('ENOSPC')
      expect(night.writes.map(({ api }) => api)).not.toContain('ElectLeaders')
      expect(night.orders()).toEqual(before)
      rmSync(join(night.home.path, 'filler'))
      expect((await night.home.run(['restore', '--yes'], { clockAheadMs: 80_000 })).exit).toBe(0)
      expect((await night.home.run(elect)).exit).toBe(0)
    })
    expectAllElected(night, before)
  },
  120_000,
)
