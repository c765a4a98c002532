import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { calmNight } from './harness/calm-night.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'

// Proves, in a real pty against a simulated cluster: whatever ends a recovery in its middle, no assignment stays re-ordered and the terminal is as before.

const nights: SimulatedConsoles[] = []
afterEach(async () => {
  for (const night of nights.splice(0)) await night.stop()
})

async function night(orders = 12): Promise<SimulatedConsoles> {
  const started = await simulatedConsoles(calmNight({ orders }))
  nights.push(started)
  return started
}

const placeOf = ({ simulator }: SimulatedConsoles) => simulator.bootstrapServers.split(',')[0] ?? ''

/** Elections take long enough to be interrupted in; waits until one is on its way. */
async function electing(started: SimulatedConsoles, delayMs = 1_500, many = 13): Promise<ScreenProgram> {
  const screen = await started.open()
  const shown = many.toLocaleString('en-US')
  for (const broker of [1, 2]) started.simulator.addFault({ broker, api: 'ElectLeaders', delayMs })
  await screen.waitFor(new RegExp(` A .* ${shown}\\b`))
  screen.send('a')
  await screen.waitFor(`${shown} to elect`)
  screen.send('a')
  await screen.waitFor('Type: accept internal 1')
  screen.send('accept internal 1\r')
  await screen.waitFor(`Type: elect ${many}`)
  screen.send(`elect ${many} ${placeOf(started)}\r`)
  await screen.waitFor(/elect +\[/)
  await expect.poll(() => started.writes().map(({ api }) => api)).toContain('ElectLeaders')
  return screen
}

describe('a recovery under way', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s: the batch is finished and put back, then it leaves with %i', async (signal, exit) => {
    const started = await night()
    const before = started.assignments()
    const screen = await electing(started)
    screen.signal(signal)
    await screen.waitFor(/Stopping: SIG/)
    screen.signal(signal)
    await screen.waitFor('still waiting')
    expect((await screen.exited).code).toBe(exit)
    expect(started.assignments()).toEqual(before)
    expect(started.leaderOf('orders', 0)).toBe(2)
    expect(screen.state).toMatchObject({ alternateScreen: false, cursorVisible: true, bracketedPaste: false })
    await screen.waitFor((lines) => lines.join('\n').includes('13 elected'))
  })

  it('ctrl-c stops after the batch, more of them only say what is waited for, ctrl-z is refused, and the report comes', async () => {
    const started = await night()
    const before = started.assignments()
    const screen = await electing(started)
    screen.send('\x1a')
    await screen.waitFor('A batch is under way: ctrl-c ends')
    screen.send('\x03')
    await screen.waitFor('Stopping: ctrl-c')
    screen.send('\x03')
    await screen.waitFor('still waiting')
    await screen.waitFor('Report:')
    await screen.waitFor('13 elected')
    expect(started.assignments()).toEqual(before)
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })

  it('in batches: the bar tells which, ctrl-c leaves the later ones untouched, and what is left can be planned again', async () => {
    const started = await night(1_039)
    const before = started.assignments()
    const screen = await electing(started, 1_500, 1_040)
    await screen.waitFor(/batch 1 of 2: elect +\[█/)
    await screen.waitFor(/ELECTING: batch 1 of 2: elect, 0 of 1,040/)
    screen.send('\x03')
    await screen.waitFor('Stopping: ctrl-c')
    await screen.waitFor('Report:')
    await screen.waitFor('1,000 elected')
    await screen.waitFor('40 notAttempted')
    expect(started.assignments()).toEqual(before)
    const named = started.writes().flatMap(({ named }) => named ?? [])
    expect(new Set(named).size).toBe(1_000)

    started.simulator.clearFaults()
    screen.send('r')
    await screen.waitFor('Plan for 40 partitions without a leader after the last run')
    await screen.waitFor('40 to elect')
    screen.send('a')
    await screen.waitFor('Type: elect 40')
    screen.send(`elect 40 ${placeOf(started)}\r`)
    await screen.waitFor('40 elected')
    expect(started.assignments()).toEqual(before)
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
  })

  it('q asks, and leaves after the batch', async () => {
    const started = await night()
    const before = started.assignments()
    const screen = await electing(started)
    screen.send('q')
    await screen.waitFor('Leave after its batch?')
    screen.send('\x1b')
    await screen.waitFor((lines) => !lines.join('\n').includes('Leave after its batch?'))
    screen.send('q')
    await screen.waitFor('Leave after its batch?')
    screen.send('y\r')
    expect((await screen.exited).code).toBe(0)
    expect(started.assignments()).toEqual(before)
  })

  it('that loses the cluster after the re-ordering: the same console says what was left, and puts it back', async () => {
    const started = await night()
    const before = started.assignments()
    const screen = await electing(started, 2_000)
    for (const broker of [1, 2]) await started.simulator.apply({ brokerDown: broker })
    await screen.waitFor('13 unknown')
    started.simulator.clearFaults()
    for (const broker of [1, 2]) await started.simulator.apply({ brokerUp: broker })
    expect(started.assignments()).not.toEqual(before)
    await screen.waitFor('may have left 13 assignments re-ordered')
    screen.send('R')
    await screen.waitFor('Restore: 13 to put back')
    screen.send('a')
    const text = `restore 13 ${placeOf(started)}`
    await screen.waitFor(`Type: ${text}`)
    screen.send(`${text}\r`)
    await screen.waitFor((lines) => !lines.join('\n').includes('may have left'))
    expect(started.assignments()).toEqual(before)
  })

  it('killed in its middle: the next console says so, refuses to elect, and puts back what was left', async () => {
    const started = await night()
    const before = started.assignments()
    const screen = await electing(started, 60_000)
    screen.signal('SIGKILL')
    await screen.exited
    started.simulator.clearFaults()
    expect(started.assignments()).not.toEqual(before)

    const next = await started.open()
    await next.waitFor('may have left 13 assignments re-ordered')
    next.send('R')
    await next.waitFor(/Restore: \d+ to put back/)
    const writes = started.writes().length
    next.send('a')
    await next.waitFor('Type: restore 13')
    expect(started.writes()).toHaveLength(writes)
    next.send(`restore 13 ${placeOf(started)}\r`)
    await next.waitFor('Restore: 13 put back')
    expect(started.assignments()).toEqual(before)
    await next.waitFor((lines) => !lines.join('\n').includes('may have left'))
  })
})

describe('saved clusters', () => {
  const save = (started: SimulatedConsoles, profiles: object) =>
    writeFileSync(join(started.home, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })

  it('are offered when none is named; one that cannot be reached leads back to the list, read-only holds', async () => {
    const started = await night()
    mkdirSync(started.home, { recursive: true })
    save(started, {
      away: { bootstrapServers: '127.0.0.1:1', label: 'far away' },
      here: { bootstrapServers: started.simulator.bootstrapServers, label: 'prod-eu', colour: 'red', readOnly: true },
    })
    const screen = await started.open({ args: [], firstScreen: 'saved clusters' })
    await screen.waitFor('far away')
    await screen.waitFor(/prod-eu .*READ-ONLY/)
    screen.send('\r')
    await screen.waitFor(/far away: .*127\.0\.0\.1:1/)
    screen.send('j\r')
    await screen.waitFor('OFFLINE of')
    await screen.waitFor((lines) => lines.join('\n').includes('READ-ONLY prod-eu'))
    await screen.waitFor(/ A .* 13\b/)
    screen.send('a')
    await screen.waitFor('13 to elect')
    screen.send('a')
    await screen.waitFor('read-only: nothing is elected')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
    expect(screen.state).toMatchObject({ alternateScreen: false, cursorVisible: true })
    expect(started.writes()).toEqual([])
  })

  it('none saved: one line says how to connect, exit 2', async () => {
    const started = await night()
    const screen = await started.open({ args: [], firstScreen: null })
    expect((await screen.exited).code).toBe(2)
    expect(screen.text().replaceAll(/\s+/g, ' ')).toContain('give --bootstrap-server, or save a cluster with')
  })
})
