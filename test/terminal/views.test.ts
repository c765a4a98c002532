import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { calmNight } from './harness/calm-night.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { moveTo, type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'

// Proves, in a real pty against a simulated cluster: what is wrong is there first, each step leads to the next, and a list that changes under the
// cursor never changes what is marked.

const nights: SimulatedConsoles[] = []
afterEach(async () => {
  for (const night of nights.splice(0)) {
    expect(night.writes()).toEqual([])
    await night.stop()
  }
})

async function night(scenario = calmNight()): Promise<SimulatedConsoles> {
  const started = await simulatedConsoles(scenario)
  nights.push(started)
  return started
}

/** Without what happens by itself. */
function still(name: string) {
  const { events: _, ...scenario } = loadNamedScenario(name)
  return scenario
}

/** Everything in one line, as a reader takes it. */
const flat = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ')

async function openB(screen: ScreenProgram): Promise<void> {
  await screen.waitFor(/ B .* 9\b/)
  await moveTo(screen, /^> +B /)
  screen.send('\r')
  await screen.waitFor(/group B +1 of 9/)
}

describe('the first screen', () => {
  it.each([
    [80, 24],
    [120, 40],
    [60, 20],
  ])('at %ix%i: the alarm before all, counts, groups, and that nothing was sent', async (columns, rows) => {
    const screen = await (await night(still('night-shift'))).open({ columns, rows })
    const lines = await screen.waitFor(/ B .* 9 /)
    expect(lines[0]).toMatch(/^! Broker 6 \(127.0.0.1\) is up with an EMPTY log/)
    const text = flat(lines)
    expect(text).toContain('until it returns. !: steps.')
    expect(text).toContain('SIMULATED')
    expect(text).toContain('16 OFFLINE of 74, in 6 topics. Alarms: 1 found; not readable: 1 2, a disk of 3.')
    expect(text).toContain('Internal: __consumer_offsets 2: consumers stuck too.')
    expect(text).toContain('Nothing has been sent.')
    expect(text).toMatch(/ B better wait.* 9 1,833 \+ \?/)
  })

  it('begins on the alarm; groups open, and esc leads back to the same row', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await screen.waitFor(/^> +! {2}ALARM, broker 6: enter: steps/m)
    await openB(screen)
    screen.send('\x1b')
    await screen.waitFor(/^> +B /m)
  })

  it('without colours or Unicode says the same in plain ASCII', async () => {
    const started = await night(still('night-shift'))
    const screen = await started.open({
      env: { NO_COLOR: '1', LANG: 'C' },
      args: ['--bootstrap-server', started.simulator.bootstrapServers, '--ascii'],
    })
    await openB(screen)
    screen.send('\r')
    await screen.waitFor('IF THIS LEADS')
    await screen.waitFor(/^[\x20-\x7e\n]*$/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour
    expect(screen.raw).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7])(?:;\d+)*m/)
  })

  it('too small for anything: one line, and the view is kept', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await openB(screen)
    screen.resize(59, 19)
    await screen.waitFor('Too small: 59x19')
    screen.resize(80, 24)
    await screen.waitFor(/group B +1 of 9/)
  })
})

describe('lists', () => {
  it('filter by every word that shows, also inverted, on both screens', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await screen.waitFor(/ B .* 9\b/)
    await moveTo(screen, /^> +B /)
    screen.send('/2x')
    await screen.waitFor(/ B .* 6 of 9 /)
    screen.send('\r\r')
    await screen.waitFor(/group B +1 of 6 of 9 \(filter 2x\)/)
    screen.send('/\x15!orders\r')
    await screen.waitFor(/1 of 7 of 9 \(filter !orders\)/)
    screen.send('/\x15wait for 3\r')
    await screen.waitFor(/1 of 1 of 9/)
    await screen.waitFor((lines) => lines.join('\n').includes('payments-0'))
  })

  it('roll up by topic and back', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await openB(screen)
    screen.send('t')
    await screen.waitFor('group B, by topic')
    await moveTo(screen, /^> +orders +2 /)
    screen.send('\r')
    await screen.waitFor(/group B, topic orders +1 of 2/)
    screen.send('\x1b')
    await screen.waitFor('group B, by topic')
    screen.send('t')
    await screen.waitFor(/group B +1 of 9/)
  })

  it('marks follow their partition, and what left the list is neither planned nor replaced by its neighbour', async () => {
    const started = await night(still('night-shift'))
    const screen = await started.open()
    await openB(screen)
    await moveTo(screen, /^> +clickstream-57 /)
    screen.send(' ')
    await screen.waitFor(/^> +orders-0 /m)
    screen.send('j ')
    await screen.waitFor('2 marked')
    screen.send('k')
    await screen.waitFor(/^>\* orders-1 /m)
    // Broker 2 comes back: its partitions get their leader while the cursor stands on one of them.
    await started.simulator.apply({ brokerUp: 2 })
    await screen.waitFor(/orders-1 left the list/)
    expect(screen.text()).not.toMatch(/^>[^[]/m)
    screen.send('p')
    await screen.waitFor('2 marked, none of them in this list')
    screen.send('\r')
    // Enter on what is gone opens nothing.
    await screen.waitFor((lines) => !flat(lines).includes('none of them in this list'))
    await screen.waitFor(/group B/)
    screen.send('5')
    await screen.waitFor(/Broker 2 is up, was/)
    await screen.waitFor('6 partitions have a leader again, broker 2, by itself')
  })

  it('a partition that better waits gets into no plan before its brokers were called gone', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await openB(screen)
    await moveTo(screen, /^> +orders-1 /)
    screen.send(' p')
    await screen.waitFor('Type "gone 2"')
    screen.paste('gone 2')
    screen.send('\r')
    await screen.waitFor('Cancelled')
    screen.send('p')
    await screen.waitFor('Type "gone 2"')
    screen.send('gone 2\r')
    await screen.waitFor('1 to elect')
    await screen.waitFor((lines) => flat(lines).includes('1 of 9 (marked in group B); gone 2'))
  })
})

describe('Compare', () => {
  it('shows every candidate, chooses by hand, refuses who cannot lead, and steps through the list', async () => {
    const screen = await (await night(still('night-shift'))).open({ columns: 120, rows: 40 })
    await openB(screen)
    await moveTo(screen, /^> +orders-0 /)
    screen.send('\r')
    await screen.waitFor('[7 of 9 in B]')
    await screen.waitFor((lines) => flat(lines).includes('> 4 (rank) 3: 11,900-12,649 (750); 1: ? 750 + ?'))
    await screen.waitFor((lines) => flat(lines).includes('3 (by hand) 4: 11,900-12,309 (410); 1: ? 410 + ?'))
    await screen.waitFor((lines) => flat(lines).includes('of these 380 or more had been committed'))
    await screen.waitFor((lines) => flat(lines).includes('IF 1 STARTS new disk 3 AND 4 MAY BE WIPED: elect before all'))
    screen.send('jc')
    await screen.waitFor('Chosen by hand: 3 leads orders-0')
    await screen.waitFor((lines) => flat(lines).includes('Decided: by hand: 3.'))
    screen.send('gc')
    await screen.waitFor('Broker 1 cannot be elected')
    await screen.waitFor((lines) => flat(lines).includes('Decided: by hand: 3.'))
    screen.send('-')
    await screen.waitFor('Decided: taken out')
    screen.send('=')
    await screen.waitFor('As it stands: 4 by rank, group B')
    screen.send('n')
    await screen.waitFor('[8 of 9 in B]')
    screen.send('NN')
    await screen.waitFor('[6 of 9 in B]')
    screen.send('h')
    await screen.waitFor(/^> +clickstream-57 /m)
  })

  it('reads a time only after the answer y, and never where a directory has failed', async () => {
    const screen = await (await night(still('night-shift'))).open({ columns: 120, rows: 40 })
    await openB(screen)
    await moveTo(screen, /^> +orders-0 /)
    screen.send('\r')
    await screen.waitFor('[7 of 9 in B]')
    screen.send('iT')
    await screen.waitFor("look for the last record's time on broker 4")
    screen.send('y\r')
    await screen.waitFor(/last record \d{4}-\d\d-\d\d \d\d:\d\d:\d\d at offset 12,309/)
    screen.send('jT')
    await screen.waitFor('broker 3 has a failed log directory (/data/b)')
  })

  it('copies the whole of it as text', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await openB(screen)
    screen.send('\r')
    await screen.waitFor('IF THIS LEADS')
    screen.send('y')
    await screen.waitFor('Copied')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: OSC 52
    const copied = /\x1b\]52;c;([A-Za-z0-9+/=]+)\x07/.exec(screen.raw)?.[1] ?? ''
    const text = Buffer.from(copied, 'base64').toString()
    expect(text).toContain('__consumer_offsets-3')
    expect(text).toContain('IF THIS LEADS')
    expect(text).toContain('high watermark 640')
  })
})

describe('an alarm', () => {
  it('leads through its steps, each ticked by what the cluster shows', async () => {
    const started = await night(still('emptied-leader'))
    const screen = await started.open({ columns: 100, rows: 40 })
    await screen.waitFor('ALARM, broker 1')
    screen.send('!')
    await screen.waitFor('The alarm about broker 1 STANDS')
    await screen.waitFor((lines) => flat(lines).includes('> 1 ! Stop broker 1 (127.0.0.1) NOW'))
    await started.simulator.apply({ brokerDown: 1 })
    await screen.waitFor(/Broker 1 .*is stopped/)
    await screen.waitFor('the danger waits until it is started')
    screen.send('p')
    await screen.waitFor('the 2 of the alarm about broker 1')
    await screen.waitFor('2 to elect')
    // They are to be elected now: nothing waits for a broker whose log of them is lost.
    screen.send('1')
    await screen.waitFor(/ A .* 2 /)
  })
})

describe('a broker that was seen emptied', () => {
  it('carries its warning into a console that is opened after it was stopped: advice, comparison and plan', async () => {
    const started = await night(still('emptied-leader'))
    const first = await started.open({ columns: 100, rows: 40 })
    await first.waitFor('ALARM, broker 1')
    first.send('q')
    await first.exited
    await started.simulator.apply({ brokerDown: 1 })

    const screen = await started.open({ columns: 100, rows: 40 })
    await screen.waitFor((lines) => flat(lines).includes('Do NOT start broker 1: at '))
    await screen.waitFor((lines) =>
      flat(lines).includes('EMPTY log of 2 partitions that have no leader yet. Elect these 2 first'),
    )
    await screen.waitFor(/ A .* 2 /)
    expect(screen.text()).not.toMatch(/^ +1 {2}127\.0\.0\.1 .*1st/m)
    screen.send('o\r')
    await screen.waitFor(/DOWN, LED LAST.*SEEN EMPTY/)
    await screen.waitFor('Broker 1 was up with an EMPTY log of it')
    screen.send('hh3')
    await screen.waitFor((lines) => flat(lines).includes('Broker 1 is down. Do NOT start broker 1'))
    screen.send('1a')
    await screen.waitFor('2 to elect')
    screen.send('i')
    await screen.waitFor((lines) => flat(lines).includes('was not read now, and was seen with an empty log before'))
    expect(started.writes()).toEqual([])
  })
})

describe('the other views', () => {
  it('log directories: the failed first, with what is offline because of it', async () => {
    const screen = await (await night(still('night-shift'))).open()
    await screen.waitFor('[2]Log dirs 1')
    screen.send('2')
    await screen.waitFor(/^> +3 {2}\/data\/b +FAILED/m)
    await screen.waitFor((lines) => flat(lines).includes('Broker 3 reports it offline'))
    screen.send('o')
    await screen.waitFor('offline because of 3 /data/b')
    await moveTo(screen, /^> +payments-0 +OFFLINE, no leader/)
    screen.send('\r')
    await screen.waitFor('IF THIS LEADS')
  })

  it('brokers: the missing first, in the order to start them', async () => {
    const screen = await (await night(still('nobody-can-serve'))).open()
    await screen.waitFor('[3]Brokers 2 down')
    screen.send('3')
    await screen.waitFor(/^> +2 {2}DOWN +before \d\d:\d\d/m)
    await screen.waitFor((lines) => flat(lines).includes('Start it 1st, with its old disks: 2 of C'))
    screen.send('\r')
    await screen.waitFor('all offline partitions, with a replica on 2')
  })

  it('activity: saved for its owner alone', async () => {
    const started = await night(still('night-shift'))
    const screen = await started.open()
    await screen.waitFor('ALARM, broker 6')
    screen.send('5')
    await screen.waitFor('ALARM: Broker 6')
    screen.send('x')
    await screen.waitFor('Path of the new file')
    screen.send('noticed.txt\r')
    await screen.waitFor('Saved: noticed.txt')
    const path = join(started.home, 'noticed.txt')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toMatch(/SIMULATED-night-shift\n\d{4}-.*ALARM: Broker 6/)
  })
})
