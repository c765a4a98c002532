import { afterEach, describe, expect, test } from 'vitest'
import { caseFile, documentOf, ownFolder, recovery, start } from './harness.js'

// A simulated cluster in one shell, told from another one what shall happen.

ownFolder()
const running: ReturnType<typeof start>[] = []
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(143)
  }
})

async function simulate() {
  const child = start('kafka-recovery', ['simulate', '--scenario', caseFile('scenarios/three-lags.json')])
  running.push(child)
  let line = ''
  child.stdout?.on('data', (chunk) => {
    line += chunk
  })
  await expect.poll(() => line.endsWith('\n')).toBe(true)
  const { bootstrapServers, control } = JSON.parse(line) as { bootstrapServers: string; control: string }
  return {
    tell: (...words: readonly string[]) => recovery('simulate-control', '--control', control, ...words),
    logDirs: async () =>
      documentOf(await recovery('log-dirs', '--json', '--bootstrap-server', bootstrapServers)).logDirs as {
        broker: number
        path: string
        state: string
      }[],
  }
}

describe('simulate-control', () => {
  test('fails, replaces and removes a directory, stops and starts a broker: every other command sees it', async () => {
    const { tell, logDirs } = await simulate()
    const [dir] = (await logDirs()).filter(({ state }) => state === 'online')
    const { broker, path } = dir!
    const told = await tell('fail-dir', String(broker), path)
    expect(told).toMatchObject({ exit: 0, stdout: `done: fail-dir ${broker} ${path}` })
    const states = async () => (await logDirs()).filter((one) => one.broker === broker && one.path === path)
    // The scenario's brokers have one directory each: without it they exit.
    expect((await states()).map(({ state }) => state)).not.toContain('online')
    expect((await tell('replace-dir', String(broker), path)).exit).toBe(0)
    expect(documentOf(await tell('--json', 'start-broker', String(broker)))).toEqual({
      done: ['start-broker', String(broker)],
    })
    expect((await states()).map(({ state }) => state)).toEqual(['online'])
    expect((await tell('stop-broker', String(broker))).exit).toBe(0)
  })

  test('mistakes are one line each: usage 2, what the cluster has not 1, nobody there 3', async () => {
    const { tell } = await simulate()
    const wrong = await tell('fail-dir', '1')
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining('write fail-dir BROKER PATH') })
    expect(wrong.stderr.split('\n')).toHaveLength(1)
    expect(await tell('fail-dir', '1', '/nowhere')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('broker 1 has no log directory /nowhere; nothing happened'),
    })
    expect((await recovery('simulate-control', '--control', '127.0.0.1:1', 'stop-broker', '1')).exit).toBe(3)
    expect((await recovery('simulate-control', '--control', '10.0.0.1:9092', 'stop-broker', '1')).exit).toBe(2)
    expect((await recovery('simulate-control', '--help')).stdout).toMatch(
      /fail-dir BROKER PATH +the log directory fails/,
    )
  })
})
