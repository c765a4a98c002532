import { writeFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { ApiVersions } from '../../src/protocol/rpc/api-versions.js'
import { DescribeCluster } from '../../src/protocol/rpc/describe-cluster.js'
import { Metadata } from '../../src/protocol/rpc/metadata.js'
import { encodeResponse } from '../../src/protocol/schema/rpc.js'
import { checkScenario } from '../../src/simulator/scenario.js'
import { ownFolder, recovery, simulators, unclean } from '../cli/harness.js'
import { fakeBroker } from '../protocol/transport/fake-broker.js'
import { simulatedConsoles } from '../terminal/harness/simulated-console.js'
import { hostileCluster } from './hostile-cluster.js'
import { ACTED_ON, expectNothingActedOn, HOSTILE_TEXT, TOPIC } from './hostile-names.js'

// Issue 6, 7: what a cluster calls its topics, racks, directories, hosts and itself, and what its brokers say of errors, is shown escaped: by every command, as text and
// as JSON, and by the console. The simulator's own bytes are changed on their way out and in: its checks would not let such names be.

vi.mock('../../src/simulator/server/request-header.js', async (original) =>
  (await import('./hostile-names.js')).onHostileWire(await original()),
)

const folder = ownFolder()
const simulated = simulators()

/** Runs it and gives back what it wrote; fails if a terminal would act on any of it. */
async function written(run: Promise<{ readonly stdout: string; readonly stderr: string; readonly exit: number }>) {
  const { stdout, stderr, exit } = await run
  expect(stdout + stderr).not.toMatch(ACTED_ON)
  return { text: stdout + stderr, exit }
}

const ALL = '--all-offline-partitions'

test.each([
  ['status', []],
  ['replicas', [ALL]],
  ['plan', [ALL, '--accept', 'empty,contested']],
  ['log-dirs', ['--all']],
  ['repair', ['--broker', '2', '--log-dir', '/other', '--dry-run']],
  ['check', []],
  ['restore', []],
])('%s shows hostile names escaped, as text and as JSON', async (command, args) => {
  const { server } = await simulated(hostileCluster())
  const plain = await written(recovery(command, ...args, ...server, '--verbose'))
  if (command !== 'restore' && command !== 'check') expect(plain.text).toContain('\\x1b')
  await written(recovery(command, ...args, ...server, '--json'))
})

test('a dry run, the election with errors that the brokers explain, and the report', async () => {
  const { simulator, server } = await simulated(hostileCluster())
  const dry = await written(unclean(ALL, '--show-replica-info', '--automated-recovery', '--dry-run', ...server))
  expect(dry.text).toContain('\\x1b')
  simulator.addFault({ api: 'AlterPartitionReassignments', error: 41, times: 1 })
  simulator.addFault({ api: 'ElectLeaders', error: 3, topic: TOPIC, partition: 0, times: 4 })
  const failed = await written(unclean(ALL, '--automated-recovery', ...server))
  expect(failed.exit).toBe(1)
  expect(failed.text).toContain('\\x1b')
  await written(unclean(ALL, '--automated-recovery', '--json', ...server))
})

test('a plan file that names such a topic is refused, and shows nothing of it', async () => {
  const { server } = await simulated(hostileCluster())
  const file = folder.path('hostile-plan.json')
  await written(recovery('plan', ALL, '--output', file, ...server))
  expect((await written(recovery('elect', '--plan', file, '--dry-run', ...server))).exit).toBe(2)
})

test('names in files that the operator hands over, too', async () => {
  const { server } = await simulated(hostileCluster())
  const file = folder.path('hostile-partitions.json')
  await writeFile(file, JSON.stringify({ partitions: [{ topic: HOSTILE_TEXT, partition: 0 }], [HOSTILE_TEXT]: 1 }))
  await written(unclean('--path-to-json-file', file, '--show-replica-info', ...server))
  await written(recovery('replicas', `${HOSTILE_TEXT}-0`, ...server))
  await written(recovery('status', '--bootstrap-server', HOSTILE_TEXT))
  await written(recovery('status', '--profile', HOSTILE_TEXT))
  await written(recovery(HOSTILE_TEXT))
  await written(recovery('status', ...server, `--${HOSTILE_TEXT}`))
})

test('a host name that a broker advertises', async () => {
  const host = `a${HOSTILE_TEXT}.example`
  const broker = await fakeBroker(({ apiKey, apiVersion }) => {
    if (apiKey === ApiVersions.apiKey) {
      return encodeResponse(ApiVersions, 3, {
        errorCode: 0,
        apiKeys: [
          { apiKey: ApiVersions.apiKey, minVersion: 0, maxVersion: 4 },
          { apiKey: Metadata.apiKey, minVersion: 0, maxVersion: 13 },
          { apiKey: DescribeCluster.apiKey, minVersion: 0, maxVersion: 2 },
        ],
      })
    }
    const body =
      apiKey === Metadata.apiKey
        ? encodeResponse(Metadata, apiVersion, {
            brokers: [1, 2].map((nodeId) => ({ nodeId, host, port: 9, rack: HOSTILE_TEXT })),
            clusterId: HOSTILE_TEXT,
            topics: [],
          })
        : encodeResponse(DescribeCluster, apiVersion, {
            throttleTimeMs: 0,
            errorCode: 31,
            errorMessage: HOSTILE_TEXT,
            clusterId: HOSTILE_TEXT,
            controllerId: 1,
            brokers: [],
            clusterAuthorizedOperations: 0,
          })
    return Buffer.concat([Buffer.of(0), body])
  })
  try {
    const server = ['--bootstrap-server', `127.0.0.1:${broker.port}`, '--request-timeout-ms', '2000']
    for (const command of ['status', 'check', 'log-dirs']) {
      const { text } = await written(recovery(command, ...server, '--verbose'))
      expect(text).toContain('\\x1b')
      await written(recovery(command, ...server, '--json'))
    }
  } finally {
    await broker.close()
  }
})

test('the console: nothing of it reaches the terminal, on any screen', async () => {
  const consoles = await simulatedConsoles(checkScenario(hostileCluster(), 'hostile'))
  try {
    const screen = await consoles.open({ columns: 120, rows: 40 })
    for (const keys of [
      '1',
      '\r',
      '\r',
      '\x1b',
      '\x1b',
      '2',
      '\r',
      '\x1b',
      '3',
      '\r',
      '\x1b',
      '4',
      '\r',
      '\x1b',
      '5',
      '6',
      '7',
      '1',
      'p',
      '2',
      '?',
      '\x1b',
      '/',
    ]) {
      const before = screen.bytes
      screen.send(keys)
      await vi.waitUntil(() => screen.bytes > before, { timeout: 1_000 }).catch(() => undefined)
    }
    // As it shows itself escaped.
    expect(screen.raw).toContain('\\x1b]0;owned')
    expectNothingActedOn(screen.raw)
    screen.send('\x1b')
  } finally {
    await consoles.stop()
  }
})
