import type { PartitionState } from '../../cluster/snapshot.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { acceptableAsLeader, predictedWinner } from '../planning/predicted-winner.js'
import { changedSince } from '../planning/stale.js'
import type { Candidate, Verdict } from './candidate.js'
import { sameMembers, sameOrder } from './put-back-guard.js'
import type { Reading } from './reading.js'
import type { Run } from './run.js'

export type Assessment =
  | { readonly kind: 'ready' }
  /** Not told, or not shown yet: look again; final when the time for that is over. */
  | { readonly kind: 'lookAgain'; readonly ifNever: Verdict }
  | { readonly kind: 'decided'; readonly verdict: Verdict }

/**
 * Whether the next write may be sent for a partition, by a state read just now. Nothing is ever sent without it: no leader,
 * the same topic, the same members in the order that we expect, nothing changed since the plan, and the controller would take
 * the designated leader.
 */
export function assess(candidate: Candidate, reading: Reading, run: Run, expected: readonly number[]): Assessment {
  const { planned, name } = candidate
  const state = reading.states.get(name)
  if (state === undefined) return notFound(candidate, reading)
  candidate.lastState = state
  if (state.topicId !== planned.topicId) return stale('topicId', 'the topic was deleted and created anew')
  if (state.leader !== null) return { kind: 'decided', verdict: verdictOnLeader(candidate, state.leader) }
  if (!sameOrder(state.replicas, expected)) {
    const notShownYet = candidate.touched && sameOrder(state.replicas, candidate.original)
    if (!notShownYet) return stale('replicas', `its assignment is [${state.replicas.join(', ')}] now`)
    const text = 're-ordered without an error, but the new order does not show; no election was sent'
    const ifNever: Verdict =
      candidate.reordering === 'done'
        ? { kind: 'failed', code: 'notReordered', text, leader: null }
        : { kind: 'unknown', code: 'noAnswer', text: 'the answer to its re-ordering was lost; no election was sent' }
    return { kind: 'lookAgain', ifNever }
  }
  return judged(candidate, state, run, { ...reading, strategy: run.options.context.strategy })
}

type ChangeContext = Pick<PlanningContext, 'brokers' | 'strategy' | 'reassigning'>

/** The parts that need no look at the order any more. */
function judged(candidate: Candidate, state: PartitionState, run: Run, context: ChangeContext): Assessment {
  const { planned, evidence } = candidate
  if (evidence === null) return stale('unread', 'its logs were not read')
  if (!sameMembers(state.replicas, planned.electionOrder))
    return stale('replicas', 'its replicas are not those of the plan')
  if (context.reassigning.has(candidate.name)) return stale('reassigning', 'a reassignment of it is under way')
  // In ZooKeeper mode our own re-ordering raises the epoch; there a change between it and the election cannot be told by it.
  const epochIsOurs = run.options.mode === 'zookeeper' && candidate.touched
  const leaderEpoch = epochIsOurs ? evidence.state.leaderEpoch : state.leaderEpoch
  const asPlanned = { ...state, leaderEpoch, replicas: candidate.original }
  const change = changedSince(planned, { ...evidence, state: asPlanned }, context)
  if (change !== null) return stale('changed', change)
  const acceptable = acceptableAsLeader(state, context.brokers)
  const { designatedLeader } = planned
  if (planned.method === 'designated') {
    return acceptable(designatedLeader)
      ? { kind: 'ready' }
      : stale('winner', `broker ${designatedLeader} cannot lead now`)
  }
  const winner = predictedWinner(state, candidate.orderForElection, acceptable, 'unclean')
  if (winner.kind === 'broker' && winner.broker === designatedLeader) return { kind: 'ready' }
  const whom =
    winner.kind === 'broker' ? `broker ${winner.broker}` : winner.kind === 'nobody' ? 'nobody' : 'cannot be told who'
  return stale('winner', `Kafka would not elect broker ${designatedLeader} any more (now: ${whom})`)
}

/** What a leader that shows means: it settles the partition, one way or the other. */
export function verdictOnLeader(candidate: Candidate, leader: number): Verdict {
  const { designatedLeader } = candidate.planned
  if (!candidate.touched) return { kind: 'alreadyHasLeader', leader }
  if (leader === designatedLeader) return { kind: 'elected', leader }
  const text = `broker ${leader} became leader instead of broker ${designatedLeader}`
  return { kind: 'failed', code: 'otherLeader', text, leader }
}

function notFound(candidate: Candidate, { missing }: Reading): Assessment {
  const why = missing.get(candidate.name)
  const code = why?.code ?? 'unread'
  const text = why?.text ?? 'its state was not told'
  const ifNever: Verdict = candidate.touched
    ? { kind: 'failed', code, text, leader: null }
    : { kind: 'stale', code, text }
  if (code === 'unknownTopic' || code === 'unknownPartition') return { kind: 'decided', verdict: ifNever }
  return { kind: 'lookAgain', ifNever }
}

function stale(code: string, text: string): Assessment {
  return { kind: 'decided', verdict: { kind: 'stale', code, text } }
}
