import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { anyNight, type BadNight } from './bad-night.js'
import { spendNight } from './campaign.js'

vi.mock('node:net', async (original) => ({
  ...(await original<object>()),
  ...(await import('./memory-network.js')).memoryNet,
}))

// Thousands of nights (issue 6, 2): the whole program, from connecting to the report, on the simulator, over a network in memory and on a virtual clock. What
// must hold of each stands in promises.ts. A failure prints its seed and the smallest night that shows it.

const RUNS = Number(process.env.FC_RUNS ?? 1)
const seed = Number(process.env.FC_SEED ?? 20_261_130)
const MB = 1024 * 1024

/** How often each result came, so that it can be seen that the nights reach all of them. */
const seen = new Map<string, number>()

async function spend(night: BadNight): Promise<void> {
  const { report, refused } = await spendNight(night)
  for (const { result } of report?.outcome ?? []) seen.set(result, (seen.get(result) ?? 0) + 1)
  if (refused !== null) seen.set('refused', (seen.get('refused') ?? 0) + 1)
}

test('a storm: up to 14 things go wrong in one night', async () => {
  await fc.assert(fc.asyncProperty(anyNight(14), spend), { numRuns: 1_500 * RUNS, seed })
})

test('two things go wrong, at every place of a run that otherwise comes to its end', async () => {
  await fc.assert(fc.asyncProperty(anyNight(2), spend), { numRuns: 1_000 * RUNS, seed: seed + 1 })
  console.log(`campaign: ${JSON.stringify(Object.fromEntries([...seen].sort()))}`)
  // All of them were reached, else nothing was proven of them.
  for (const result of [
    'elected',
    'alreadyHasLeader',
    'failed',
    'skipped',
    'stale',
    'notAttempted',
    'unknown',
    'refused',
  ]) {
    expect(seen.get(result) ?? 0, result).toBeGreaterThan(0)
  }
})

test('memory is bounded: a hundred nights more leave nothing more behind', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heapAfter = async (nights: readonly BadNight[]) => {
    for (const night of nights) await spendNight(night)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const nights = fc.sample(anyNight(14), { numRuns: 300, seed: seed + 2 })
  const warm = await heapAfter(nights.slice(0, 100))
  const grown = (await heapAfter(nights.slice(100))) - warm
  console.log(
    `campaign: heap ${(warm / MB).toFixed(1)} MB after 100 nights, ${(grown / MB).toFixed(1)} MB more after 300`,
  )
  expect(grown).toBeLessThan(8 * MB)
})
