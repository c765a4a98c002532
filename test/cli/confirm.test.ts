import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, inject, test } from 'vitest'
import { ownFolder, recovery, simulators, WRITES } from './harness.js'

const folder = ownFolder()
const simulated = simulators()

/** elect in a real terminal: waits for its question, types `answer`, and tells how it ended. */
async function electTyping(args: readonly string[], answer: string): Promise<{ exit: number; screen: string }> {
  const terminal = spawn(process.execPath, [join(inject('packageRoot'), 'bin/kafka-recovery.js'), 'elect', ...args], {
    cols: 120,
    rows: 40,
    env: { ...process.env, NO_COLOR: '1' },
  })
  let screen = ''
  let answered = false
  terminal.onData((data) => {
    screen += data
    if (!answered && screen.includes('to go on: ')) {
      answered = true
      terminal.write(answer)
    }
  })
  const exit = await new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  return { exit, screen }
}

async function planned(name: string) {
  const cluster = await simulated('three-lags')
  const file = folder.path(name)
  expect((await recovery('plan', '--all-offline-partitions', '--output', file, ...cluster.server)).exit).toBe(0)
  return { ...cluster, args: ['--plan', file, ...cluster.server] }
}

describe('elect on a terminal', () => {
  test('shows what would be done, and goes on after the exact words', async () => {
    const { args, simulator } = await planned('exact.json')
    const { exit, screen } = await electTyping(args, 'elect 1 SIMULATED-three-lags\r')
    expect(screen).toMatch(/DESIGNATED LEADER.*audit-0.*to go on: /s)
    expect(exit).toBe(0)
    expect(simulator.inspect().partition('audit', 0)).toMatchObject({ leader: 1, replicas: [4, 3, 2, 1] })
  })

  test.each([
    ['yes\r', 4],
    ['\r', 4],
    ['elect 2 SIMULATED-three-lags\r', 4],
    ['elect 1 SIMULATED-other\r', 4],
    // ctrl-c; ctrl-d
    ['\u0003', 130],
    ['\u0004', 4],
  ])('%j cancels: exit %i, nothing is written', async (answer, code) => {
    const { args, requests } = await planned(`cancelled-${code}-${answer.length}-${answer.charCodeAt(0)}.json`)
    const { exit } = await electTyping(args, answer)
    expect(exit).toBe(code)
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })
})
