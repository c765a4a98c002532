import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { describe, expect, inject, test } from 'vitest'
import { ownFolder, recovery, simulators, WRITES } from './harness.js'
import { emptiedLeader, rackWithoutPower } from './night.js'

const { Terminal } = xterm
const folder = ownFolder()
const simulated = simulators()

/**
 * A command on a terminal of 80x24, with all that scrolled by. `react` is told what was written so far, and may type. A line that
 * the terminal had to break is one line here.
 */
async function onTerminal(
  args: readonly string[],
  react: (written: string, type: (keys: string) => void) => void = () => {},
): Promise<{ exit: number; written: string; lines: string[] }> {
  const screen = new Terminal({ cols: 80, rows: 24, scrollback: 10_000, allowProposedApi: true })
  const terminal = spawn(process.execPath, [join(inject('packageRoot'), 'bin/kafka-recovery.js'), ...args], {
    cols: 80,
    rows: 24,
    env: { ...process.env, NO_COLOR: '1' },
  })
  let written = ''
  terminal.onData((data) => {
    written += data
    screen.write(data)
    react(written, (keys) => terminal.write(keys))
  })
  const exit = await new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  await new Promise<void>((resolve) => screen.write('', resolve))
  const { active } = screen.buffer
  const lines: string[] = []
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row)
    const text = line?.translateToString(true) ?? ''
    if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ''}${text}`)
    else lines.push(text)
  }
  screen.dispose()
  return { exit, written, lines: lines.join('\n').trimEnd().split('\n') }
}

/** Answers each question once. */
function answering(answers: Record<string, string>) {
  const open = new Map(Object.entries(answers))
  return (written: string, type: (keys: string) => void) => {
    for (const [question, keys] of open) {
      if (!written.includes(question)) continue
      open.delete(question)
      type(keys)
    }
  }
}

describe('on a terminal of 80 columns no line is wider, but for names and addresses', () => {
  test.each<[string, object, string[][]]>([
    [
      'a rack without power',
      rackWithoutPower(),
      [
        ['status'],
        ['plan', '--all-offline-partitions'],
        ['plan', '--all-offline-partitions', '--dry-run'],
        ['replicas', '--all-offline-partitions'],
        ['log-dirs'],
        ['check'],
      ],
    ],
    [
      'an emptied leader',
      emptiedLeader(),
      [
        ['status'],
        ['plan', '--all-offline-partitions', '--all', '--dry-run'],
        ['replicas', 'orders-0', 'other-2'],
        ['elect', '--leader', 'orders-0=1', '--leader', 'other-1=3', '--dry-run'],
      ],
    ],
  ])('%s', async (_, scenario, commands) => {
    const { server } = await simulated(scenario)
    for (const args of commands) {
      const { lines } = await onTerminal([...args, ...server])
      expect(lines.length).toBeGreaterThan(3)
      for (const line of lines) {
        if (line.length > 80) expect(line.trim(), `${args.join(' ')}: ${line}`).toMatch(/^\S+( \\)?$/)
      }
    }
  })
})

describe('elect on a terminal', () => {
  test('what stands right above the question are the totals', async () => {
    const { server } = await simulated(rackWithoutPower())
    const file = folder.path('question.json')
    await recovery('plan', '--all-offline-partitions', '--output', file, ...server)
    const { lines, exit } = await onTerminal(
      ['elect', '--plan', file, ...server],
      answering({ 'to go on: ': 'elect 1150 SIMULATED-rack\r' }),
    )
    expect(exit).toBe(1)
    const question = lines.findIndex((line) => line.startsWith('Type "elect 1150 SIMULATED-rack" to go on'))
    const above = lines.slice(question - 8, question).join(' ')
    expect(above).toMatch(/1,150 +partitions +planned/)
    expect(above).toMatch(/lost at least [\d,]+ \+ \?/)
    expect(above).toContain('left to the operator: noCandidate 50')
    // Groups where a script gets each by name, and the sum last.
    expect(lines.join('\n')).not.toMatch(/^audit-\d+: skipped/m)
    expect(lines.join('\n')).toMatch(/\n1,150 elected, 50 skipped in .* s\nnext: check with:\n/)
  })

  test('each thing that a choice by hand overrides is acknowledged by itself; another answer ends it', async () => {
    const { server, requests } = await simulated(emptiedLeader())
    const args = ['elect', '--leader', 'orders-0=1', ...server]
    const given = await onTerminal(
      args,
      answering({ '"accept empty 1" to go on: ': 'accept empty 1\r', '"accept contested 1" to go on: ': 'yes\r' }),
    )
    expect(given.exit).toBe(4)
    expect(given.written).toContain('overrides empty')
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])

    const all = await onTerminal(
      args,
      answering({
        '"accept empty 1" to go on: ': 'accept empty 1\r',
        '"accept contested 1" to go on: ': 'accept contested 1\r',
        '"elect 1 SIMULATED-emptied" to go on: ': 'elect 1 SIMULATED-emptied\r',
      }),
    )
    expect(all.exit).toBe(0)
  })

  test('ctrl-c at the question says that nothing was sent', async () => {
    const { server, requests } = await simulated('three-lags')
    const { exit, lines } = await onTerminal(
      ['elect', '--leader', 'audit-0=1', ...server],
      answering({ 'to go on: ': '\u0003' }),
    )
    expect(exit).toBe(130)
    expect(lines).toContainEqual(
      expect.stringMatching(/^kafka-recovery: ended by SIGINT before it was confirmed: nothing was sent$/),
    )
    expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  })

  test('ctrl-c while it elects: the message is whole, line wrap stays on, what was left is no failure', async () => {
    const { server } = await simulated(
      rackWithoutPower({ faults: [{ broker: 4, api: 'ElectLeaders', delayMs: 1_500, times: 1 }] }),
    )
    const file = folder.path('interrupted.json')
    await recovery('plan', '--all-offline-partitions', '--output', file, ...server)
    const { exit, written, lines } = await onTerminal(
      ['elect', '--plan', file, ...server],
      answering({ 'to go on: ': 'elect 1150 SIMULATED-rack\r', ': elect  -': '\u0003' }),
    )
    expect(exit).toBe(130)
    expect(lines.join('\n')).toMatch(
      /^SIGINT: no new batch is begun, the one under way is finished and its assignments\n +are put back$/m,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence that switches line wrap off
    expect(written).not.toMatch(/\u001b\[\?7l/)
    expect(written).toMatch(/ left 50 /)
    expect(written).not.toMatch(/failed \d|NaN|INF/)
    expect(lines.join('\n')).toMatch(/\n1,000 elected, 150 notAttempted, 50 skipped in /)
    expect(lines.join('\n')).toMatch(/\nnext: go on with what was not begun:\n/)
  })
})
