import { expect, test } from 'vitest'
import { previewRequests, requestLines } from '../../../src/recovery/apply/requests-preview.js'
import { FakeCluster } from './fake-cluster.js'
import { offlinePartition, planOf, portsFor, run } from './recovery-bench.js'
import { VirtualClock } from './virtual-clock.js'

const TARGET = { to: 'broker 2', alterVersion: 1, electVersion: 2 }

function cluster() {
  const partitions = [offlinePartition(0), offlinePartition(1, { replicas: [3, 2, 1] }), offlinePartition(2)]
  return new FakeCluster(new VirtualClock(), new Set([2, 3]), partitions)
}

test('the preview names exactly what is then sent, in that order', async () => {
  const fake = cluster()
  const plan = await planOf(fake, ['t-0', 't-1', 't-2'])
  const preview = previewRequests(plan, TARGET, { batchSize: 2, timeoutMs: 10_000 })
  await run(fake, plan, { ports: portsFor(fake), options: { batchSize: 2 } })
  const named = preview.map((request) => ({
    api: request.api === 'ElectLeaders' ? 'elect' : 'reorder',
    partitions: (request.api === 'ElectLeaders' ? request.partitions : request.orders).map(
      (one) => `t-${one.partition}`,
    ),
  }))
  expect(named).toEqual(fake.writes)
})

test('in words', async () => {
  const plan = await planOf(cluster(), ['t-0', 't-1'])
  expect(previewRequests(plan, TARGET, { timeoutMs: 10_000 }).flatMap(requestLines)).toEqual([
    'AlterPartitionReassignments v1 to broker 2 (re-order): timeout 10000 ms, AllowReplicationFactorChange false',
    '  t: 0 to [3, 2, 1]',
    'ElectLeaders v2 to broker 2 (elect): election type UNCLEAN (1), timeout 10000 ms',
    '  t: partitions 0, 1',
    'AlterPartitionReassignments v1 to broker 2 (put back): timeout 10000 ms, AllowReplicationFactorChange false',
    '  t: 0 to [1, 2, 3]',
  ])
  const designated = await planOf(cluster(), ['t-0', 't-1'], { elections: 'designated' })
  expect(
    previewRequests(designated, { ...TARGET, electVersion: 3 }, { timeoutMs: 10_000 }).flatMap(requestLines),
  ).toEqual([
    'ElectLeaders v3 to broker 2 (elect): election type DESIGNATED (2), timeout 10000 ms',
    '  t: partitions 0, 1, designated leaders 3, 3',
  ])
})
