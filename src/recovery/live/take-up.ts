import { sameEvidence } from '../../cluster/same-reads.js'
import { eachInSlices, type Slices } from '../../cluster/slices.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { withReassigning } from './context.js'
import type { Arrived } from './log-schedule.js'
import { takeEvidence } from './tracked.js'

export interface TakenUp {
  /** Something came that was not known. */
  readonly changed: boolean
  /** Some partition was asked for, and not told of. */
  readonly incomplete: boolean
  /** When all logs were read; null: only some were. */
  readonly confirmedAt: Date | null
}

/** Takes up what was read of logs. Partitions about which there is something new are to be planned. */
export async function takeUpLogs({ asked, all, read }: Arrived, slices: Slices): Promise<TakenUp> {
  const { evidences } = read
  if (evidences === null) return { changed: false, incomplete: true, confirmedAt: null }
  let changed = false
  let incomplete = false
  let index = 0
  await eachInSlices(asked, slices, 64, ({ tracked, version }) => {
    const evidence = evidences[index++]
    if (evidence === undefined) incomplete = true
    else if (takeEvidence(tracked, version, evidence, sameEvidence)) changed = true
  })
  return { changed, incomplete, confirmedAt: all && !incomplete ? (evidences[0]?.readAt ?? null) : null }
}

/** Takes up what was told of reassignments. @returns the same context if nothing changed */
export async function takeUpReassignments(
  { asked, read: { reassigning } }: Arrived,
  context: PlanningContext,
  slices: Slices,
): Promise<PlanningContext> {
  if (reassigning === null || (reassigning.size === 0 && context.reassigning.size === 0)) return context
  const names = asked.map(({ tracked }) => partitionName(tracked.entry))
  const now = withReassigning(context, names, reassigning)
  if (now === context) return context
  await eachInSlices(asked, slices, 64, ({ tracked }) => {
    const name = partitionName(tracked.entry)
    if (now.reassigning.has(name) !== context.reassigning.has(name)) tracked.unplanned = tracked.evidence !== null
  })
  return now
}
