import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyNight } from './bad-night.js'
import { spendNightsOverTcp } from './over-tcp.js'

// The same nights as in campaign.long.test.ts, some of them over real sockets and in real time: that the network in memory hides nothing.

const seed = Number(process.env.FC_SEED ?? 20_261_130)

test('120 nights over real TCP keep every promise, and leave no socket behind', async () => {
  await spendNightsOverTcp(fc.sample(anyNight(8), { numRuns: 120, seed }), 6)
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP')).length
  await expect.poll(sockets).toBe(0)
})
