import type { PartitionState } from '../../cluster/snapshot.js'
import type { Candidate } from './candidate.js'

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
