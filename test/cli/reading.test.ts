import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { loadNamedScenario } from '../../src/simulator/scenarios/named.js'
import { caseFile, documentOf, ownFolder, recovery, simulators, start, WRITES } from './harness.js'

const folder = ownFolder()
const simulated = simulators()

describe('commands that only read', () => {
  test('status: the shape that scripts rely on', async () => {
    const { server } = await simulated('failed-log-dir-holds-the-best')
    const ran = await recovery('status', '--json', ...server)
    expect(ran.exit).toBe(0)
    const status = documentOf(ran)
    expect(Object.keys(status)).toEqual(
      expect.arrayContaining(['cluster', 'offlinePartitions', 'logDirs', 'underMinIsr', 'alarms', 'readAt']),
    )
    expect(status.cluster).toMatchObject({ id: expect.stringMatching(/^SIMULATED/), name: null, simulated: true })
    expect(status.offlinePartitions.length).toBeGreaterThan(0)
    expect(status.logDirs.filter((dir: { state: string }) => dir.state === 'offline').length).toBeGreaterThan(0)
  })

  test('--exit-code: 1 when anything is wrong, 0 when all is well', async () => {
    const sick = await simulated('longer-log-older-epoch')
    expect((await recovery('status', '--exit-code', ...sick.server)).exit).toBe(1)
    const healthy = await simulated({
      clusterId: 'SIMULATED-healthy',
      personality: 'stock',
      brokers: [1, 2].map((id) => ({ id, state: 'up', logDirs: ['/d'] })),
      topics: [{ name: 'fine', partitionCount: 3, replicationFactor: 2, offlineShare: 0, seed: 1 }],
    })
    for (const how of [['--exit-code'], ['--until-healthy', '--exit-code']]) {
      const ran = await recovery('status', ...how, '--json', ...healthy.server)
      expect(documentOf(ran)).toMatchObject({ offlinePartitions: [], underMinIsr: [], alarms: [] })
      expect(ran.exit).toBe(0)
    }
  })

  test('alarms: the emptied last leader, one entry for each partition', async () => {
    const { server } = await simulated('last-known-leader-alive-but-emptied')
    const { alarms } = documentOf(await recovery('status', '--json', ...server))
    expect(alarms.length).toBeGreaterThan(1)
    expect(alarms[0]).toMatchObject({
      code: 'emptyLogMayLead',
      topic: 'ledger',
      broker: 1,
      text: expect.stringMatching(/NOW stop 1/),
    })
    const text = await recovery('status', ...server)
    expect(text.stdout.match(/^ALARM: /gm)).toHaveLength(1)
  })

  test.each([
    [['replicas', 'orders-0'], 'partitions'],
    [['log-dirs'], 'logDirs'],
    [['check'], 'permissions'],
    [['restore'], 'restored'],
    [['demo', '--list'], 'scenarios'],
    [['profiles', 'list'], 'profiles'],
  ])('%j: one document, nothing written', async (args, key) => {
    const { server, requests } = await simulated('longer-log-older-epoch')
    const connects = !['demo', 'profiles'].includes(args[0] ?? '')
    const ran = await recovery(...args, '--json', ...(connects ? server : []))
    expect(documentOf(ran)).toHaveProperty(key)
    expect(ran.exit).toBe(0)
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('--verbose tells each exchange on stderr', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const ran = await recovery('status', '--verbose', '--json', ...server)
    expect(ran.stderr).toMatch(/127\.0\.0\.1:\d+ Metadata \d+ \d+ ms/)
    documentOf(ran)
  })
})

describe('endings', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('%s while a broker is silent: exit %i, one document all the same', async (signal, exit) => {
    const { server, requests, simulator } = await simulated('longer-log-older-epoch')
    simulator.addFault({ broker: 1, api: 'DescribeLogDirs', delayMs: 60_000 })
    const child = start('kafka-recovery', ['status', '--json', ...server])
    await expect.poll(() => requests.includes('DescribeLogDirs')).toBe(true)
    child.kill(signal)
    const { exitCode, stdout } = await child
    expect(exitCode).toBe(exit)
    expect(JSON.parse(stdout)).toEqual({ error: { exit, message: `ended by ${signal}` } })
  })

  test('--watch: one document a line, until a signal', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const child = start('kafka-recovery', ['status', '--watch', '--json', ...server])
    let told = ''
    child.stdout?.on('data', (chunk) => {
      told += chunk
    })
    await expect.poll(() => told.split('\n').length).toBeGreaterThan(2)
    child.kill('SIGTERM')
    const { exitCode, stdout } = await child
    expect(exitCode).toBe(143)
    for (const line of stdout.split('\n')) JSON.parse(line)
  })

  test('a reader that goes away ends the output, without an error', async () => {
    const { server } = await simulated('longer-log-older-epoch')
    const child = start('kafka-recovery', ['status', '--watch', ...server])
    child.stdout?.once('data', () => child.stdout?.destroy())
    await expect.poll(() => child.stdout?.destroyed).toBe(true)
    child.kill('SIGTERM')
    const { stderr } = await child
    expect(stderr).not.toMatch(/EPIPE|\bat /)
  })

  test('simulate: one line with its address, SIGTERM ends it with 143', async () => {
    const child = start('kafka-recovery', ['demo', '--scenario', 'no-such-name'])
    const wrong = await child
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('night-shift')
    const running = start('kafka-recovery', ['simulate', '--scenario', caseFile('scenarios/three-lags.json')])
    let line = ''
    running.stdout?.on('data', (chunk) => {
      line += chunk
    })
    await expect.poll(() => line.endsWith('\n')).toBe(true)
    const { bootstrapServers, clusterId } = JSON.parse(line)
    expect(clusterId).toBe('SIMULATED-three-lags')
    expect((await recovery('status', '--bootstrap-server', bootstrapServers)).exit).toBe(0)
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(143)
  })

  test('demo without a terminal walks through the job as text, exit 0, and says SIMULATED throughout', async () => {
    const ran = await recovery('demo')
    expect(ran.exit).toBe(0)
    for (const title of ['status', 'replicas', 'dry run', 'automated recovery']) {
      expect(ran.stdout).toContain(`== SIMULATED: ${title}`)
    }
    // What was left to the operator is named; what the alarm was about was elected once that broker was stopped.
    expect(ran.stderr).toMatch(/^audit-0: skipped: /m)
    expect(ran.stdout).toMatch(/stop broker 6, start none[\s\S]*ledger-0 +elected +4/)
    expect(ran.stdout).toContain('== SIMULATED: what counts')
  })
  test('demo without a terminal waits for the disk that fails, and walks through what follows', async () => {
    const scenario = loadNamedScenario('failing-directory')
    const soon = { ...scenario, events: scenario.events?.map((event) => ({ ...event, afterMs: 1_500 })) }
    const file = folder.path('failing.json')
    await writeFile(file, JSON.stringify(soon))
    const ran = await recovery('demo', '--scenario', file)
    expect(ran.exit).toBe(0)
    const [well = '', failed = ''] = ran.stdout.split('== SIMULATED: waiting for the disk under /data/b of broker 1')
    expect(well).toContain('failed log directories: none')
    expect(failed).toMatch(/clicks/)
    expect(failed).toContain('== SIMULATED: dry run')
    expect(failed).toMatch(/Offline before: 1\./)
    expect(failed).toContain('/data/b of broker 1 has failed still: kafka-recovery repair')
  })
})
