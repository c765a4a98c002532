import { expect, test } from 'vitest'
import { RequestFailedError } from '../../src/cluster/cluster.js'
import type { TopicPartition } from '../../src/cluster/snapshot.js'
import { FakeCluster } from '../recovery/apply/fake-cluster.js'
import { offlinePartition, outcomeFor, planOf, run } from '../recovery/apply/recovery-bench.js'
import { VirtualClock } from '../recovery/apply/virtual-clock.js'

/** Loses its controller at the first election that it carries out: any broker still tells who leads, nobody tells of reassignments. */
class WithoutController extends FakeCluster {
  override async reassignments(partitions: readonly TopicPartition[]): Promise<ReadonlySet<string>> {
    if (this.writes.some(({ api }) => api === 'elect')) {
      throw new RequestFailedError('no controller', true, 'timeout', true)
    }
    return super.reassignments(partitions)
  }
}

test('who leads is told by any broker: the controller may go right after the election', async () => {
  // The better one leads it already by the order as it is: nothing is to be put back, for which a controller would be needed.
  const partition = offlinePartition(0, { replicas: [3, 1, 2] })
  const cluster = new WithoutController(new VirtualClock(), new Set([2, 3]), [partition])
  const { report } = await run(cluster, await planOf(cluster, ['t-0']))
  expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'elected', leader: 3, error: null })
})

test('and a leader that was lost again before the end is told, also without a controller', async () => {
  const partition = offlinePartition(0, { replicas: [3, 1, 2] })
  const cluster = new WithoutController(new VirtualClock(), new Set([2, 3]), [partition])
  const plan = await planOf(cluster, ['t-0'])
  let shown = 0
  const read = cluster.readPartitions.bind(cluster)
  cluster.readPartitions = async (partitions) => {
    const answer = await read(partitions)
    if (cluster.leaders.has('t-0') && ++shown === 1) {
      cluster.brokerDown(3)
      cluster.leaderAppears('t-0', 2)
    }
    return answer
  }
  const { report } = await run(cluster, plan)
  expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'failed', code: 'otherLeader', leader: 2 })
})
