import { expect, it } from 'vitest'
import { pressRandomKeys } from './fuzz.js'

// Proves: a write from nowhere is impossible. A new seed each time; it is in the name of a failed test.

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647)

it(`10,000 random keys and pastes without the confirmation (FUZZ_SEED=${seed}): nothing that writes is sent`, async () => {
  await pressRandomKeys(seed, 10_000)
  expect.hasAssertions()
})
