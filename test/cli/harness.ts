import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { type ConnectedCluster, connectCluster } from '../../src/cluster/connect.js'
import { checkScenario, parseScenario } from '../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'

export const bin = (program: string) => join(inject('packageRoot'), 'bin', `${program}.js`)
export const caseFile = (path: string) => fileURLToPath(new URL(`../cases/${path}`, import.meta.url))

/** A folder of this test file's own, with the state folder of the programs in it. */
export function ownFolder(): { readonly path: (name: string) => string } {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-test-'))
    process.env.KAFKA_RECOVERY_HOME = join(folder, 'home')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return { path: (name) => join(folder, name) }
}

/** Starts simulated clusters and ends them after each test. `requests`: the api names of what each has received. */
export function simulators() {
  const running: RunningSimulator[] = []
  afterEach(async () => {
    for (const simulator of running.splice(0)) await simulator.stop()
  })
  return async (scenario: string | object) => {
    const requests: string[] = []
    const parsed =
      typeof scenario === 'string'
        ? parseScenario(await readFile(caseFile(`scenarios/${scenario}.json`), 'utf8'), scenario)
        : checkScenario(scenario, 'test')
    const simulator = await startSimulator(parsed, { onRequest: ({ api }) => requests.push(api) })
    running.push(simulator)
    return { simulator, requests, server: ['--bootstrap-server', simulator.bootstrapServers] }
  }
}

/** A session on simulated clusters, in this process: as a use case has it. */
export async function connectTo(
  simulators: readonly RunningSimulator[],
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<ConnectedCluster> {
  const session = await connectCluster({
    bootstrapServers: simulators
      .flatMap(({ bootstrapServers }) => bootstrapServers.split(','))
      .map((server) => {
        const [host = '', port = ''] = server.split(':')
        return { host, port: Number(port) }
      }),
    endpoints: new Map(),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly },
    requestTimeoutMs: 5_000,
    replicaLogInfoApiKey: 93,
  })
  onTestFinished(() => session.close())
  return session
}

/** What the cluster really holds, as plain values: a copy, for comparing before and after. */
export function contentsOf(simulator: RunningSimulator) {
  return [...simulator.inspect().partitions()].map(({ logs, ...registration }) => ({
    ...structuredClone(registration),
    logs: [...logs].map(([broker, { logStartOffset, logEndOffset }]) => ({ broker, logStartOffset, logEndOffset })),
  }))
}

export interface Ran {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs one of the real executables without a terminal. */
export function start(program: 'kafka-recovery' | 'kafka-unclean-recovery', args: readonly string[]) {
  return execa(process.execPath, [bin(program), ...args], { reject: false, stdin: 'ignore' })
}

async function run(program: 'kafka-recovery' | 'kafka-unclean-recovery', args: readonly string[]): Promise<Ran> {
  const { exitCode, stdout, stderr } = await start(program, args)
  // Whatever happens: no stack trace, and no control character from anywhere.
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  return { exit: exitCode ?? -1, stdout, stderr }
}

export const recovery = (...args: readonly string[]) => run('kafka-recovery', args)
export const unclean = (...args: readonly string[]) => run('kafka-unclean-recovery', args)

/** stdout as the one JSON document that it has to be. */
export function documentOf({ stdout }: Ran) {
  expect(stdout.split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}

/** Names of requests that change a cluster. */
export const WRITES = ['AlterPartitionReassignments', 'ElectLeaders', 'CreateTopics', 'IncrementalAlterConfigs']
