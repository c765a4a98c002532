import { expect, it } from 'vitest'
import { pressRandomKeys } from './fuzz.js'

// Proves a share of what fuzz.long.test.ts proves: no keys and no pastes but the typed confirmation lead to a request that writes.

it('1,000 random keys and pastes without the confirmation: nothing that writes is sent', async () => {
  await pressRandomKeys(20_251_129, 1_000)
  expect.hasAssertions()
})
