import { it } from 'vitest'
import { expectSteady } from './expect-steady.js'
import { soak } from './soak.js'

// `npm run soak`, SOAK_SECONDS=N for another time: the console open for 20 minutes on a flapping cluster grows in nothing.

const SECONDS = Number(process.env.SOAK_SECONDS ?? 1_200)

it(
  `${SECONDS} s on a flapping cluster: no growth in memory, handles and listeners, nothing unhandled, the terminal as before`,
  async () => {
    expectSteady(await soak(SECONDS, Number(process.env.FC_SEED ?? 20_261_130)), SECONDS < 300 ? 12 : 6)
  },
  SECONDS * 1000 + 120_000,
)
