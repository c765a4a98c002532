import { mkdir, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { documentOf, ownFolder, recovery, simulators, start, WRITES } from './harness.js'

// The guided repair over the wire, by the real executable.

const folder = ownFolder()
const simulated = simulators()

const log = (logDir: string, end: number, epoch = 0) => ({
  logDir,
  logStartOffset: 0,
  logEndOffset: end,
  epochs: end === 0 ? [] : [[epoch, 0]],
})

/** A cluster id of its own for each test: what was seen is kept by it. */
let clusters = 0
const night = (more: object = {}) => ({
  clusterId: `SIMULATED-repair-${process.pid}-${++clusters}`,
  personality: 'stock',
  brokers: [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/data/a', '/data/b'] })),
  topics: [
    {
      name: 'orders',
      config: { 'min.insync.replicas': '1' },
      partitions: [
        // On the directory that fails: 1 alone in sync; served by 2 then; nowhere else.
        {
          partition: 0,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 5,
          isr: [1],
          logs: { 1: log('/data/b', 1000), 2: log('/data/a', 900) },
        },
        {
          partition: 1,
          assignment: [1, 2],
          leader: 1,
          leaderEpoch: 5,
          isr: [1, 2],
          logs: { 1: log('/data/b', 700), 2: log('/data/b', 700) },
        },
        // On its good directory.
        { partition: 2, assignment: [1], leader: 1, leaderEpoch: 2, isr: [1], logs: { 1: log('/data/a', 70) } },
        {
          partition: 3,
          assignment: [2, 1],
          leader: 2,
          leaderEpoch: 2,
          isr: [2, 1],
          logs: { 1: log('/data/a', 70), 2: log('/data/a', 70) },
        },
      ],
    },
  ],
  ...more,
})

const target = ['--broker', '1', '--log-dir', '/data/b']
const statusesOf = (steps: readonly { id: string; status: string }[]) =>
  Object.fromEntries(steps.map(({ id, status }) => [id, status]))
const at = (list: readonly { partition: number }[]) => list.map(({ partition }) => partition)

async function cluster(more: object = {}) {
  const { simulator, server, requests } = await simulated(night(more))
  const repair = (...args: readonly string[]) => recovery('repair', ...target, ...args, ...server)
  const document = async (...args: readonly string[]) => documentOf(await repair('--json', ...args)).repair
  const ends = (partition: number) => {
    const found = [...simulator.inspect().partitions()].find((one) => one.partition === partition)!
    return Object.fromEntries([...found.logs].map(([broker, { logEndOffset }]) => [broker, logEndOffset]))
  }
  return { simulator, server, requests, repair, document, ends }
}

describe('the safe order', () => {
  test('from the failure to all in sync: nothing that another has is lost', async () => {
    const { simulator, requests, repair, document, ends } = await cluster()
    const healthy = await repair()
    expect(healthy.exit).toBe(0)
    expect(healthy.stdout).toContain('Nothing to repair: /data/b of broker 1 is online.')

    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const failed = await document()
    expect(failed).toMatchObject({
      phase: 'failed',
      way: 'replace',
      standing: { kind: 'failed' },
      held: { source: 'derived' },
    })
    expect(failed.partitions.map((one: { kind: string; leader: number | null }) => [one.kind, one.leader])).toEqual([
      ['leaderless', null],
      ['servedElsewhere', 2],
    ])
    expect(at(failed.impact.goesOffline)).toEqual([2])
    expect(failed.impact.emptiedLeads).toMatchObject([{ partition: 0, lost: { kind: 'all', atLeast: 900 } }])
    expect(statusesOf(failed.steps)).toMatchObject({ stop: 'now', elect: 'blocked', start: 'blocked' })
    // Reading alone: nothing was written to the cluster.
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])

    await simulator.apply({ brokerDown: 1 })
    const away = await document()
    expect(away).toMatchObject({ phase: 'away', held: { source: 'noted' }, gate: { open: false } })
    expect(at(away.partitions)).toEqual([0, 1])
    expect(statusesOf(away.steps)).toMatchObject({ stop: 'done', elect: 'now', swapDisk: 'blocked', start: 'blocked' })

    const dry = await repair('--run', 'elect', '--dry-run')
    expect(dry.stdout).toContain('orders-0')
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
    const unconfirmed = await repair('--run', 'elect')
    expect(unconfirmed.exit).toBe(4)
    expect((await repair('--run', 'elect', '--yes')).exit).toBe(0)
    // Exactly those: what only waits for the good directories of the broker is left alone.
    const elected = await document()
    expect(elected.gate).toMatchObject({ open: true, holds: [] })
    expect(statusesOf(elected.steps)).toMatchObject({ elect: 'done', gate: 'done', swapDisk: 'byHand', start: 'now' })
    expect([...simulator.inspect().partitions()].map(({ leader }) => leader)).toEqual([2, 2, -1, 2])

    await simulator.apply({ replaceLogDir: { broker: 1, path: '/data/b' } })
    await simulator.apply({ brokerUp: 1 })
    const watched = await repair('--watch')
    expect(watched.exit).toBe(0)
    expect(watched.stdout).toContain('all that was lost is in sync again')
    expect(ends(0)).toEqual({ 1: 900, 2: 900 })
    expect(ends(2)).toEqual({ 1: 70 })
    expect(await document()).toMatchObject({ phase: 'nothing', steps: [], wiped: [] })
  })

  test("the broker started without it: state Z leads into the same steps, and is not let out by keeping the 'old' disk", async () => {
    const { simulator, repair, document, ends } = await cluster()
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    await document()
    await simulator.apply({ replaceLogDir: { broker: 1, path: '/data/b' } })
    const back = await document()
    expect(back).toMatchObject({ phase: 'emptyBack', alarms: [{ code: 'emptyLogMayLead', broker: 1 }] })
    expect(statusesOf(back.steps)).toMatchObject({ stop: 'now', elect: 'blocked', start: 'blocked' })
    expect((await repair()).stdout).toMatch(/ALARM: Broker 1[\s\S]*NOW stop 1/)

    await simulator.apply({ brokerDown: 1 })
    const away = await document()
    expect(away).toMatchObject({ phase: 'away', way: 'replace' })
    expect(statusesOf(away.steps)).toMatchObject({ elect: 'now', start: 'blocked' })
    expect(statusesOf((await document('--way', 'keep')).steps).start).toBe('blocked')
    expect((await repair('--run', 'elect', '--yes')).exit).toBe(0)
    await simulator.apply({ brokerUp: 1 })
    expect((await repair('--watch')).exit).toBe(0)
    expect(ends(0)).toEqual({ 1: 900, 2: 900 })
  })

  test('where it has happened already all looks healthy, and is said: maybe wiped', async () => {
    const { simulator, repair, document, ends } = await cluster()
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    await document()
    await simulator.apply({ replaceLogDir: { broker: 1, path: '/data/b', electedAtOnce: true } })
    expect(ends(0)).toEqual({ 1: 0, 2: 0 })
    const watched = await repair('--watch')
    expect(watched.exit).toBe(1)
    expect(watched.stdout).toMatch(/PROBABLY WIPED: orders-0/)
    expect(await document()).toMatchObject({
      phase: 'wiped',
      wiped: [{ topic: 'orders', partition: 0, kind: 'empty' }],
    })
    // Given up by name it is over.
    expect((await document('--write-off', 'orders-0')).phase).toBe('nothing')
    expect((await document()).phase).toBe('nothing')
  })

  test('taken out of log.dirs: the configuration line, and the replicas made anew elsewhere', async () => {
    // 9 s until all is in sync: each of the three programs below has to begin in them, on a busy machine, too.
    const { simulator, server, document, repair } = await cluster({ catchUpOffsetsPerSecond: 100 })
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const { steps } = await document('--way', 'remove')
    expect(steps.find(({ id }: { id: string }) => id === 'editConfig').how).toEqual([
      { kind: 'config', line: 'log.dirs=/data/a' },
    ])
    await simulator.apply({ brokerDown: 1 })
    expect((await repair('--run', 'elect', '--yes')).exit).toBe(0)
    await simulator.apply({ removeLogDir: { broker: 1, path: '/data/b' } })
    await simulator.apply({ brokerUp: 1 })
    const [watched, back, listed] = await Promise.all([
      repair('--watch'),
      document(),
      recovery('log-dirs', '--json', ...server),
    ])
    expect(back).toMatchObject({ phase: 'catchingUp', standing: { kind: 'missing' }, way: 'remove' })
    const dirs = documentOf(listed).logDirs
    expect(
      dirs.find((dir: { broker: number; path: string }) => dir.broker === 1 && dir.path === '/data/b'),
    ).toMatchObject({
      standing: 'missing',
    })
    expect(watched.exit).toBe(0)
    expect(watched.stdout).toMatch(
      /orders-0: \[#*-*\] \d+% \(\d+ of 900 of broker 2\), \d+ offsets\/s, some \d+ s to go, not in ISR yet/,
    )
  })
})

describe('several failed directories of one broker', () => {
  /** Partition 0 was led from /data/b, 4 from /data/c; 2 has a copy of both. */
  const twice = () => {
    const base = night()
    const [, ...others] = base.brokers
    const [orders] = base.topics
    const more = {
      partition: 4,
      assignment: [1, 2],
      leader: 1,
      leaderEpoch: 5,
      isr: [1],
      logs: { 1: log('/data/c', 500), 2: log('/data/a', 400) },
    }
    return {
      ...base,
      brokers: [{ id: 1, state: 'up', logDirs: ['/data/a', '/data/b', '/data/c'] }, ...others],
      topics: [{ ...orders, partitions: [...orders!.partitions, more] }],
    }
  }

  test('are listed, each with its gate; the broker is started only when all of them are open', async () => {
    const { simulator, server } = await simulated(twice())
    const list = async () => documentOf(await recovery('repair', '--broker', '1', '--json', ...server))
    const gates = async () =>
      (await list()).repairs.map(({ logDir, gate }: { logDir: string; gate: { open: boolean } }) => [logDir, gate.open])
    const one = (path: string, ...args: readonly string[]) =>
      recovery('repair', '--broker', '1', '--log-dir', path, '--way', 'replace', ...args, ...server)
    const startOf = async (path: string) => statusesOf(documentOf(await one(path, '--json')).repair.steps).start

    const healthy = await recovery('repair', '--broker', '1', ...server)
    expect(healthy.exit).toBe(0)
    expect(healthy.stdout).toMatch(/Nothing to repair: no log directory of broker 1 .*\/data\/a, \/data\/b, \/data\/c/)

    for (const path of ['/data/b', '/data/c']) await simulator.apply({ failLogDir: { broker: 1, path } })
    expect((await recovery('log-dirs', ...server)).stdout).toMatch(/repair --broker 1 --bootstrap-server/)
    const { stdout } = await recovery('repair', '--broker', '1', ...server)
    expect(stdout).toMatch(/^\/data\/b +OFFLINE +2 +1 +SHUT by 1 partition$/m)
    expect(stdout).toMatch(/^\/data\/c +OFFLINE +1 +1 +SHUT by 1 partition$/m)
    expect(stdout).not.toMatch(/^\/data\/a/m)
    expect(stdout).toMatch(/do NOT start broker 1 .*2 gates are shut/)
    expect(stdout).toMatch(/repair --broker 1 --log-dir \/data\/c/)

    await simulator.apply({ brokerDown: 1 })
    expect(await gates()).toEqual([
      ['/data/b', false],
      ['/data/c', false],
    ])
    expect((await one('/data/b', '--run', 'elect', '--yes')).exit).toBe(0)
    expect(await gates()).toEqual([
      ['/data/b', true],
      ['/data/c', false],
    ])
    // Its own gate is open, the other one's is not: one start brings both back.
    expect(await startOf('/data/b')).toBe('blocked')
    expect((await one('/data/b')).stdout).toMatch(/\/data\/c of broker 1 failed too, and its own gate is SHUT/)
    expect((await one('/data/c', '--run', 'elect', '--yes')).exit).toBe(0)
    expect(await startOf('/data/b')).toBe('now')
    expect((await recovery('repair', '--broker', '1', ...server)).stdout).toMatch(/all of them are open/)
  })
})

describe('commands of the profile', () => {
  /** A profile with this program as its only "host": what is run tells what it was given. */
  async function withCommands(server: readonly string[], commands: object): Promise<readonly string[]> {
    await mkdir(folder.path('home'), { recursive: true })
    const profile = { bootstrapServers: server[1], repair: { commands } }
    await writeFile(folder.path('home/profiles.json'), JSON.stringify({ profiles: { night: profile } }), {
      mode: 0o600,
    })
    return ['--profile', 'night']
  }
  const node = (script: string) => [process.execPath, '-e', script, '{host}', '{broker}', '{logDir}']
  afterEach(() => writeFile(folder.path('home/profiles.json'), '{"profiles":{}}'))

  test('shown whole, confirmed, streamed, with exit code and duration kept; a start only through the gate', async () => {
    const { simulator, server } = await cluster()
    const profile = await withCommands(server, {
      checkDisk: node('console.log(process.argv.slice(1).join(" ")); process.exit(7)'),
      stop: node('console.log("stopping")'),
      start: node('console.log("starting")'),
    })
    const run = (...args: readonly string[]) => recovery('repair', ...target, ...args, ...profile)
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const check = await run('--run', 'checkDisk', '--yes')
    expect(check.exit).toBe(1)
    expect(check.stderr).toContain('| 127.0.0.1 1 /data/b')
    expect(check.stderr).toMatch(/To be run on this machine, without a shell/)
    const { runs } = documentOf(await run('--json')).repair
    expect(runs).toMatchObject([{ step: 'checkDisk', end: { kind: 'exited', code: 7 } }])
    expect(runs[0].durationMs).toBeGreaterThan(0)

    const asked = await run('--run', 'stop')
    expect(asked.exit).toBe(4)
    expect(asked.stderr).not.toContain('| stopping')
    const dry = await run('--run', 'stop', '--dry-run')
    expect(dry.exit).toBe(0)
    expect(dry.stderr).not.toContain('| stopping')
    expect((await run('--run', 'stop', '--read-only', '--yes')).exit).toBe(4)
    expect((await run('--run', 'stop', '--yes')).stderr).toContain('| stopping')

    const up = await run('--run', 'start', '--yes')
    expect(up.exit).toBe(4)
    await simulator.apply({ brokerDown: 1 })
    const shut = await run('--run', 'start', '--yes')
    expect(shut.exit).toBe(4)
    expect(shut.stderr).toMatch(/the gate is shut[\s\S]*nothing was run/)
    expect((await run('--run', 'elect', '--yes')).exit).toBe(0)
    expect((await run('--run', 'start', '--yes')).stderr).toContain('| starting')
  })

  test('one that hangs is ended at the time limit; megabytes stay bounded; a missing one is told', async () => {
    const { simulator, server } = await cluster()
    const profile = await withCommands(server, {
      checkDisk: node('setInterval(() => {}, 1000)'),
      stop: node('const s = "x".repeat(1023) + "\\n"; for (let i = 0; i < 4000; i++) process.stdout.write(s)'),
      start: ['/nowhere/such-a-program'],
    })
    const run = (...args: readonly string[]) => recovery('repair', ...target, ...args, ...profile)
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const hangs = await run('--run', 'checkDisk', '--yes', '--time-limit-ms', '1500', '--json')
    expect(hangs.exit).toBe(1)
    expect(documentOf(hangs).run.end).toEqual({ kind: 'timedOut' })
    const large = await run('--run', 'stop', '--yes')
    expect(large.exit).toBe(0)
    expect(large.stderr.length).toBeLessThan(400_000)
    const missing = await run('--run', 'restart', '--way', 'keep', '--yes')
    expect(missing).toMatchObject({ exit: 2, stderr: expect.stringContaining('no repair.commands.restart') })
    const absent = await run('--run', 'start', '--way', 'keep', '--yes')
    expect(absent.exit).toBe(1)
    expect(absent.stderr).toMatch(/no such program/)
  })

  test('a signal ends it, and is recorded', async () => {
    const { simulator, server } = await cluster()
    const profile = await withCommands(server, { checkDisk: node('console.log("begun"); setInterval(() => {}, 1000)') })
    await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
    const running = start('kafka-recovery', ['repair', ...target, '--run', 'checkDisk', '--yes', ...profile])
    await new Promise<void>((resolve) => {
      let seen = ''
      running.stderr.on('data', (chunk: Buffer) => {
        seen += chunk
        if (seen.includes('| begun')) resolve()
      })
    })
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    const { runs } = documentOf(await recovery('repair', ...target, '--json', ...profile)).repair
    expect(runs).toMatchObject([{ end: { kind: 'stopped' } }])
  })
})

describe('bad input', () => {
  test.each([
    [['--broker', '9', '--log-dir', '/data/b'], 1, /no broker 9; its brokers: 1, 2, 3/],
    [
      ['--broker', '1', '--log-dir', '/data/z'],
      1,
      /broker 1 has no log directory \/data\/z; it has: \/data\/a, \/data\/b/,
    ],
    [['--broker', 'x', '--log-dir', '/data/b'], 2, /--broker/],
    [['--broker', '9'], 1, /no broker 9; its brokers: 1, 2, 3/],
    [['--broker', '1', '--run', 'stop'], 2, /--run goes with one directory: give --log-dir/],
    [['--broker', '1', '--watch'], 2, /--watch goes with one directory: give --log-dir/],
    [[...target, '--run', 'reboot'], 2, /--run/],
    [[...target, '--write-off', 'orders'], 2, /--write-off/],
    [[...target, '--watch', '--run', 'stop'], 2, /either --watch or --run/],
  ])('%j: exit %i', async (args, exit, says) => {
    const { server } = await cluster()
    expect(await recovery('repair', ...args, ...server)).toMatchObject({ exit, stderr: expect.stringMatching(says) })
  })

  test('a broker of which nothing was seen: said, and no disk is called failed', async () => {
    const { server } = await cluster()
    const ran = await recovery('repair', '--broker', '3', '--log-dir', '/data/b', ...server)
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toMatch(/NOT seen to fail: broker 3 is away/)
    expect(ran.stdout).toMatch(/STEPS: keep the directory/)
  })

  test('directories hidden from this user are not called healthy', async () => {
    const { repair } = await cluster({ refuse: [{ resource: 'CLUSTER', operation: 'DESCRIBE' }] })
    const ran = await repair()
    expect(ran.stdout).toMatch(/hidden from this user/)
    expect(ran.stdout).not.toMatch(/Nothing to repair/)
  })
})
