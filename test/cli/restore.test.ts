import { expect, test } from 'vitest'
import { ownFolder, recovery, simulators, start } from './harness.js'

ownFolder()
const simulated = simulators()

test('restore says that it waits, and goes on saying so, until it knows; then it puts back', async () => {
  const { server, simulator, requests } = await simulated('longer-log-older-epoch')
  const orders = () => [...simulator.inspect().partitions()].map(({ replicas }) => replicas)
  const before = orders()
  // The elections are lost on their way, so that the partition stays without a leader.
  simulator.addFault({ api: 'ElectLeaders', closeConnection: true })
  const interrupted = start('kafka-unclean-recovery', ['--all-offline-partitions', '--automated-recovery', ...server])
  await expect.poll(() => requests.includes('ElectLeaders')).toBe(true)
  interrupted.kill('SIGKILL')
  await interrupted
  expect(orders()).not.toEqual(before)

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
