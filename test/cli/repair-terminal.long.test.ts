import { existsSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../terminal/harness/screen-program.js'
import { bin, documentOf, ownFolder, recovery, simulators } from './harness.js'

// `repair --run STEP` as a person has it: the profile's command is shown whole, asked about, streamed, and can be ended. The "host" is a script
// on this machine, which does what its environment says and leaves a process of its own behind.

const folder = ownFolder()
const simulated = simulators()

const SCRIPT = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const { MODE, RAN, CHILD } = process.env
writeFileSync(RAN, process.argv.slice(2).join(' '))
console.log('on broker', ...process.argv.slice(2))
if (MODE === 'fails') process.exit(7)
if (MODE === 'floods') {
  const line = 'x'.repeat(1023) + '\\n'
  for (let i = 0; i < 4096; i++) process.stdout.write(line)
  console.log('the last line')
}
if (MODE === 'hangs' || MODE === 'resists') {
  const ignores = MODE === 'resists' ? "process.on('SIGTERM', () => {});" : ''
  const child = spawn(process.execPath, ['-e', ignores + 'console.log("begun"); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync(CHILD, String(child.pid))
  if (MODE === 'resists') process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
`

let runs = 0
/** The step in a pty, with the question on the screen. */
async function asked(mode: 'succeeds' | 'fails' | 'floods' | 'hangs' | 'resists', ...args: readonly string[]) {
  const number = ++runs
  const { simulator, server } = await simulated({
    clusterId: `SIMULATED-repair-terminal-${process.pid}-${number}`,
    brokers: [1, 2].map((id) => ({ id, logDirs: ['/data/a', '/data/b'] })),
    topics: [{ name: 'orders', partitionCount: 4, replicationFactor: 2, offlineShare: 0, seed: 3 }],
  })
  await simulator.apply({ failLogDir: { broker: 1, path: '/data/b' } })
  const script = folder.path('host.mjs')
  await writeFile(script, SCRIPT)
  const command = JSON.stringify([process.execPath, script, '{broker}', '{logDir}'])
  const added = await recovery('profiles', 'add', `p${number}`, ...server, '--repair-stop', command)
  expect(added.exit, added.stderr).toBe(0)
  const profile = ['--profile', `p${number}`]
  const ran = folder.path(`ran-${number}`)
  const child = folder.path(`child-${number}`)
  const target = ['repair', '--broker', '1', '--log-dir', '/data/b']
  const program = startProgram(
    process.execPath,
    [bin('kafka-recovery'), ...target, '--run', 'stop', ...args, ...profile],
    {
      columns: 120,
      rows: 40,
      env: { KAFKA_RECOVERY_HOME: folder.path('home'), MODE: mode, RAN: ran, CHILD: child },
    },
  )
  onTestFinished(async () => {
    await program.dispose()
    rmSync(ran, { force: true })
  })
  await program.waitFor('Type "stop broker 1" to go on:')
  return {
    program,
    /** What the script was given; null: it was not run. */
    given: () => (existsSync(ran) ? readFileSync(ran, 'utf8') : null),
    childPid: () => Number(readFileSync(child, 'utf8')),
    record: async () => documentOf(await recovery(...target, '--json', ...profile)).repair.runs,
  }
}

const TYPED = 'stop broker 1\r'

describe('the question', () => {
  test('comes below the whole command; the exact words run it', async () => {
    const { program, given, record } = await asked('succeeds')
    expect(program.text()).toMatch(
      /To be run on this machine, without a shell[\s\S]*host\.mjs[\s\S]*\/data\/b[\s\S]*Type "/,
    )
    expect(given()).toBeNull()
    program.send(TYPED)
    expect(await program.exited).toMatchObject({ code: 0 })
    expect(given()).toBe('1 /data/b')
    expect(program.text()).toMatch(/^\| on broker 1 \/data\/b$/m)
    expect(program.text()).toMatch(/stop: exit 0 after \d+\.\d s/)
    expect(await record()).toMatchObject([{ step: 'stop', end: { kind: 'exited', code: 0 } }])
  })

  test.each([
    ['yes\r', 4],
    ['\r', 4],
    ['stop broker 2\r', 4],
    ['start broker 1\r', 4],
    // ctrl-c; ctrl-d
    ['\u0003', 130],
    ['\u0004', 4],
  ])('%j cancels: exit %i, nothing is run', async (answer, code) => {
    const { program, given, record } = await asked('succeeds')
    program.send(answer)
    expect(await program.exited).toMatchObject({ code })
    expect(given()).toBeNull()
    expect(await record()).toEqual([])
  })
})

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    // A zombie has ended, and only waits to be counted.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('the command', () => {
  test('that fails: its exit code is told and kept, exit 1', async () => {
    const { program, record } = await asked('fails')
    program.send(TYPED)
    expect(await program.exited).toMatchObject({ code: 1 })
    expect(program.text()).toMatch(/stop: exit 7 after/)
    expect(await record()).toMatchObject([{ end: { kind: 'exited', code: 7 } }])
  })

  test('that prints megabytes: bounded on the screen, told, and not held up', async () => {
    const { program, given, record } = await asked('floods')
    program.send(TYPED)
    expect(await program.exited).toMatchObject({ code: 0 })
    expect(given()).toBe('1 /data/b')
    expect(program.bytes).toBeLessThan(600_000)
    expect(program.raw).toMatch(/more than 256 KiB: the rest is not shown/)
    // How it ended is on the screen, with how much is missing above it.
    expect(program.raw).toMatch(/[34]\.\d MiB were not shown; its last lines:/)
    expect(program.text()).toMatch(/^\| the last line$/m)
    expect(await record()).toMatchObject([{ end: { kind: 'exited', code: 0 } }])
  })

  test('that hangs: ended at its time limit, and what it started with it, exit 1', async () => {
    const { program, childPid, record } = await asked('hangs', '--time-limit-ms', '1500')
    program.send(TYPED)
    await program.waitFor('| begun')
    expect(await program.exited).toMatchObject({ code: 1 })
    expect(program.text()).toMatch(/that was its time limit/)
    await expect.poll(() => isAlive(childPid())).toBe(false)
    expect(await record()).toMatchObject([{ end: { kind: 'timedOut' } }])
  })

  test.each(['hangs', 'resists'] as const)(
    'that %s: ctrl-c ends it and what it started, it is recorded, exit 130, the terminal is as before',
    async (mode) => {
      const { program, childPid, record } = await asked(mode)
      program.send(TYPED)
      await program.waitFor('| begun')
      expect(isAlive(childPid())).toBe(true)
      program.send('\u0003')
      await program.waitFor(/ending stop: SIGTERM now/)
      expect(await program.exited).toMatchObject({ code: 130 })
      expect(program.text()).toMatch(/stopped by you/)
      await expect.poll(() => isAlive(childPid())).toBe(false)
      expect(program.state).toMatchObject({ alternateScreen: false, cursorVisible: true })
      expect(await record()).toMatchObject([{ end: { kind: 'stopped' } }])
    },
  )
})
