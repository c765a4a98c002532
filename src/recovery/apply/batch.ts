import { errorText } from '../../text/error-text.js'
import type { PlannedPartition } from '../planning/plan.js'
import { Candidate, undecided, type Verdict } from './candidate.js'
import { electStep } from './elect-step.js'
import { correctByLaterState, findLeadersOfStale } from './later-state.js'
import { measureLosses } from './measure.js'
import type { PartitionOutcome } from './outcome.js'
import { outcomeOf } from './partition-outcome.js'
import { sameOrder } from './put-back-guard.js'
import { putBackStep } from './put-back-step.js'
import { readAgain } from './read-again.js'
import { ClusterLostError } from './reading.js'
import { reorderStep } from './reorder-step.js'
import { lookNow, type Run } from './run.js'

export interface BatchResult {
  /** One for each partition of the batch. */
  readonly outcomes: readonly PartitionOutcome[]
  /** The cluster was lost, or something unforeseen happened: no further batch may begin. Null: go on. */
  readonly lost: string | null
  /** Of some order it is not known where it stands: the journal has to stay open. */
  readonly ordersOpen: boolean
}

/**
 * One batch: read again, drop what changed, re-order, elect, put back, measure. Never rejects; whatever happens in between,
 * what was re-ordered is put back as far as that is possible and safe.
 */
export async function runBatch(run: Run, planned: readonly PlannedPartition[], batch: number): Promise<BatchResult> {
  const candidates = planned.map((partition) => new Candidate(partition))
  let lost: string | null = null
  try {
    await readAgain(run, candidates, batch)
    const stop = run.stopReason()
    if (stop !== null) for (const one of undecided(candidates)) one.decide({ kind: 'notAttempted', ...stop })
    await reorderStep(run, undecided(candidates).filter(needsReordering), batch)
    await electStep(run, undecided(candidates), batch)
  } catch (error) {
    lost = errorText(error)
    const code = error instanceof ClusterLostError ? 'clusterLost' : 'internal'
    for (const one of undecided(candidates)) one.decide(verdictWhenLost(one, code, lost))
  }
  const orders = await putBackStep(run, candidates, batch)
  for (const one of candidates) correctByLaterState(one, orders.states.get(one.name))
  let losses: ReadonlyMap<string, number | null> = new Map()
  if (lost === null) {
    await lookOnceMore(
      run,
      candidates.filter((one) => one.touched && !orders.states.has(one.name)),
    )
    await findLeadersOfStale(run, candidates)
    losses = await measureLosses(run, candidates, batch)
  }
  return {
    outcomes: candidates.map((one) => outcomeOf(one, orders.results.get(one.name), losses.get(one.name) ?? null)),
    lost,
    ordersOpen: [...orders.results.values()].some(({ kind }) => kind === 'open'),
  }
}

/** For those whose order needed no putting back, so that all have been looked at after the last request was sent. */
async function lookOnceMore(run: Run, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  try {
    const states = await lookNow(run, candidates)
    for (const one of candidates) correctByLaterState(one, states.get(one.name))
  } catch (error) {
    run.emit({ type: 'notice', text: `the new leaders could not be looked at once more: ${errorText(error)}` })
  }
}

function needsReordering({ planned, original }: Candidate): boolean {
  return planned.method === 'reorder' && !sameOrder(original, planned.electionOrder)
}

function verdictWhenLost(candidate: Candidate, code: string, why: string): Verdict {
  return candidate.touched
    ? { kind: 'unknown', code, text: `the cluster was lost after a request was sent: ${why}` }
    : { kind: 'notAttempted', code, text: `nothing was sent for it: ${why}` }
}
