import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { partitionName } from '../../../src/cluster/snapshot.js'
import type { LoggedRequest } from '../../../src/simulator/request-log.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'
import { type RunningSimulator, startSimulator } from '../../../src/simulator/simulator.js'
import { type ProgramOptions, type ScreenProgram, startProgram } from './screen-program.js'
import { type ShellJob, startJob } from './shell-job.js'

/** On every first screen on which something is offline. */
const FIRST_SCREEN = 'OFFLINE of'

const WRITING = new Set(['AlterPartitionReassignments', 'ElectLeaders', 'IncrementalAlterConfigs'])

/** A request that writes, with what it names and what of that had a leader at the moment it came in. */
export interface SentWrite extends LoggedRequest {
  /** `topic-partition`; null: a null list, which means all. */
  readonly named: readonly string[] | null
  readonly led: readonly string[]
}

/** A simulated cluster in this process, with real consoles on it in ptys: what they sent is known, and what the cluster really is. */
export interface SimulatedConsoles {
  readonly simulator: RunningSimulator
  /** Folder of state, and working directory of the consoles. */
  readonly home: string
  /** Requests that write, so far. */
  writes(): readonly SentWrite[]
  /** Every assignment in its order, by `topic-partition`. */
  assignments(): Readonly<Record<string, readonly number[]>>
  leaderOf(topic: string, partition: number): number | undefined
  /** Opens a console; resolves when its first screen is there. */
  open(options?: ConsoleStart): Promise<ScreenProgram>
  /** The same as a job of an interactive shell: what it leaves of the terminal can be looked at. */
  openJob(options?: ConsoleStart): Promise<ShellJob>
  stop(): Promise<void>
}

export interface ConsoleStart extends ProgramOptions {
  readonly args?: readonly string[]
  /** What shows that it is there; null: it is not waited for. */
  readonly firstScreen?: string | null
}

export async function simulatedConsoles(scenario: Scenario): Promise<SimulatedConsoles> {
  const writes: SentWrite[] = []
  const simulator: RunningSimulator = await startSimulator(scenario, {
    onRequest(request, named) {
      if (!WRITING.has(request.api)) return
      const { partition } = simulator.inspect()
      const led = named?.filter((one) => (partition(one.topic, one.partition)?.leader ?? -1) >= 0) ?? []
      writes.push({ ...request, named: named?.map(partitionName) ?? null, led: led.map(partitionName) })
    },
  })
  const home = await mkdtemp(join(tmpdir(), 'kafka-recovery-console-'))
  const screens: ScreenProgram[] = []
  const commandLine = (args = ['--bootstrap-server', simulator.bootstrapServers] as readonly string[]) => [
    join(inject('packageRoot'), 'bin/kafka-recovery.js'),
    ...args,
    '--refresh-ms',
    '300',
  ]
  const place = (env: ConsoleStart['env']) => ({ cwd: home, env: { KAFKA_RECOVERY_HOME: home, ...env } })
  return {
    simulator,
    home,
    writes: () => writes,
    assignments: () =>
      Object.fromEntries(
        [...simulator.inspect().partitions()].map(({ topic, partition, replicas }) => [
          `${topic}-${partition}`,
          [...replicas],
        ]),
      ),
    leaderOf: (topic, partition) => simulator.inspect().partition(topic, partition)?.leader,
    async open({ env, firstScreen = FIRST_SCREEN, args, ...options } = {}) {
      const screen = startProgram(process.execPath, commandLine(args), { ...place(env), ...options })
      screens.push(screen)
      if (firstScreen !== null) await screen.waitFor(firstScreen)
      return screen
    },
    async openJob({ env, firstScreen = FIRST_SCREEN, args, ...options } = {}) {
      const job = await startJob([process.execPath, ...commandLine(args)].join(' '), { ...place(env), ...options })
      screens.push(job)
      if (firstScreen !== null) await job.waitFor(firstScreen)
      return job
    },
    async stop() {
      for (const screen of screens) await screen.dispose()
      await simulator.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Moves the cursor down to the row that matches, as an operator does; fails where the list ends before. */
export async function moveTo(screen: ScreenProgram, row: RegExp, limit = 40): Promise<void> {
  const cursorLine = (lines: readonly string[]) =>
    lines.find((line) => line.startsWith('>') && !line.startsWith('>[') && line !== '>')
  for (let step = 0; step < limit; step += 1) {
    const here = cursorLine(screen.lines())
    if (here !== undefined && row.test(here)) return
    screen.send('j')
    await screen.waitFor((lines) => {
      const next = cursorLine(lines)
      return next !== undefined && next !== here
    })
  }
  throw new Error(`no row ${row}:\n${screen.text()}`)
}
