import { eachInSlices, type Slices } from '../../cluster/slices.js'
import { planPartition } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { touchFinding } from '../returns/broker-alarms.js'
import { startFindings } from '../returns/start-advice.js'
import type { Tracked } from './tracked.js'

/** Works out what follows from the evidence of each partition for which that is due. @returns whether any was */
export async function planUnplanned(
  tracked: readonly Tracked[],
  context: PlanningContext,
  slices: Slices,
): Promise<boolean> {
  let any = false
  await eachInSlices(tracked, slices, 8, (one) => {
    const { evidence } = one
    if (!one.unplanned || evidence === null) return
    any = true
    one.unplanned = false
    one.entry = { ...one.entry, decided: planPartition(evidence, context) }
    one.touch = touchFinding(evidence, context)
    one.starts = startFindings(evidence, context)
  })
  return any
}
