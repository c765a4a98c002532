import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Scenario } from '../../src/simulator/scenario-schema.js'
import { calmNight } from './harness/calm-night.js'
import { lossOf, partitionKinds, RACK_OUTAGE, rackOutage } from './harness/rack-outage.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { moveTo, type SimulatedConsoles, simulatedConsoles } from './harness/simulated-console.js'
import { stateZNight } from './harness/state-z-night.js'

// Proves, in a real pty at 80x24 against a simulated cluster: whole nights, from what is wrong first to the report. What changes meanwhile changes nothing that
// was marked or planned, and nothing is sent but what was shown.

const nights: SimulatedConsoles[] = []
afterEach(async () => {
  for (const night of nights.splice(0)) await night.stop()
})

async function night(scenario: Scenario): Promise<SimulatedConsoles> {
  const started = await simulatedConsoles(scenario)
  nights.push(started)
  return started
}

const nameOf = ({ simulator }: SimulatedConsoles) => simulator.bootstrapServers.split(',')[0] ?? ''
/** Everything in one line, as a reader takes it. */
const flat = (screen: ScreenProgram) => screen.lines().join(' ').replace(/\s+/g, ' ')
const marked = (screen: ScreenProgram) => screen.lines().flatMap((line) => /^[> ]\* (\S+)/.exec(line)?.[1] ?? [])
const wholeNumber = (number: number) => number.toLocaleString('en-US')

/** Every election is of partitions that had no leader, as is the first re-ordering of each; and nothing names all. */
function expectHarmlessWrites(started: SimulatedConsoles, elected: ReadonlySet<string>): void {
  const touched = new Set<string>()
  const asked: string[] = []
  for (const { api, named, led } of started.writes()) {
    expect(named).not.toBeNull()
    for (const name of named ?? []) expect(elected).toContain(name)
    if (api === 'ElectLeaders') {
      expect(led).toEqual([])
      asked.push(...(named ?? []))
    } else {
      expect(led.filter((name) => !touched.has(name))).toEqual([])
    }
    for (const name of named ?? []) touched.add(name)
  }
  expect(asked.sort()).toEqual([...elected].sort())
}

describe('a rack outage', () => {
  const kinds = partitionKinds()
  const of = (...wanted: string[]) => [...kinds].filter(([, { kind }]) => wanted.includes(kind)).map(([name]) => name)
  const internal = (names: readonly string[]) => names.filter((name) => name.startsWith('__')).length
  const lost = (names: readonly string[]) => wholeNumber(names.reduce((sum, name) => sum + lossOf(name), 0))

  it('1,200 of 1,800 offline, a broker returns while the plan is made: what it brings leaves the plan, the rest is elected', async () => {
    const started = await night(rackOutage())
    const before = started.assignments()
    const screen = await started.open()
    await screen.waitFor('1,200 OFFLINE of 1,800, in 4 topics')
    await screen.waitFor(/ A .* 700 /)
    await screen.waitFor((lines) => lines.join('\n').includes('6 of 9 up, DOWN 7 8 9'))
    await screen.waitFor(/ B .* 490 /)
    await screen.waitFor(/ C {2}.*contested 10 +10$/m)
    await screen.waitFor(/ 8 .* 1st +300 of B/)

    // Marked: some that 8 led last, some that 7 did.
    await moveTo(screen, /^> +B /)
    screen.send('\r')
    await screen.waitFor(/group B .* of 490/)
    screen.send('/payments\r')
    await screen.waitFor('(filter payments)')
    for (const row of [
      /^> +\S+ +wait for 8 /,
      /^> +\S+ +wait for 7 /,
      /^> +\S+ +wait for 8 /,
      /^> +\S+ +wait for 7 /,
    ]) {
      await moveTo(screen, row)
      const count = marked(screen).length + 1
      screen.send(' ')
      await screen.waitFor(`${count} marked`)
    }
    const marks = marked(screen)
    expect(marks.map((name) => kinds.get(name)?.kind).sort()).toEqual(['waitFor7', 'waitFor7', 'waitFor8', 'waitFor8'])
    const stays = marks.filter((name) => kinds.get(name)?.kind === 'waitFor7')
    screen.send('k')
    await screen.waitFor(new RegExp(`^>\\* ${stays[1]} `, 'm'))

    // A and B, if 7 and 8 are gone; then the cursor on one that stays, some way down.
    screen.send('b')
    await screen.waitFor('Type "gone 7 8"')
    screen.send('gone 7 8\r')
    await screen.waitFor('1,190 to elect')
    await screen.waitFor('[4]Plan')
    const [here = ''] = of('waitFor7')
    await moveTo(screen, new RegExp(`^> +\\S+-${here.slice(here.lastIndexOf('-') + 1)} `))
    await screen.waitFor((lines) => lines.join('\n').includes(`── ${here} `))
    expect(started.writes()).toEqual([])

    await started.simulator.apply({ brokerUp: 8 })
    await screen.waitFor('650 to elect')
    await screen.waitFor('240 CHANGED')
    await screen.waitFor((lines) => lines.join('\n').includes('300 not offline any more'))
    await screen.waitFor((lines) => lines.join('\n').includes('[1]Partitions 900'))
    // What changed stands on top now: the cursor went down with its partition.
    await screen.waitFor((lines) => lines.join('\n').includes(`── ${here} `))

    // Told, and left alone by everything else.
    screen.send('1')
    await screen.waitFor('900 OFFLINE of 1,800')
    await screen.waitFor('7 of 9 up, DOWN 7 9')
    await screen.waitFor(/ B .* 190 /)
    await screen.waitFor(/ A .* 700 /)
    await screen.waitFor(/^> {2}B /m)
    screen.send('\r')
    await screen.waitFor(/of 190 \(filter payments\).* 4 marked/)
    expect(marked(screen)).toEqual(stays)
    expect(screen.text()).toMatch(new RegExp(`^>\\* ${stays[1]} `, 'm'))
    screen.send('p')
    await screen.waitFor('Type "gone 7"')
    screen.send('\x1b')
    await screen.waitFor((lines) => !lines.join('\n').includes('Type "gone 7"'))
    screen.send('5')
    await screen.waitFor('Broker 8 is up, was down.')
    screen.send('g')
    await screen.waitFor((lines) => /300 partitions\)? have a leader again, broker 8, by itself/.test(lines.join(' ')))

    // What is left of the plan, as it was seen.
    const first = of('electable', 'waitFor7')
    screen.send('4')
    await screen.waitFor('650 to elect')
    screen.send('a')
    await screen.waitFor(`Type: accept internal ${internal(first)}`)
    screen.send(`accept internal ${internal(first)}\r`)
    await screen.waitFor(`Type: elect 650 ${nameOf(started)}`)
    await screen.waitFor(() => flat(screen).includes('240 changed since they were seen'))
    expect(started.writes()).toEqual([])
    screen.send(`elect 650 ${nameOf(started)}\r`)
    await screen.waitFor('650 elected')
    await screen.waitFor(`predicted ${lost(first)} + ?, measured ${lost(first)} + ?`)
    await screen.waitFor('[1]Partitions 250')

    // Then what changed, once it was looked at: 8 is read now, and has less.
    const second = of('electableWith8')
    screen.send('4')
    await screen.waitFor('240 CHANGED')
    screen.send('c')
    await screen.waitFor('240 to elect')
    screen.send('a')
    await screen.waitFor(`Type: accept internal ${internal(second)}`)
    screen.send(`accept internal ${internal(second)}\r`)
    await screen.waitFor(`Type: elect 240 ${nameOf(started)}`)
    screen.send(`elect 240 ${nameOf(started)}\r`)
    await screen.waitFor('240 elected')
    await screen.waitFor(`predicted ${lost(second)}, measured ${lost(second)}`)
    await screen.waitFor('[1]Partitions 10')
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
    await screen.waitFor(() => flat(screen).includes('10 of 1,800 partitions offline'))
    await screen.waitFor((lines) => lines.join('\n').includes('last recovery: 240 elected'))

    expectHarmlessWrites(started, new Set([...first, ...second]))
    expect(started.assignments()).toEqual(before)
    for (const { topic, partition, leader } of started.simulator.inspect().partitions()) {
      const { kind, best } = kinds.get(`${topic}-${partition}`)!
      const expected = kind === 'waitFor8' ? 8 : kind === 'contested' ? -1 : best
      expect([topic, partition, leader]).toEqual([topic, partition, expected])
    }
    const reports = readdirSync(join(started.home, 'reports')).sort()
    expect(
      reports.map((name) => JSON.parse(readFileSync(join(started.home, 'reports', name), 'utf8')).summary),
    ).toEqual([{ elected: 650 }, { elected: 240 }])
    expect(RACK_OUTAGE.offline).toBe(1_200)
  })
})

describe('state Z', () => {
  it('the alarm first; its steps are followed, exactly its partitions are elected, and nothing is lost', async () => {
    const started = await night(stateZNight())
    const before = started.assignments()
    const logs = ends(started)
    const screen = await started.open()
    const lines = await screen.waitFor('ALARM, broker 4')
    expect(lines[0]).toMatch(/^! Broker 4 \(127\.0\.0\.1\) is up with an EMPTY log of 15 partitions/)
    // No broker is to be started while it stands.
    await screen.waitFor(/^> +! +ALARM, broker 4: enter: steps/m)
    expect(screen.text()).not.toContain('START FIRST')

    screen.send('\r')
    await screen.waitFor('The alarm about broker 4 STANDS')
    await screen.waitFor(() => flat(screen).includes('> 1 ! Stop broker 4 (127.0.0.1) NOW'))
    // Too early: nothing is sent for what would make 4 the leader.
    screen.send('p')
    await screen.waitFor('nothing to elect')
    await screen.waitFor((lines) => lines.join('\n').includes('15 left to you: blocked 15'))
    screen.send('a')
    await screen.waitFor('There is nothing to elect')
    screen.send('\x1b')
    await screen.waitFor('The alarm about broker 4 STANDS')
    expect(started.writes()).toEqual([])

    await started.simulator.apply({ brokerDown: 4 })
    await screen.waitFor('the danger waits until it is started')
    screen.send('jj')
    await screen.waitFor(/^ > 3 ! Plan exactly these 15/m)
    screen.send('\r')
    await screen.waitFor('15 to elect')
    await screen.waitFor((lines) => lines.join('\n').includes('Plan for the 15 of the alarm about broker 4'))
    screen.send('a')
    const text = `elect 15 ${nameOf(started)}`
    await screen.waitFor(`Type: ${text}`)
    screen.send(`${text}\r`)
    await screen.waitFor('15 elected')
    await screen.waitFor('measured 0 + ?')
    // What only waits for 4's other directory was left alone.
    expect(started.leaderOf('audit', 0)).toBe(-1)

    screen.send('1')
    await screen.waitFor(/ W .*waits for broker 4/)
    screen.send('!')
    await screen.waitFor(/Start 4 again, now that all of these have a leader/)
    await screen.waitFor(() => flat(screen).includes('all 15 of its partitions are led by others'))
    await started.simulator.apply({ brokerUp: 4 })
    await screen.waitFor('[1]Partitions 0')
    await screen.waitFor('3 of 4 up, DOWN 3')
    expect(started.leaderOf('audit', 0)).toBe(4)

    const ledger = Array.from({ length: 15 }, (_, partition) => `ledger-${partition}`)
    expectHarmlessWrites(started, new Set(ledger))
    expect(started.assignments()).toEqual(before)
    // Every log is at least what it was, and the emptied one has all of its leader's.
    const after = ends(started)
    for (const [name, end] of Object.entries(logs)) expect(after[name], name).toBeGreaterThanOrEqual(end)
    for (const name of ledger) expect(after[`${name} on 4`]).toBe(after[`${name} on 1`])
    screen.send('q')
    expect((await screen.exited).code).toBe(0)
    await screen.waitFor(() => flat(screen).includes('0 of 18 partitions offline'))
  })
})

describe('a plan that two consoles share', () => {
  it('made at 60x20, exported; what has changed when the second opens it at 120x40 is named and left out', async () => {
    const started = await night(sharedNight())
    const before = started.assignments()
    const small = await started.open({ columns: 60, rows: 20 })
    await small.waitFor(/ A .* 18\b/)
    await small.waitFor(/ B .* 1\b/)
    small.send('b')
    await small.waitFor('Type "gone 4"')
    small.send('gone 4\r')
    await small.waitFor('19 to elect')
    small.send('x')
    await small.waitFor('never overwritten')
    small.send('\x15night.json\r')
    await small.waitFor('Written, mode 0600')
    small.send('q')
    expect((await small.exited).code).toBe(0)
    const path = join(started.home, 'night.json')
    const file = readFileSync(path, 'utf8')
    const { planId, partitions } = JSON.parse(file)
    expect(partitions).toHaveLength(19)

    // 4 is back: it leads what it led last, and what it is a mere replica of is not as it was.
    await started.simulator.apply({ brokerUp: 4 })
    const wide = await started.open({ columns: 120, rows: 40 })
    await wide.waitFor(/ A .* 18\b/)
    wide.send(':open plan night.json\r')
    await wide.waitFor('13 to elect')
    await wide.waitFor('5 CHANGED')
    await wide.waitFor('1 not offline any more')
    await wide.waitFor((lines) => lines.join('\n').includes(`Plan ${path}: `))
    for (const partition of [0, 1, 2, 3, 4]) {
      expect(wide.text()).toMatch(new RegExp(`stock-${partition} +- .*CHANGED: `))
    }
    wide.send('g')
    await wide.waitFor(/── stock-0 /)
    await wide.waitFor(() =>
      flat(wide).includes('CHANGED since it was seen, so not elected: its offline replicas were [4], now []'),
    )
    await wide.waitFor(/refunds-0 .*led by 4 now/)
    wide.send('a')
    await wide.waitFor('Type: accept internal 1')
    wide.send('accept internal 1\r')
    await wide.waitFor(`Type: elect 13 ${nameOf(started)}`)
    await wide.waitFor(() => flat(wide).includes('5 changed since they were seen'))
    expect(started.writes()).toEqual([])
    wide.send(`elect 13 ${nameOf(started)}\r`)
    await wide.waitFor('13 elected')

    const orders = Array.from({ length: 12 }, (_, partition) => `orders-${partition}`)
    expectHarmlessWrites(started, new Set(['__consumer_offsets-0', ...orders]))
    expect(started.assignments()).toEqual(before)
    expect(started.leaderOf('stock', 0)).toBe(-1)
    expect(started.leaderOf('refunds', 0)).toBe(4)
    expect(readFileSync(path, 'utf8')).toBe(file)
    const [report = ''] = readdirSync(join(started.home, 'reports'))
    const written = JSON.parse(readFileSync(join(started.home, 'reports', report), 'utf8'))
    expect(written.plan.planId).toBe(planId)
    expect(written.summary).toEqual({ elected: 13 })
  })
})

/** The calm night, and broker 4: away, a replica of `stock` without a role, the last leader of `refunds`. */
function sharedNight(): Scenario {
  const calm = calmNight()
  const log = (logEndOffset: number) => ({
    logDir: '/d',
    logStartOffset: 0,
    logEndOffset,
    epochs: [[0, 0]] as [number, number][],
  })
  const offline = (partition: number, elr: number[]) => ({
    partition,
    assignment: [4, 1, 2],
    leader: -1,
    leaderEpoch: 4,
    isr: [],
    elr,
    lastKnownElr: elr,
    logs: { 1: log(50), 2: log(60), 4: log(elr.length > 0 ? 65 : 40) },
  })
  return {
    ...calm,
    brokers: [...calm.brokers, { id: 4, state: 'down', logDirs: ['/d'] }],
    topics: [
      ...calm.topics.filter(({ name }) => name !== 'payments'),
      { name: 'refunds', partitions: [offline(0, [4])] },
      { name: 'stock', partitions: [0, 1, 2, 3, 4].map((partition) => offline(partition, [])) },
    ],
  }
}

/** Where every log ends: `topic-partition on broker`. */
function ends({ simulator }: SimulatedConsoles): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...simulator.inspect().partitions()].flatMap(({ topic, partition, logs }) =>
      [...logs].map(([broker, { logEndOffset }]) => [`${topic}-${partition} on ${broker}`, logEndOffset]),
    ),
  )
}
