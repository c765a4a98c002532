import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LINES_KEPT, type RunOptions, runCommand, SHOWN_BYTES, succeeded } from '../../src/repair/run-command.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-command-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const node = (script: string): [string, ...string[]] => [process.execPath, '-e', script]

function watched(options: Partial<RunOptions> = {}) {
  const lines: string[] = []
  const abort = new AbortController()
  return {
    lines,
    abort,
    options: {
      timeLimitMs: 20_000,
      graceMs: 500,
      signal: abort.signal,
      onLine: (line: string) => lines.push(line),
      ...options,
    },
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('a command of a repair', () => {
  test('streams both outputs line by line, and tells exit code and duration', async () => {
    const { lines, options } = watched()
    const result = await runCommand(node('console.log("one"); console.error("two"); process.exit(3)'), options)
    expect(result.end).toEqual({ kind: 'exited', code: 3 })
    expect(succeeded(result)).toBe(false)
    expect(lines.sort()).toEqual(['one', 'two'])
    expect(result.durationMs).toBeGreaterThan(0)
  })

  test('is run without a shell: nothing in an argument is interpreted', async () => {
    const { lines, options } = watched()
    const result = await runCommand(
      [process.execPath, '-p', 'process.argv[1]', '$(touch /tmp/x); `id` && true'],
      options,
    )
    expect(succeeded(result)).toBe(true)
    expect(lines).toEqual(['$(touch /tmp/x); `id` && true'])
  })

  test('a program that is not there is told as such', async () => {
    const { options } = watched()
    const result = await runCommand(['/nowhere/no-such-program'], options)
    expect(result.end).toMatchObject({ kind: 'notStarted', reason: expect.stringContaining('no such program') })
  })

  test('megabytes without and with line ends: shown up to a bound, the last lines kept, the program not held up', async () => {
    for (const script of ['"x".repeat(1000) + "\\n"', '"y".repeat(1000)']) {
      const { lines, options } = watched()
      const result = await runCommand(
        node(
          `let i = 0; const go = () => { while (i++ < 20000) if (!process.stdout.write(${script})) return process.stdout.once("drain", go) }; go()`,
        ),
        options,
      )
      expect(result.end).toEqual({ kind: 'exited', code: 0 })
      expect(lines.join('\n').length).toBeLessThan(SHOWN_BYTES + 1000)
      expect(result.output.length).toBeLessThanOrEqual(LINES_KEPT)
      expect(result.droppedBytes).toBeGreaterThan(19_000_000)
    }
  })

  test.each(['inherit', 'ignore'])(
    'one that starts a server and ends has ended, and the server lives (its output: %s)',
    async (stdio) => {
      const file = join(folder, `server-${stdio}`)
      const server = `setInterval(() => console.log("still here"), 20)`
      const { lines, options } = watched({ timeLimitMs: 15_000 })
      const result = await runCommand(
        node(
          `const c = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(server)}], { stdio: ${JSON.stringify(stdio)} }); require("fs").writeFileSync(${JSON.stringify(file)}, String(c.pid)); console.log("started"); process.exit(4)`,
        ),
        options,
      )
      const child = Number(readFileSync(file, 'utf8'))
      try {
        expect(result.end).toEqual({ kind: 'exited', code: 4 })
        expect(lines[0]).toBe('started')
        expect(result.durationMs).toBeLessThan(10_000)
        // Nothing of the server's reaches whoever runs the next command; and it is not stopped by a pipe that nobody reads.
        const shown = lines.length
        await new Promise((resolve) => setTimeout(resolve, 300))
        expect(lines).toHaveLength(shown)
        expect(isAlive(child)).toBe(true)
      } finally {
        process.kill(child, 'SIGKILL')
      }
    },
  )

  test('one that hangs is ended at its time limit, with what it started', async () => {
    const file = join(folder, 'child')
    const { options } = watched({ timeLimitMs: 1_500 })
    const result = await runCommand(
      node(
        `const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); require("fs").writeFileSync(${JSON.stringify(file)}, String(c.pid)); setInterval(() => {}, 1000)`,
      ),
      options,
    )
    expect(result.end).toEqual({ kind: 'timedOut' })
    const child = Number(readFileSync(file, 'utf8'))
    expect(child).toBeGreaterThan(0)
    await until(() => !isAlive(child))
  })

  test('one that ignores SIGTERM is killed after a grace; stopping is told apart', async () => {
    const file = join(folder, 'deaf')
    const { abort, options } = watched()
    const running = runCommand(
      node(
        `process.on("SIGTERM", () => {}); require("fs").writeFileSync(${JSON.stringify(file)}, "1"); setInterval(() => {}, 1000)`,
      ),
      options,
    )
    await until(() => existsSync(file))
    abort.abort()
    expect((await running).end).toEqual({ kind: 'stopped' })
  })
})
