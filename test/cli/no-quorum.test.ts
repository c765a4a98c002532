import { expect, it } from 'vitest'
import { contentsOf, documentOf, ownFolder, recovery, simulators, unclean, WRITES } from './harness.js'

ownFolder()
const simulated = simulators()

// Without a controller quorum nothing can be elected: that is a state of its own, found before anything is written, and no reason
// not to read and plan.

it('it is said, nothing is written, and what can be read is read', async () => {
  const { server, simulator, requests } = await simulated('longer-log-older-epoch')
  await simulator.apply({ controllerDown: true })
  const before = contentsOf(simulator)
  const quickly = [...server, '--request-timeout-ms', '1000', '--json']

  const automated = await unclean('--all-offline-partitions', '--automated-recovery', ...quickly)
  expect(automated.exit).toBe(1)
  expect(documentOf(automated).error.message).toContain('no controller quorum')

  const planned = await recovery('plan', '--all-offline-partitions', ...quickly)
  expect(planned.exit).toBe(0)
  expect(documentOf(planned).partitions).toMatchObject([{ topic: 'orders', partition: 0, designatedLeader: 2 }])
  expect(planned.stderr).toContain('no controller quorum')

  expect(requests.filter((api) => WRITES.includes(api))).toEqual([])
  expect(contentsOf(simulator)).toEqual(before)
})
