import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { anyNight } from './bad-night.js'
import { spendNight } from './campaign.js'

vi.mock('node:net', async (original) => ({
  ...(await original<object>()),
  ...(await import('./memory-network.js')).memoryNet,
}))

// A share of what campaign.long.test.ts proves. The whole program, from connecting to the report, on the simulator, over a network in memory and on a virtual clock.
// `FC_RUNS=20 npx vitest run --project unit test/faults` looks twenty times as hard, FC_SEED=N elsewhere.

const RUNS = Number(process.env.FC_RUNS ?? 1)

test(
  'whatever goes wrong, what is promised of a recovery holds',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyNight(14), async (night) => {
        await spendNight(night)
      }),
      { numRuns: 25 * RUNS },
    )
  },
  90_000 * RUNS,
)

test(
  'when nothing goes wrong, all that is planned is elected',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyNight(0), async (night) => {
        const { plan, report } = await spendNight({ ...night, timeLimitMs: null })
        const planned = report?.outcome.filter(({ designatedLeader }) => designatedLeader !== null) ?? []
        expect(planned).toHaveLength(plan?.partitions.length ?? -1)
        for (const one of planned) expect(one.result, JSON.stringify(one)).toBe('elected')
        expect(report?.openJournal).toBeNull()
      }),
      { numRuns: 10 * RUNS },
    )
  },
  90_000 * RUNS,
)
