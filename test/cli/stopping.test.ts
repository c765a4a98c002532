import { expect, test } from 'vitest'
import { contentsOf, ownFolder, recovery, simulators, start } from './harness.js'

ownFolder()
const simulated = simulators()

const PARTITIONS = 2_500

test('SIGTERM in a batch: it is finished and put back, no other is begun, every partition has its outcome, exit 143', async () => {
  const replicas = [3, 1, 2]
  const { server, simulator, requests } = await simulated({
    clusterId: 'SIMULATED-many',
    personality: 'stock',
    brokers: [1, 2, 3].map((id) => ({ id, state: id === 3 ? 'down' : 'up', logDirs: ['/d'] })),
    topics: [
      {
        name: 'many',
        partitions: Array.from({ length: PARTITIONS }, (_, partition) => ({
          partition,
          assignment: replicas,
          leader: -1,
          leaderEpoch: 4,
          isr: [],
          elr: [3],
          lastKnownElr: [3],
          // Broker 2 has more, 1 stands before it: each assignment has to be re-ordered.
          logs: Object.fromEntries(
            [
              [1, 90],
              [2, 100],
            ].map(([broker, end]) => [
              broker,
              { logDir: '/d', logStartOffset: 0, logEndOffset: end, epochs: [[0, 0]] },
            ]),
          ),
        })),
      },
    ],
    // The election of the first batch takes long enough to be interrupted in it.
    faults: [
      { broker: 1, api: 'ElectLeaders', delayMs: 1_500 },
      { broker: 2, api: 'ElectLeaders', delayMs: 1_500 },
    ],
  })
  const child = start('kafka-unclean-recovery', [
    '--all-offline-partitions',
    '--automated-recovery',
    '--json',
    ...server,
  ])
  await expect.poll(() => requests.includes('ElectLeaders'), { timeout: 25_000 }).toBe(true)
  child.kill('SIGTERM')
  const { exitCode, stdout, stderr } = await child

  expect(exitCode).toBe(143)
  const { outcome, summary } = JSON.parse(stdout)
  expect(outcome).toHaveLength(PARTITIONS)
  expect(summary).toEqual({ elected: 1_000, notAttempted: 1_500 })
  expect(stderr).toContain('SIGTERM: no new batch is begun')
  expect(requests.filter((api) => api === 'ElectLeaders')).toHaveLength(1)
  const contents = contentsOf(simulator)
  expect(contents.filter(({ leader }) => leader === 2)).toHaveLength(1_000)
  for (const partition of contents) expect(partition.replicas).toEqual(replicas)
  // Nothing is left for restore.
  expect((await recovery('restore', '--json', ...server)).exit).toBe(0)
}, 60_000)
