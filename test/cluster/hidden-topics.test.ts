import { expect, it, onTestFinished } from 'vitest'
import { connectCluster } from '../../src/cluster/connect.js'
import { checkScenario } from '../../src/simulator/scenario.js'
import { startSimulator } from '../../src/simulator/simulator.js'

// Topics that a user may not see are missing in the metadata without a word: that there are some, or may be, is said all the same.

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const log = { logDir: '/data/a', logStartOffset: 0, logEndOffset: 10, epochs: [[0, 0]] }

/** What a snapshot says of hidden topics, and whether more than the usual was asked for it. */
async function saidOf(refuse: readonly object[], { logDirs = true, down = false } = {}) {
  const asked: string[] = []
  const simulator = await startSimulator(
    checkScenario(
      {
        clusterId: 'SIMULATED-hidden',
        brokers: [1, 2].map((id) => ({ id, state: down && id === 1 ? 'down' : 'up', logDirs: ['/data/a'] })),
        topics: NAMES.map((name) => ({
          name,
          partitions: [{ partition: 0, assignment: [2], leader: 2, isr: [2], logs: { 2: log } }],
        })),
        refuse,
      },
      'test',
    ),
    { onRequest: ({ api }) => asked.push(api) },
  )
  onTestFinished(() => simulator.stop())
  const bootstrapServers = simulator.bootstrapServers.split(',').map((server) => {
    const [host = '', port] = server.split(':')
    return { host, port: Number(port) }
  })
  const cluster = await connectCluster({
    bootstrapServers,
    endpoints: new Map(),
    requestTimeoutMs: 10_000,
    replicaLogInfoApiKey: 93,
    transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
  })
  try {
    const { problems, partitions } = await cluster.snapshot({ logDirs, elr: false, configs: false, quorum: false })
    const said = problems.filter(({ code }) => code === 'hiddenTopics').map(({ text }) => text)
    return { said, partitions: partitions.length, metadata: asked.filter((api) => api === 'Metadata').length }
  } finally {
    await cluster.close()
  }
}

const topic = (name?: string) => ({ resource: 'TOPIC', operation: 'DESCRIBE', ...(name === undefined ? {} : { name }) })
const cluster = { resource: 'CLUSTER', operation: 'DESCRIBE' }

it.each([
  ['nothing is hidden', [], {}, []],
  ['nothing is hidden, a broker is down', [], { down: true }, []],
  ['one', [topic('c')], {}, [/^1 topic is hidden: c; how they are is not known \(needs Describe on the topics\)$/]],
  [
    'several, the first of them named',
    NAMES.slice(1).map(topic),
    {},
    [/^6 topics are hidden: b, c, d, e, f, \.\.\.; /],
  ],
  ['all, and with a broker down there may be more', [topic()], { down: true }, [/^at least 7 topics are hidden: a, /]],
  ['all, and no directory tells of them', [topic(), cluster], {}, [/^topics may be hidden; /]],
  ['all, and no directory was asked for', [topic()], { logDirs: false }, [/^topics may be hidden; /]],
] as const)('%s', async (_name, refuse, options, says) => {
  const { said } = await saidOf(refuse, options)
  expect(said).toEqual(says.map((text) => expect.stringMatching(text)))
})

it('costs no request where every broker tells its directories and all their topics are seen', async () => {
  const [open, guarded] = [await saidOf([]), await saidOf([topic('c')])]
  expect(guarded.metadata).toBe(open.metadata + 1)
  expect([open.partitions, guarded.partitions]).toEqual([7, 6])
})
