import { describe, expect, it } from 'vitest'
import { eachInSlices, sharedSlices } from '../../src/protocol/slices.js'

/** Works for so long without a pause. ms */
function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('work in slices', () => {
  it('lets others have their turn, however many are working: their slices do not add up', async () => {
    const WORKERS = 20
    let turns = 0
    let working = true
    const others = (async () => {
      while (working) {
        turns += 1
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    })()
    const worked = await Promise.all(
      Array.from({ length: WORKERS }, async (_, worker) => {
        const done: number[] = []
        await eachInSlices([1, 2, 3], sharedSlices, 1, (item) => {
          spin(7)
          done.push(worker + item)
        })
        return done.length
      }),
    )
    working = false
    await others
    expect(worked).toEqual(Array.from({ length: WORKERS }, () => 3))
    // Each of the 60 items takes more than a slice: between any two of them the others were served.
    expect(turns).toBeGreaterThanOrEqual(WORKERS * 2)
  })
})
