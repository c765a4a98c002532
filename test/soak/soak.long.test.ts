import { it } from 'vitest'
import { expectSteady } from './expect-steady.js'
import { soak } from './soak.js'

// A share of what `npm run soak` proves: the console open on a flapping cluster grows in nothing, and gives the terminal back.

it('75 s on a flapping cluster: no growth in memory, handles and listeners, nothing unhandled, the terminal as before', async () => {
  expectSteady(await soak(75, 20_261_130), 12)
})
