import fc from 'fast-check'
import { type SimulatedLog, type Step, simulate } from './record-by-record.js'

export const REPLICAS = 3

/** Replica logs as leaders, followers, retention and lost disks leave them behind. */
export function histories(): fc.Arbitrary<SimulatedLog[]> {
  const broker = fc.nat(REPLICAS - 1)
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('elect' as const), broker }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('append' as const), records: fc.integer({ min: 1, max: 6 }) }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('follow' as const), broker, fetch: fc.nat(8) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('retain' as const), broker, drop: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wipe' as const), broker }) },
  )
  return fc.array(step, { minLength: 3, maxLength: 40 }).map((steps) => simulate(REPLICAS, steps))
}
