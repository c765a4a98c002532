import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bin, ownFolder, simulators, WRITES } from './harness.js'

// Where nothing can be kept, nothing is written to a cluster: the journal comes first. What only reads goes on.

const folder = ownFolder()
const simulated = simulators()

/** Root may write everywhere: as anybody else it is refused. */
const AS_ANYBODY =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', process.execPath]
    : [process.execPath]

async function run(home: string, program: string, ...args: readonly string[]) {
  const [file = '', ...first] = AS_ANYBODY
  const { exitCode, stdout, stderr, timedOut } = await execa(file, [...first, bin(program), ...args], {
    reject: false,
    stdin: 'ignore',
    env: { KAFKA_RECOVERY_HOME: home },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  expect(timedOut, `${program} ${args.join(' ')} hangs`).toBe(false)
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  return { exit: exitCode, stdout, stderr, lines: stderr.split('\n') }
}

/** 64 KB, of which nothing is left. Null: nobody may mount here. */
async function fullDisk(): Promise<string | null> {
  const path = folder.path('full')
  await mkdir(path)
  const mounted = await execa('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { reject: false })
  if (mounted.exitCode !== 0) return null
  onTestFinished(async () => {
    await execa('umount', [path])
  })
  await writeFile(`${path}/filler`, Buffer.alloc(64 * 1024)).catch(() => {})
  return path
}

const HOMES: readonly [string, () => Promise<string | null>][] = [
  // Node's own mkdir of all that is missing never returns there (measured on 20.20).
  ['in /proc', async () => '/proc/x'],
  ['a device', async () => '/dev/full'],
  [
    'a file',
    async () => {
      await writeFile(folder.path('file'), '')
      return folder.path('file')
    },
  ],
  [
    'a folder that cannot be written',
    async () => {
      await mkdir(folder.path('read-only'), { mode: 0o500 })
      return folder.path('read-only')
    },
  ],
  [
    'a folder that cannot be entered',
    async () => {
      await mkdir(folder.path('closed'))
      await chmod(folder.path('closed'), 0o600)
      return folder.path('closed')
    },
  ],
  ['a full disk', fullDisk],
]

describe.each(HOMES)('KAFKA_RECOVERY_HOME is %s', (_, make) => {
  test('nothing is sent that writes, and one line says why; reading goes on', async ({ skip }) => {
    const home = await make()
    if (home === null) return skip('nothing can be mounted here')
    const { server, requests } = await simulated('longer-log-older-epoch')
    const status = await run(home, 'kafka-recovery', 'status', ...server)
    expect(status.exit, status.stderr).toBe(0)
    expect(status.stdout).toContain('OFFLINE: 1 of 1 partition')
    const dirs = await run(home, 'kafka-recovery', 'log-dirs', ...server)
    expect(dirs.exit, dirs.stderr).toBe(0)
    expect(dirs.stderr).toMatch(/^warning: what was seen of the log directories cannot be kept: /m)

    const elections = [
      ['kafka-unclean-recovery', '--all-offline-partitions', '--automated-recovery'],
      ['kafka-recovery', 'elect', '--leader', 'orders-0=2', '--yes'],
    ] as const
    for (const [program, ...args] of elections) {
      const ran = await run(home, program, ...args, ...server)
      expect(ran.exit, ran.stderr).toBe(4)
      const refusal = ran.lines.filter((line) => line.startsWith(`${program}: `))
      expect(refusal).toHaveLength(1)
      expect(refusal[0]).toContain(home)
      expect(refusal[0]).toMatch(/nothing was sent.*KAFKA_RECOVERY_HOME/)
    }
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])

    const added = await run(home, 'kafka-recovery', 'profiles', 'add', 'night', ...server)
    expect(added).toMatchObject({ exit: 2, stdout: '' })
    expect(added.lines).toHaveLength(1)
    expect(added.stderr).toContain(home)
  }, 300_000)
})
