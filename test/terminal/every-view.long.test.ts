import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScreens } from '../../src/console/screens/all.js'
import type { ConsoleServices } from '../../src/console/services.js'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { calmNight } from './harness/calm-night.js'
import { expectRestored, type ShellJob } from './harness/shell-job.js'
import { moveTo, type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'

// Proves, in a real pty under a real shell: in whatever view the console is when SIGTERM comes, and whatever lies over it, the terminal is as it was before.

type Way = (job: ShellJob) => Promise<void>

const seen = new Set<string>()

/** Keys, then what must show before the next ones. */
const press =
  (...steps: readonly (readonly [string, string | RegExp])[]): Way =>
  async (job) => {
    for (const [keys, shows] of steps) {
      job.send(keys)
      await job.waitFor(shows)
    }
  }
const ways =
  (...all: readonly Way[]): Way =>
  async (job) => {
    for (const way of all) await way(job)
  }

async function endedBySigterm(job: ShellJob): Promise<void> {
  process.kill(job.jobPid(), 'SIGTERM')
  await job.waitFor('code=143')
  await expectRestored(job, 'kafka-recovery.js')
}

const groupB: Way = async (job) => {
  await job.waitFor(/ B .* 9\b/)
  await moveTo(job, /^> +B /)
  await press(['\r', /group B +1 of 9/])(job)
}
const planOfB: Way = ways(groupB, press(['p', 'Type "gone 1 2 3"'], ['gone 1 2 3\r', '9 to elect']))

const failedDir = press(['', '[2]Log dirs 1'], ['2', /^> +3 {2}\/data\/b +FAILED/m])
const failedDirRepair: Way = ways(failedDir, press(['\r', /What is known/]))

/** Where plans are edited. */
const editorFolders = ({ home }: SimulatedConsoles) => readdirSync(home).filter((name) => name.includes('-edit-'))

describe('a bad night', () => {
  let night: SimulatedConsoles
  beforeAll(async () => {
    const { events: _, ...still } = loadNamedScenario('night-shift')
    night = await simulatedConsoles(still)
  })
  afterAll(() => night.stop())

  const views: readonly [screen: string, Way][] = [
    ['partitions', press(['', 'ALARM, broker 6'])],
    ['group', groupB],
    ['topics', ways(groupB, press(['t', 'group B, by topic']))],
    ['compare', ways(groupB, press(['\r', 'IF THIS LEADS'], ['i', 'high watermark']))],
    ['alarm', press(['', 'ALARM, broker 6'], ['!', 'The alarm about broker 6 STANDS'])],
    ['log-dirs', press(['', '[2]Log dirs 1'], ['2', /\/data\/b +FAILED/])],
    ['dir', ways(failedDir, press(['o', 'offline because of 3 /data/b']))],
    ['repair', failedDirRepair],
    ['repair-text', ways(failedDirRepair, press(['gi', 'reports /data/b offline']))],
    ['repair-gate', ways(failedDirRepair, press(['G', 'elsewhere']))],
    ['repair-return', ways(failedDirRepair, press(['v', 'caught up']))],
    ['brokers', press(['3', /^> +\d {2}DOWN/m])],
    ['plan', ways(press(['4', 'Nothing is planned']), press(['1', 'WHAT CAN BE DONE']), planOfB)],
    ['planned', ways(planOfB, press(['\r', /of \d+, |Kafka alone would take/]))],
    ['activity', press(['', 'ALARM, broker 6'], ['5', 'ALARM: Broker 6'])],
  ]
  it.each(views)('%s', async (screen, way) => {
    const job = await night.openJob()
    await way(job)
    await endedBySigterm(job)
    seen.add(screen)
  })

  const overlays: readonly [string, Way][] = [
    ['help', press(['?', '── help '])],
    ['the palette', press([':', '── commands ──'], ['pla', '> '])],
    ['a filter', ways(groupB, press(['/ord', '/ord']))],
    ['a question with an expected text', ways(groupB, press(['p', 'Type "gone 1 2 3"'], ['gone 1', '>']))],
    ['a question for free text', ways(planOfB, press(['x', 'Path of the new plan file']))],
    [
      'a terminal that has become too small',
      async (job) => {
        job.resize(50, 10)
        await job.waitFor('Too small')
        // What bash shows afterwards needs its room again.
        job.resize(80, 24)
        await job.waitFor('WHAT CAN BE DONE')
      },
    ],
  ]
  it.each(overlays)('%s', async (_name, way) => {
    const job = await night.openJob()
    await way(job)
    await endedBySigterm(job)
  })

  it('an editor has the terminal: it is ended with the console', async () => {
    const editor = join(night.home, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\necho EDITING\nexec cat\n', { mode: 0o755 })
    const job = await night.openJob({ env: { EDITOR: editor, TMPDIR: night.home } })
    await ways(planOfB, press(['e', 'EDITING']))(job)
    expect(editorFolders(night)).toHaveLength(1)
    await endedBySigterm(job)
    // And its file is gone.
    expect(editorFolders(night)).toEqual([])
  })

  it('the list of saved clusters', async () => {
    const profiles = { here: { bootstrapServers: night.simulator.bootstrapServers, label: 'prod-eu' } }
    writeFileSync(join(night.home, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    const job = await night.openJob({ args: [], firstScreen: 'saved clusters' })
    await endedBySigterm(job)
  })
})

describe('a recovery', () => {
  const elect = async (night: SimulatedConsoles, job: ShellJob) => {
    const place = night.simulator.bootstrapServers.split(',')[0] ?? ''
    await job.waitFor(/ A .* 13\b/)
    await press(
      ['a', '13 to elect'],
      ['a', 'Type: accept internal 1'],
      ['accept internal 1\r', `Type: elect 13 ${place}`],
      [`elect 13 ${place}\r`, /elect +\[|13 elected/],
    )(job)
  }
  const slow = ({ simulator }: SimulatedConsoles, delayMs: number) => {
    for (const broker of [1, 2]) simulator.addFault({ broker, api: 'ElectLeaders', delayMs })
  }
  const withNight = async (work: (night: SimulatedConsoles) => Promise<void>) => {
    const night = await simulatedConsoles(calmNight())
    try {
      await work(night)
    } finally {
      await night.stop()
    }
  }

  it('under way: after its batch, with every assignment put back', () =>
    withNight(async (night) => {
      const before = night.assignments()
      const job = await night.openJob()
      // Long enough to be seen on a busy machine.
      slow(night, 5_000)
      await elect(night, job)
      await job.waitFor(/elect +\[/)
      await endedBySigterm(job)
      expect(night.assignments()).toEqual(before)
      expect(night.leaderOf('orders', 0)).toBe(2)
    }))

  it('reported', () =>
    withNight(async (night) => {
      const job = await night.openJob()
      await elect(night, job)
      await job.waitFor('Report:')
      await endedBySigterm(job)
      seen.add('report')
    }))

  it('interrupted, and to be restored', () =>
    withNight(async (night) => {
      const first = await night.openJob()
      slow(night, 60_000)
      await elect(night, first)
      await expect.poll(() => night.writes().map(({ api }) => api)).toContain('ElectLeaders')
      process.kill(first.jobPid(), 'SIGKILL')
      night.simulator.clearFaults()
      await first.waitFor('code=137')
      const job = await night.openJob()
      await job.waitFor('may have left 13 assignments re-ordered')
      await press(['R', /Restore: \d+ to put back/])(job)
      await endedBySigterm(job)
      seen.add('restore')
    }))
})

it('that was every view there is', () => {
  // A command's own screen needs a profile with commands: repair.test.ts ends the console on it.
  seen.add('repair-command')
  const all = createScreens({} as ConsoleServices).map(({ id }) => id)
  expect([...seen].sort()).toEqual([...all].sort())
})
