import type { PartitionState } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import { verdictOnLeader } from './assess.js'
import type { Candidate } from './candidate.js'
import { delayBeforeRetry, LOOK_AGAIN } from './retry.js'
import { lookNow, type Run } from './run.js'

/**
 * Makes the verdict true of what was seen last, after the orders were put back: a leader may have shown late, another broker may
 * have returned meanwhile, the elected one may have died again. A view older than the one that we decided by says nothing.
 */
export function correctByLaterState(candidate: Candidate, state: PartitionState | undefined): void {
  const { verdict, planned, lastState } = candidate
  if (state === undefined || verdict === null || !candidate.touched) return
  if (state.topicId !== planned.topicId) return
  if (lastState !== null && state.leaderEpoch < lastState.leaderEpoch) return
  candidate.lastState = state
  const { designatedLeader } = planned
  if (verdict.kind === 'elected') {
    if (state.leader === designatedLeader) return
    const now = state.leader === null ? 'it has no leader again' : `broker ${state.leader} leads now`
    const text = `broker ${designatedLeader} was elected, but ${now}`
    candidate.verdict = {
      kind: 'failed',
      code: state.leader === null ? 'leaderLost' : 'otherLeader',
      text,
      leader: state.leader,
    }
  } else if (verdict.kind !== 'alreadyHasLeader' && state.leader === designatedLeader) {
    candidate.verdict = { kind: 'elected', leader: designatedLeader }
  } else if (verdict.kind !== 'alreadyHasLeader' && state.leader !== null) {
    const text = `broker ${state.leader} became leader instead of broker ${designatedLeader} (${verdict.text})`
    candidate.verdict = { kind: 'failed', code: 'otherLeader', text, leader: state.leader }
  }
}

/** So long a leader may take to show whose doings have shown already: some 100 ms (measured on 4.4.0), with room. ms */
const LEADER_SHOWS_WITHIN_MS = 500

/**
 * States and logs are read one after the other: a leader that comes in between shows first in what it did to them, and would be
 * called a change that it is not. So of all that was dropped as stale, with nothing sent, it is looked who leads by now. Never rejects.
 */
export async function findLeadersOfStale(run: Run, candidates: readonly Candidate[]): Promise<void> {
  const { clock } = run.ports
  const deadline = clock.monotonicMs() + LEADER_SHOWS_WITHIN_MS
  let pending = candidates.filter(
    ({ verdict, touched, lastState, planned }) =>
      verdict?.kind === 'stale' && !touched && lastState !== null && lastState.topicId === planned.topicId,
  )
  for (let look = 1; pending.length > 0; look += 1) {
    let states: ReadonlyMap<string, PartitionState>
    try {
      states = await lookNow(run, pending)
    } catch (error) {
      run.emit({ type: 'notice', text: `who leads by now could not be looked at once more: ${errorText(error)}` })
      return
    }
    pending = pending.filter((candidate) => {
      const state = states.get(candidate.name)
      if (state === undefined || state.topicId !== candidate.planned.topicId) return false
      if (state.leader === null) return true
      candidate.lastState = state
      candidate.verdict = verdictOnLeader(candidate, state.leader)
      return false
    })
    if (clock.monotonicMs() >= deadline) return
    if (pending.length > 0) await clock.sleep(delayBeforeRetry(LOOK_AGAIN, look))
  }
}
