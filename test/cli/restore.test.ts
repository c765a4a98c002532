import { expect, test } from 'vitest'
import { ownFolder, recovery, simulators, start } from './harness.js'

ownFolder()
const simulated = simulators()

/** A run that was killed when it had re-ordered, and whose elections were lost on their way: the partition is still without a leader. */
async function interruptedRun() {
  const { server, simulator, requests } = await simulated('longer-log-older-epoch')
  const orders = () => [...simulator.inspect().partitions()].map(({ replicas }) => replicas)
  const before = orders()
  simulator.addFault({ api: 'ElectLeaders', closeConnection: true })
  const interrupted = start('kafka-unclean-recovery', ['--all-offline-partitions', '--automated-recovery', ...server])
  await expect.poll(() => requests.includes('ElectLeaders')).toBe(true)
  interrupted.kill('SIGKILL')
  await interrupted
  expect(orders()).not.toEqual(before)
  return { server, simulator, requests, orders, before }
}

test('restore says that it waits, and goes on saying so, until it knows; then it puts back', async () => {
  const { server, simulator, orders, before } = await interruptedRun()
  const restoring = start('kafka-recovery', ['restore', '--yes', ...server])
  let said = ''
  restoring.stderr.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said).toMatch(/may still be carried out: looking for it for up to \d+ s/)
  await expect.poll(() => said).toMatch(/^still at it: \d+ s so far$/m)
  // With a leader there is nothing to wait for any more.
  await simulator.apply({ brokerUp: 3 })
  expect((await restoring).exitCode).toBe(0)
  expect(orders()).toEqual(before)
  expect((await recovery('restore', ...server)).stdout).toContain('no interrupted run has left anything')
}, 60_000)

test.each([
  ['on the cluster', 31, 'CLUSTER_AUTHORIZATION_FAILED'],
  ['on the topic', 29, 'TOPIC_AUTHORIZATION_FAILED'],
])(
  'a right %s that is missing only when it is sent: nothing is forgotten, once it is granted it is put back',
  async (_, error, name) => {
    const { server, simulator, orders, before } = await interruptedRun()
    await simulator.apply({ brokerUp: 3 })
    simulator.clearFaults()
    simulator.addFault({ api: 'AlterPartitionReassignments', error })
    const refused = await recovery('restore', '--yes', ...server)
    expect(refused.exit).toBe(1)
    expect(refused.stderr).toMatch(
      new RegExp(`^orders-0: unknown: putting it back was refused: .*${name}.*run it again$`, 'm'),
    )
    expect((await recovery('status', ...server)).stderr).toContain('unfinished journal')
    simulator.clearFaults()
    expect((await recovery('restore', '--yes', ...server)).exit).toBe(0)
    expect(orders()).toEqual(before)
  },
  90_000,
)
