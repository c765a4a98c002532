import { describe, expect, it, type TestContext } from 'vitest'
import { type ConnectedCluster, connectCluster } from '../../src/cluster/connect.js'
import { NoBrokerReachableError } from '../../src/cluster/connections.js'
import { checkCluster } from '../../src/recovery/use-cases/check-cluster.js'
import { readStatus } from '../../src/recovery/use-cases/read-status.js'
import { checkScenario } from '../../src/simulator/scenario.js'
import { type RunningSimulator, startSimulator } from '../../src/simulator/simulator.js'

// A broker that accepts connections and leaves one kind of request, or every one, unanswered: the rest of the cluster is read all
// the same, the silent one is named, and a whole read takes no longer than it may.

// Far above what a busy machine needs for an answer, so that only the silent one is late; the tests wait side by side.
const TIMEOUT_MS = 1500
const WHOLE_MS = 3 * TIMEOUT_MS
/** For the test's own work on a busy machine. One deadline more for each broker or request would still be above it. */
const SLACK_MS = 8000

type Finish = Pick<TestContext, 'onTestFinished'>

const log = { logDir: '/data/a', logStartOffset: 0, logEndOffset: 10, epochs: [[0, 0]] }
function scenario(clusterId: string, faults: readonly object[]) {
  return checkScenario(
    {
      clusterId,
      brokers: [1, 2, 3].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/data/a'] })),
      topics: [
        {
          name: 'orders',
          // Broker 3 may become its leader by itself: its logs are read for a status, too.
          partitions: [
            { partition: 0, assignment: [1, 2, 3], leader: -1, isr: [], elr: [], lastKnownElr: [3], logs: { 2: log } },
          ],
        },
      ],
      faults,
    },
    'test',
  )
}

async function start(test: Finish, clusterId: string, faults: readonly object[] = []): Promise<RunningSimulator> {
  const simulator = await startSimulator(scenario(clusterId, faults), {})
  test.onTestFinished(() => simulator.stop())
  return simulator
}

const addresses = (simulator: RunningSimulator) =>
  simulator.bootstrapServers.split(',').map((server) => {
    const [host = '', port] = server.split(':')
    return { host, port: Number(port) }
  })

async function connect(
  test: Finish,
  simulator: RunningSimulator,
  endpoints: readonly (readonly [number, RunningSimulator])[] = [],
): Promise<ConnectedCluster> {
  const cluster = await connectCluster({
    bootstrapServers: addresses(simulator),
    endpoints: new Map(endpoints.map(([id, other]) => [id, addresses(other)[0] ?? { host: '', port: 0 }])),
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
    requestTimeoutMs: TIMEOUT_MS,
    replicaLogInfoApiKey: 93,
  })
  test.onTestFinished(() => cluster.close())
  return cluster
}

const APIS = [
  'Metadata',
  'DescribeQuorum',
  'DescribeCluster',
  'DescribeConfigs',
  'DescribeLogDirs',
  'DescribeTopicPartitions',
  'ListOffsets',
  'ApiVersions',
  '*',
]

describe.concurrent('one of two live brokers is silent', () => {
  it.for(APIS)('%s: status and check tell what the other one knows, in time', async (api, test) => {
    const simulator = await start(test, 'SIMULATED-silent', [{ broker: 2, api, silent: true }])
    const startedAt = performance.now()
    const cluster = await connect(test, simulator)
    const left = () => WHOLE_MS - (performance.now() - startedAt)

    const status = await readStatus(cluster.within(left()), TIMEOUT_MS)
    expect(performance.now() - startedAt).toBeLessThan(WHOLE_MS + SLACK_MS)
    expect(status.offline.map(({ topic, partition }) => `${topic}-${partition}`)).toEqual(['orders-0'])

    const checkedAt = performance.now()
    const checked = await checkCluster(cluster.within(WHOLE_MS))
    expect(performance.now() - checkedAt).toBeLessThan(WHOLE_MS + SLACK_MS)
    expect(checked.capabilities.method).toBe('reorder')

    for (const { code, text } of [...status.snapshot.problems, ...checked.problems]) {
      // The other broker knows the quorum; and no message is left without its cause, or with fractions of a millisecond.
      expect(code).not.toBe('noQuorum')
      expect(text).not.toMatch(/closed by this program|\d\.\d+ ms/)
    }
  })

  it.for([2, 3])('broker %i falls silent between two reads: the other one is asked', async (broker, test) => {
    const simulator = await start(test, 'SIMULATED-silent')
    const cluster = await connect(test, simulator)
    await readStatus(cluster.within(WHOLE_MS), TIMEOUT_MS)
    simulator.addFault({ broker, api: '*', silent: true })
    const { offline, snapshot } = await readStatus(cluster.within(WHOLE_MS), TIMEOUT_MS)
    expect(offline).toHaveLength(1)
    expect(snapshot.problems).not.toContainEqual(expect.objectContaining({ code: 'noQuorum' }))
    expect(snapshot.problems).toContainEqual(expect.objectContaining({ code: 'unreadable', broker }))
  })
})

it.concurrent('no controller leads: said once every broker that was asked has had its time, and all else is read', async (test) => {
  const simulator = await start(test, 'SIMULATED-no-quorum')
  await simulator.apply({ controllerDown: true })
  const startedAt = performance.now()
  const cluster = await connect(test, simulator)
  const { offline, snapshot } = await readStatus(cluster.within(WHOLE_MS), TIMEOUT_MS)
  expect(offline).toHaveLength(1)
  expect(snapshot.problems).toContainEqual(expect.objectContaining({ code: 'noQuorum' }))
  expect(snapshot.logDirs?.map(({ broker }) => broker)).toEqual([2, 3])
  expect(performance.now() - startedAt).toBeLessThan(WHOLE_MS + SLACK_MS)
})

it.concurrent('both are silent: none is reachable, and each is named with its reason', async (test) => {
  const simulator = await start(test, 'SIMULATED-silent', [{ api: 'Metadata', silent: true }])
  const failure = await connect(test, simulator).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(NoBrokerReachableError)
  for (const server of simulator.bootstrapServers.split(',')) {
    expect(String(failure)).toContain(`${server} did not answer Metadata within`)
  }
})

it.concurrent('a broker endpoint that leads to another cluster never decides which cluster is worked on', async (test) => {
  const wanted = await start(test, 'SIMULATED-wanted', [{ api: 'Metadata', delayMs: 300 }])
  const other = await start(test, 'SIMULATED-other')
  const cluster = await connect(test, wanted, [[3, other]])
  const { snapshot } = await readStatus(cluster.within(WHOLE_MS), TIMEOUT_MS)
  expect(snapshot.clusterId).toBe('SIMULATED-wanted')
  expect(snapshot.problems).toContainEqual(expect.objectContaining({ code: 'wrongBroker', broker: 3 }))
})
