import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectTo, contentsOf, documentOf, ownFolder, recovery, simulators, unclean, WRITES } from './harness.js'

// A bootstrap list, or an endpoint, that leads to two clusters: an old address, a tunnel that was moved. What is read says so, and
// nothing is written to either.

const folder = ownFolder()
const simulated = simulators()

const night = (clusterId: string) => ({
  clusterId,
  brokers: [1, 2].map((id) => ({ id, state: id === 1 ? 'down' : 'up', logDirs: ['/d'] })),
  topics: [
    {
      name: 'orders',
      partitions: [
        {
          partition: 0,
          assignment: [1, 2],
          leader: -1,
          leaderEpoch: 3,
          elr: [1],
          lastKnownElr: [1],
          logs: { 2: { logDir: '/d', logStartOffset: 0, logEndOffset: 40, epochs: [[0, 0]] } },
        },
      ],
    },
  ],
})

/** Two clusters that look alike. The second of the list is a little slower, so that it is told which one is read. */
async function two() {
  const one = await simulated(night('SIMULATED-one'))
  const other = await simulated(night('SIMULATED-other'))
  other.simulator.addFault({ api: 'Metadata', delayMs: 60 })
  const servers = `${one.simulator.bootstrapServers},${other.simulator.bootstrapServers}`
  const written = () => [...one.requests, ...other.requests].filter((api) => WRITES.includes(api))
  return { one, other, servers, written }
}

const BOTH = /SIMULATED-one \(127\.0\.0\.1:\d+[^)]*\) and SIMULATED-other \(127\.0\.0\.1:\d+/

describe('the bootstrap list names servers of two clusters', () => {
  test.each([[['check']], [['replicas', 'orders-0']], [['plan', 'orders-0']]])(
    '%j: goes on with the first that answers, and warns with both ids and whose servers they are',
    async (args) => {
      const { servers, written } = await two()
      const ran = await recovery(...args, '--bootstrap-server', servers)
      expect(ran.exit, ran.stderr).toBe(0)
      expect(ran.stdout).toContain('SIMULATED-one')
      expect(ran.stdout + ran.stderr).toMatch(BOTH)
      expect(ran.stdout + ran.stderr).toMatch(/SIMULATED-one answered first/)
      expect(written()).toEqual([])
    },
  )

  test('as JSON it is among the problems', async () => {
    const { servers } = await two()
    const { problems, cluster } = documentOf(await recovery('status', '--json', '--bootstrap-server', servers))
    expect(cluster.id).toBe('SIMULATED-one')
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'mixedClusters', text: expect.stringMatching(BOTH) }),
    )
  })

  test('every writing command refuses, exit 4, before anything was sent or asked; nothing has changed', async () => {
    const { one, other, servers, written } = await two()
    // However slow the second one is: what is written waits for every server that answers.
    other.simulator.addFault({ api: 'Metadata', delayMs: 900 })
    const before = [contentsOf(one.simulator), contentsOf(other.simulator)]
    const server = ['--bootstrap-server', servers]
    const plan = folder.path('plan.json')
    await recovery('plan', 'orders-0', '--output', plan, ...one.server)
    for (const ran of [
      await unclean('--all-offline-partitions', '--automated-recovery', ...server),
      await recovery('elect', '--plan', plan, '--yes', ...server),
      await recovery('elect', '--leader', 'orders-0=2', '--yes', ...server),
    ]) {
      expect(ran.exit, ran.stderr).toBe(4)
      const refusals = ran.stderr.split('\n').filter((line) => line.startsWith('kafka-'))
      expect(refusals).toEqual([expect.stringMatching(BOTH)])
      expect(refusals[0]).toMatch(/nothing (was sent|is written)/)
    }
    expect(written()).toEqual([])
    expect([contentsOf(one.simulator), contentsOf(other.simulator)]).toEqual(before)
  })

  test('the use cases themselves are refused at the port, also where nobody asked before', async () => {
    const { one, other, written } = await two()
    const cluster = await connectTo([one.simulator, other.simulator])
    const orders = [{ topic: 'orders', partition: 0, replicas: [2, 1] }]
    for (const write of [
      () => cluster.reorder(orders, 1_000),
      () => cluster.elect({ kind: 'unclean', partitions: orders }, 1_000),
      () => cluster.refuseMixedClusters(),
    ]) {
      await expect(write()).rejects.toMatchObject({ reason: 'mixedClusters', sent: false, retriable: false })
    }
    expect(written()).toEqual([])
  })
})

test('an endpoint that leads to another cluster: reading names it, writing refuses', async () => {
  const { one, other, written } = await two()
  const [wrong = ''] = other.simulator.bootstrapServers.split(',')
  const args = [...one.server, '--broker-endpoint', `2=${wrong}`]
  const read = await recovery('log-dirs', ...args)
  expect(read.stdout + read.stderr).toMatch(/SIMULATED-other/)
  const ran = await recovery('elect', '--leader', 'orders-0=2', '--yes', ...args)
  expect(ran.exit, ran.stderr).not.toBe(0)
  expect(written()).toEqual([])
  const automated = await unclean('--all-offline-partitions', '--automated-recovery', ...args)
  expect(automated.stderr).toMatch(/SIMULATED-other/)
  expect(written()).toEqual([])
})

test('a server that is dead, or accepts and says nothing, costs reading no time, and writing no more than its deadline', async () => {
  const { one } = await two()
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const server = ['--bootstrap-server', `${one.simulator.bootstrapServers},127.0.0.1:${port},127.0.0.1:1`]
  const limit = ['--request-timeout-ms', '30000']
  const startedReading = performance.now()
  expect((await recovery('status', ...server, ...limit)).exit).toBe(0)
  expect(performance.now() - startedReading).toBeLessThan(20_000)
  const startedWriting = performance.now()
  const ran = await recovery('elect', '--leader', 'orders-0=2', '--yes', ...server, ...limit)
  expect(ran.exit, ran.stderr).toBe(0)
  expect(performance.now() - startedWriting).toBeLessThan(25_000)
}, 60_000)
