import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ownFolder } from '../cli/harness.js'
import { type ScreenProgram, startProgram } from '../terminal/harness/screen-program.js'
import { moveTo } from '../terminal/harness/simulated-console.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { leaveTwoBehind } from './harness/diverge.js'
import type { DivergedPartition } from './harness/partition-writer.js'

// Proves: on real brokers the console, in a real pty, finds what is offline, compares the logs, plans, elects and reports; order and records are as before.

const TOPICS = [
  {
    name: 'lags',
    assignment: [
      [1, 2, 3],
      [3, 1, 2],
    ],
  },
  { name: 'lags-too', assignment: [[2, 3, 1]] },
]
/** A real read takes longer than a simulated one, on a machine that runs brokers as well. */
const LIMIT = 60_000

const folder = ownFolder()
let kafka: TestCluster
let partitions: DivergedPartition[]
let screen: ScreenProgram | null = null
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
  partitions = await leaveTwoBehind(kafka, TOPICS)
})
afterAll(async () => {
  await screen?.dispose()
  await kafka?.dispose()
})

/** All that an election or a reassignment could change. */
const state = () => Promise.all(TOPICS.map(({ name }) => kafka.describe(name)))

it('sees, compares, plans and elects the best logs; the broker that was away comes back as a follower', async () => {
  const home = folder.path('home')
  const before = await state()
  const bin = join(inject('packageRoot'), 'bin/kafka-recovery.js')
  const opened = startProgram(process.execPath, [bin, '--bootstrap-server', kafka.bootstrapServers], {
    cwd: folder.path('.'),
    env: { KAFKA_RECOVERY_HOME: home },
  })
  screen = opened
  const [place = ''] = kafka.bootstrapServers.split(',')

  // 1 is in ELR and away: to wait for it is better, and that is what the first screen says.
  await opened.waitFor('3 OFFLINE of 3', LIMIT)
  await opened.waitFor(/ B .* 3 +\d+ \+ \?/, LIMIT)
  expect(opened.text()).toContain('2 of 3 up, DOWN 1')
  expect(opened.text()).not.toContain('SIMULATED')
  await moveTo(opened, /^> +B /)
  opened.send('\r')
  await opened.waitFor(/group B +1 of 3/)
  await moveTo(opened, /^> +lags-0 /)

  // What the logs hold was written by this test: 10 to all, 5 more to 1 and 2, 3 more to 1 alone.
  opened.send('\r')
  await opened.waitFor('IF THIS LEADS')
  const compared = opened.text()
  expect(compared).toMatch(/^ {3}1 .*DOWN, LED LAST +\? +not read +MAY HAVE MORE/m)
  expect(compared).toMatch(/^ > 2 .*up, rank 1 +\d+ +0 +15 +best read/m)
  expect(compared).toMatch(/^ {3}3 .*up, rank 2 +\d+ +0 +10 +-5/m)
  expect(compared).toMatch(/^ > 2 +\(rank\) +1: \? +0 \+ \?/m)
  expect(compared).toMatch(/^ {3}3 +\(by hand\) +2: 10-14 \(5\); 1: \? +5 \+ \?/m)
  opened.send('h')
  await opened.waitFor(/> +lags-0 /)

  opened.send('p')
  await opened.waitFor('"gone 1"')
  opened.send('gone 1\r')
  await opened.waitFor('3 to elect')
  for (const [name, method] of [
    ['lags-0', 'unclean'],
    ['lags-1', 'reorder'],
    ['lags-too-0', 'unclean'],
  ]) {
    expect(opened.text()).toMatch(new RegExp(`${name} +2 +${method} `))
  }
  opened.send('a')
  await opened.waitFor(`Type: elect 3 ${place}`)
  opened.send(`elect 3 ${place}`)
  await opened.waitFor(`> elect 3 ${place}`)
  expect(await state()).toEqual(before)

  opened.send('\r')
  await opened.waitFor('3 elected', LIMIT)
  await opened.waitFor('measured 0 + ?')
  const after = await state()
  expect(after.map((views) => views.map(({ replicas, leader }) => [replicas, leader]))).toEqual(
    TOPICS.map(({ assignment }) => assignment.map((replicas) => [replicas, 2])),
  )
  for (const { topic, partition, logs } of partitions) {
    const records = await kafka.consume(topic, partition)
    expect(records.map(({ value }) => value)).toEqual(logs.get(2))
  }
  const [report = ''] = readdirSync(join(home, 'reports'))
  expect(JSON.parse(readFileSync(join(home, 'reports', report), 'utf8')).summary).toEqual({ elected: 3 })
  await opened.waitFor('[1]Partitions 0')

  // The one that led last is late: it follows, and what it alone had is what was said to be at stake.
  await kafka.start(1)
  await opened.waitFor('3 brokers: 3 up', LIMIT)
  for (const { name } of TOPICS) {
    await kafka.untilDescribed(name, 'led by 2, followed by all', (views) =>
      views.every(({ leader, isr }) => leader === 2 && isr.length === 3),
    )
  }
  opened.send('5')
  await opened.waitFor('Broker 1 is up, was down.')
  expect(opened.text()).toContain('3 partitions have a leader again, broker 2, elected here')
  expect(opened.text()).toContain('Elected 3 of 3')
  opened.send('q')
  expect((await opened.exited).code).toBe(0)
  expect(opened.state).toMatchObject({ alternateScreen: false, cursorVisible: true, bracketedPaste: false })
  expect(opened.text()).toContain('0 of 3 partitions offline')
  expect(opened.text()).toContain('last recovery: 3 elected')
})
