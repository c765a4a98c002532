import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyNight } from './bad-night.js'
import { spendNightsOverTcp } from './over-tcp.js'

// A share of over-tcp.long.test.ts.

test('six nights over real TCP keep every promise', async () => {
  await spendNightsOverTcp(fc.sample(anyNight(6), { numRuns: 6, seed: 20_261_130 }), 6)
  expect.hasAssertions()
})
