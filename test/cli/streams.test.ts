import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { bin, contentsOf, documentOf, ownFolder, recovery, simulators, start, unclean, WRITES } from './harness.js'

// What is at the other end of stdout and stderr, and of KAFKA_RECOVERY_HOME, is not ours: nothing of it may bring a stack trace.

const folder = ownFolder()
const simulated = simulators()
const scenario = 'longer-log-older-epoch'

const fullDisk = openSync('/dev/full', 'w')
afterAll(() => closeSync(fullDisk))

/** With stdout on a full disk. */
async function ontoFullDisk(args: readonly string[]) {
  const child = spawn(process.execPath, [bin('kafka-recovery'), ...args], { stdio: ['ignore', fullDisk, 'pipe'] })
  const [stderr, [exitCode]] = await Promise.all([child.stderr && text(child.stderr), once(child, 'close')])
  return { exitCode, stderr }
}

describe('stdout on a full disk', () => {
  it.each([[['--version']], [['--help']], [['demo', '--list']], [['completion', 'bash']]])(
    '%s: exit 1, no stack trace',
    async (args) => {
      const { exitCode, stderr } = await ontoFullDisk(args)
      expect(exitCode).toBe(1)
      expect(stderr).not.toContain(' at ')
    },
  )

  it('status: exit 1, and said', async () => {
    const { server } = await simulated(scenario)
    const { exitCode, stderr } = await ontoFullDisk(['status', ...server])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stdout cannot be written (ENOSPC)')
  })
})

it.each([[['--version']], [['--help']], [['demo', '--list']]])('%s | true: exit 0, nothing on stderr', async (args) => {
  const child = start('kafka-recovery', args)
  child.stdout?.destroy()
  const { exitCode, stderr } = await child
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
})

it('KAFKA_RECOVERY_HOME is a file: what reads goes on, nothing is elected, exit 4', async () => {
  const { server, simulator, requests } = await simulated(scenario)
  const file = folder.path('home-is-a-file')
  writeFileSync(file, 'x')
  process.env.KAFKA_RECOVERY_HOME = file
  expect((await recovery('status', ...server)).exit).toBe(0)
  const before = contentsOf(simulator)
  const ran = await unclean('--all-offline-partitions', '--automated-recovery', '--json', ...server)
  expect(ran.exit).toBe(4)
  expect(documentOf(ran).error.message).toMatch(/nothing was sent; set KAFKA_RECOVERY_HOME/)
  expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  expect(contentsOf(simulator)).toEqual(before)
})
