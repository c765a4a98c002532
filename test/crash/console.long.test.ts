import { afterEach, describe, expect, it } from 'vitest'
import { calmNight } from '../terminal/harness/calm-night.js'
import type { ScreenProgram } from '../terminal/harness/screen-program.js'
import { type SimulatedConsoles, simulatedConsoles } from '../terminal/harness/simulated-console.js'
import { toldByJournals } from './journal-lines.js'
import { Home } from './run-program.js'

// Proves, in a real pty: a console that is killed in its middle, at each request that changes the cluster, leaves what `restore` on the command line
// puts back, and the next console as well; nobody leads whom nobody chose, and the journal holds nothing open after it.

const nights: SimulatedConsoles[] = []
afterEach(async () => {
  for (const night of nights.splice(0)) await night.stop()
})

const BEST = 2
const NEVER_MS = 600_000
const placeOf = ({ simulator }: SimulatedConsoles) => simulator.bootstrapServers.split(',')[0] ?? ''

function hold({ simulator }: SimulatedConsoles, api: string, delayMs = NEVER_MS): void {
  for (const broker of [1, 2]) simulator.addFault({ broker, api, delayMs })
}

async function begin(night: SimulatedConsoles): Promise<ScreenProgram> {
  const screen = await night.open()
  await screen.waitFor(/ A .* 13\b/)
  screen.send('a')
  await screen.waitFor('13 to elect')
  screen.send('a')
  await screen.waitFor('Type: accept internal 1')
  screen.send('accept internal 1\r')
  await screen.waitFor('Type: elect 13')
  screen.send(`elect 13 ${placeOf(night)}\r`)
  return screen
}

const written = (night: SimulatedConsoles) => night.writes().map(({ api }) => api)

/** Each lets it come to a request, which is carried out and never answered. */
const MIDDLES: Record<string, (night: SimulatedConsoles) => Promise<ScreenProgram>> = {
  're-order': async (night) => {
    hold(night, 'AlterPartitionReassignments')
    const screen = await begin(night)
    await expect.poll(() => written(night)).toEqual(['AlterPartitionReassignments'])
    return screen
  },
  elect: async (night) => {
    hold(night, 'ElectLeaders')
    const screen = await begin(night)
    await expect.poll(() => written(night)).toContain('ElectLeaders')
    return screen
  },
  'put back': async (night) => {
    // Long enough to hold the next request before it is sent.
    hold(night, 'ElectLeaders', 6_000)
    const screen = await begin(night)
    await expect.poll(() => written(night)).toContain('ElectLeaders')
    hold(night, 'AlterPartitionReassignments')
    await expect.poll(() => written(night).length).toBe(3)
    return screen
  },
}

/** A console killed there, with the assignments as they were before it. */
async function killedAt(middle: string) {
  const night = await simulatedConsoles(calmNight())
  nights.push(night)
  const before = night.assignments()
  const screen = await (MIDDLES[middle] as (typeof MIDDLES)[string])(night)
  screen.signal('SIGKILL')
  await screen.exited
  night.simulator.clearFaults()
  const home = new Home(night.home, ['--bootstrap-server', night.simulator.bootstrapServers])
  const left = toldByJournals(home.journals).left.size
  expect(left).toBe(13)
  return { night, before, home }
}

function expectAsBefore(
  night: SimulatedConsoles,
  before: SimulatedConsoles['assignments'] extends () => infer T ? T : never,
): void {
  expect(night.assignments()).toEqual(before)
  for (let partition = 0; partition < 12; partition += 1) {
    expect([-1, BEST]).toContain(night.leaderOf('orders', partition))
  }
}

describe.each(Object.keys(MIDDLES))('killed at %s', (middle) => {
  it('restored by command line', async () => {
    const { night, before, home } = await killedAt(middle)
    const status = await home.run(['status'])
    expect([status.exit, status.stderr]).toEqual([0, expect.stringContaining('13 assignments may be re-ordered')])
    const restored = await home.run(['restore', '--yes', '--json'], { clockAheadMs: 80_000 })
    expect(restored.exit, restored.stderr).toBe(0)
    expectAsBefore(night, before)
    expect(toldByJournals(home.journals).left).toEqual(new Set())
    const next = await night.open({ firstScreen: null })
    await next.waitFor((lines) => /nothing is offline|OFFLINE of|no partition is offline/i.test(lines.join('\n')))
    expect(next.text()).not.toContain('may have left')
  })

  it('restored by the next console', async () => {
    const { night, before, home } = await killedAt(middle)
    const next = await night.open({ firstScreen: null })
    await next.waitFor('may have left 13 assignments re-ordered')
    next.send('R')
    await next.waitFor(/Restore: \d+ to put back/)
    const number = /Restore: (\d+) to put back/.exec(next.text())?.[1] ?? ''
    next.send('a')
    if (number !== '0') {
      await next.waitFor(`Type: restore ${number}`)
      next.send(`restore ${number} ${placeOf(night)}\r`)
    }
    await next.waitFor(`Restore: ${number} put back`)
    expectAsBefore(night, before)
    expect(toldByJournals(home.journals).left).toEqual(new Set())
    await next.waitFor((lines) => !lines.join('\n').includes('may have left'))
  })
})
