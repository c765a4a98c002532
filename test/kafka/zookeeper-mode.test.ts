import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentOf, ownFolder, recovery, unclean } from '../cli/harness.js'
import type { TestCluster } from './harness/cluster.js'
import { startZookeeperCluster } from './harness/zookeeper.js'

// ZooKeeper mode, 3.9.2: everything that reads works, without DescribeQuorum and DescribeTopicPartitions; what writes needs the
// method by name, and then elects as planned.

ownFolder()
let kafka: TestCluster
const assignment = [
  [3, 1, 2],
  [1, 2, 3],
]
const server = () => ['--bootstrap-server', kafka.bootstrapServers]
const values = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name} ${n}`)

/** Logs of each partition: 3 has 10, 2 has 15, 1 has 18 and is down. Broker 4 only keeps the cluster alive. */
beforeAll(async () => {
  kafka = await startZookeeperCluster({ version: '3.9.2', brokers: 4 })
  await kafka.createTopics([
    { name: 'lags', assignment },
    { name: 'blind', assignment: [[3, 1, 2]] },
    { name: 'moved', assignment: [[3, 1, 2]] },
  ])
  const write = async (count: number, isr: readonly number[]) => {
    for (const [topic, partition] of [
      ['lags', 0],
      ['lags', 1],
      ['blind', 0],
      ['moved', 0],
    ] as const) {
      await kafka.untilDescribed(topic, `in sync ${isr.join()}`, (views) =>
        views.every((view) => [...view.isr].sort().join() === isr.join()),
      )
      await kafka.produce(topic, partition, values(count, `${topic}-${partition} of ${isr.join('+')}`), { acks: -1 })
    }
  }
  const lose = async (id: number) => {
    await kafka.broker(id).kill()
    await kafka.untilFenced(id)
  }
  await write(10, [1, 2, 3])
  await lose(3)
  await write(5, [1, 2])
  await lose(2)
  await write(3, [1])
  await lose(1)
  await kafka.start(2, 3)
  await kafka.untilAlive([2, 3, 4])
  for (const topic of ['lags', 'blind', 'moved']) {
    await kafka.untilDescribed(topic, 'without a leader', (views) => views.every(({ leader }) => leader === -1))
  }
})
afterAll(async () => {
  await kafka?.dispose()
})

const rowsOf = (plan: { partitions: Record<string, unknown>[] }) =>
  plan.partitions.map(({ topic, partition, designatedLeader, kafkaWouldElect, method }) => [
    `${topic}-${partition}`,
    designatedLeader,
    kafkaWouldElect,
    method,
  ])

it('check says what it is, that no method is chosen by itself, and that nothing is missing', async () => {
  const ran = await recovery('check', ...server(), '--json')
  expect(ran.exit, ran.stderr).toBe(0)
  const { method, capabilities, permissions, problems } = documentOf(ran)
  expect({ method, mode: capabilities.mode, elr: capabilities.elr }).toEqual({
    method: null,
    mode: 'zookeeper',
    elr: false,
  })
  expect(permissions.filter(({ granted }: { granted: boolean | null }) => granted !== true)).toEqual([])
  expect(problems.map(({ code }: { code: string }) => code)).toEqual(['brokerDown'])
})

it('status, replicas and plan read all there is; what is not told is null, with a reason', async () => {
  const status = documentOf(await recovery('status', ...server(), '--json'))
  expect(status.cluster.brokers.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual([
    [1, 'down'],
    [2, 'up'],
    [3, 'up'],
    [4, 'up'],
  ])
  expect(status.offlinePartitions).toHaveLength(4)
  expect(status.offlinePartitions[1]).toMatchObject({
    topic: 'lags',
    partition: 0,
    isr: [1],
    elr: null,
    lastKnownElr: null,
    offlineReplicas: [1],
  })
  const [compared] = documentOf(await recovery('replicas', 'lags-0', ...server(), '--json')).partitions
  expect(
    compared.replicas.map((replica: Record<string, unknown>) => [replica.broker, replica.logEndOffset, replica.rank]),
  ).toEqual([
    [3, 10, 2],
    [1, null, null],
    [2, 15, 1],
  ])
  const plan = documentOf(await recovery('plan', '--all-offline-partitions', ...server(), '--json'))
  expect(rowsOf(plan)).toEqual([
    ['blind-0', 2, 3, 'reorder'],
    ['lags-0', 2, 3, 'reorder'],
    ['lags-1', 2, 2, 'unclean'],
    ['moved-0', 2, 3, 'reorder'],
  ])
})

it('whom an unclean election takes is whom the plan names: the first alive one of the list, in either order', async () => {
  const [{ leaderEpoch } = { leaderEpoch: -1 }] = await kafka.describe('moved')
  expect(await kafka.reorder('moved', 0, [2, 3, 1])).toBe(0)
  const [reordered] = await kafka.untilDescribed('moved', 're-ordered', ([view]) => view?.replicas[0] === 2)
  expect(reordered).toMatchObject({ leader: -1, leaderEpoch, isr: [1] })
  expect(await kafka.elect('preferred', 'moved', 0)).toBe(80)
  expect(await kafka.elect('unclean', 'moved', 0)).toBe(0)
  expect(await kafka.elect('unclean', 'blind', 0)).toBe(0)
  await kafka.untilDescribed('moved', 'led by 2', ([view]) => view?.leader === 2)
  await kafka.untilDescribed('blind', 'led by 3', ([view]) => view?.leader === 3)
})

it('automated recovery refuses to choose a method, and says which to name; nothing has changed', async () => {
  const before = await kafka.describe('lags')
  const ran = await unclean(...server(), '--all-offline-partitions', '--automated-recovery', '--json')
  expect(ran.exit).toBe(4)
  expect(documentOf(ran).error.message).toMatch(/ZooKeeper mode.*--election-method reorder/)
  expect(await kafka.describe('lags')).toEqual(before)
})

it('with the method named the best log is elected, the order put back, and its records are there', async () => {
  const options = ['--all-offline-partitions', '--automated-recovery', '--election-method', 'reorder', '--json']
  const ran = await unclean(...server(), ...options, '--verbose')
  expect(ran.exit, ran.stderr).toBe(0)
  const { outcome } = documentOf(ran)
  expect(outcome).toEqual(
    [0, 1].map((partition) =>
      expect.objectContaining({ topic: 'lags', partition, result: 'elected', leader: 2, attempts: 1 }),
    ),
  )
  // What writes goes to the controller: no other broker takes it.
  const controller = `127.0.0.1:${(await kafka.administrator()).port}`
  const writes = ran.stderr.split('\n').filter((line) => /AlterPartitionReassignments|ElectLeaders/.test(line))
  expect(writes.map((line) => line.split(' ').slice(0, 2))).toEqual([
    [controller, 'AlterPartitionReassignments'],
    [controller, 'ElectLeaders'],
    [controller, 'AlterPartitionReassignments'],
  ])
  expect((await kafka.describe('lags')).map(({ replicas, leader }) => [replicas, leader])).toEqual(
    assignment.map((replicas) => [replicas, 2]),
  )
  for (const partition of [0, 1]) {
    expect((await kafka.consume('lags', partition)).map(({ value }) => value)).toEqual([
      ...values(10, `lags-${partition} of 1+2+3`),
      ...values(5, `lags-${partition} of 1+2`),
    ])
  }
  await kafka.broker(1).start()
  await kafka.untilDescribed('lags', 'led by 2, followed by all', (views) =>
    views.every(({ leader, isr }) => leader === 2 && isr.length === 3),
  )
})
