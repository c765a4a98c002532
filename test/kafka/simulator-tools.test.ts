import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { log, scenarioOf, start } from '../simulator/client.js'
import { kafkaJars } from './harness/jars.js'

// Kafka's own tools, of 4.4.0, take the simulator for a cluster.

const cluster = scenarioOf({
  brokers: [1, 2, 3].map((id) => ({
    id,
    logDirs: ['/data/a', '/data/b'],
    ...(id === 3 ? { failedLogDirs: ['/data/b'] } : {}),
  })),
  topics: [
    {
      name: 'orders',
      config: { 'min.insync.replicas': '2' },
      partitions: [
        {
          partition: 0,
          assignment: [3, 1, 2],
          leader: -1,
          leaderEpoch: 4,
          lastKnownElr: [3],
          logs: {
            1: log(0, 90, [[0, 0]]),
            2: log(0, 95, [[0, 0]]),
            3: log(0, 100, [[0, 0]], { logDir: '/data/b' }),
          },
        },
        { partition: 1, assignment: [1, 2], leader: 1, leaderEpoch: 1, isr: [1, 2] },
      ],
    },
  ],
})

async function tool(running: RunningSimulator, name: string, ...args: string[]): Promise<string> {
  const { classpath } = await kafkaJars('4.4.0')
  const { stdout } = await execa(
    'java',
    [
      '-Xmx200m',
      '-cp',
      classpath,
      `org.apache.kafka.tools.${name}`,
      '--bootstrap-server',
      running.bootstrapServers,
      ...args,
    ],
    { stdin: 'ignore', stderr: 'ignore', timeout: 60_000 },
  )
  return stdout
}

test('kafka-topics describes it', async () => {
  const running = await start(cluster)
  expect(await tool(running, 'TopicCommand', '--describe')).toContain(
    'Topic: orders\tPartition: 0\tLeader: none\tReplicas: 3,1,2\tIsr: \tElr: \tLastKnownElr: 3',
  )
  const unavailable = await tool(running, 'TopicCommand', '--describe', '--unavailable-partitions')
  expect(unavailable.match(/Partition: \d/g)).toEqual(['Partition: 0'])
})

test('kafka-log-dirs tells the failed directory', async () => {
  const running = await start(cluster)
  const json = (await tool(running, 'LogDirsCommand', '--describe')).split('\n').find((line) => line.startsWith('{'))
  const { brokers } = JSON.parse(json!)
  const third = brokers.find(({ broker }: { broker: number }) => broker === 3)
  expect(third.logDirs).toContainEqual({
    partitions: [],
    error: 'org.apache.kafka.common.errors.KafkaStorageException',
    logDir: '/data/b',
  })
})

test('kafka-leader-election elects', async () => {
  const running = await start(cluster)
  const said = await tool(
    running,
    'LeaderElectionCommand',
    '--election-type',
    'UNCLEAN',
    '--topic',
    'orders',
    '--partition',
    '0',
  )
  expect(said).toContain('Successfully completed leader election (UNCLEAN) for partitions orders-0')
  expect(running.inspect().partition('orders', 0)!.leader).toBe(1)
})

test('kafka-reassign-partitions re-orders, moves and verifies', async () => {
  const running = await start(cluster)
  const folder = mkdtempSync(join(tmpdir(), 'simulator-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'reassignment.json')
  const partitions = [
    { topic: 'orders', partition: 0, replicas: [2, 1, 3] },
    { topic: 'orders', partition: 1, replicas: [1, 2, 3] },
  ]
  writeFileSync(file, JSON.stringify({ version: 1, partitions }))
  const command = 'reassign.ReassignPartitionsCommand'
  expect(await tool(running, command, '--reassignment-json-file', file, '--execute')).toContain(
    'Successfully started partition reassignments for orders-0,orders-1',
  )
  expect(running.inspect().partition('orders', 0)).toMatchObject({ replicas: [2, 1, 3], leader: -1 })
  const verified = await tool(running, command, '--reassignment-json-file', file, '--verify')
  expect(verified).toContain('Reassignment of partition orders-0 is completed.')
  expect(verified).toContain('Reassignment of partition orders-1 is completed.')
})
