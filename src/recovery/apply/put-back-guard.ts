import type { PartitionState, TopicPartition } from '../../cluster/snapshot.js'
import { brokerList } from '../../text/wording.js'
import type { JournalledOrder } from '../journal/entry.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { acceptableAsLeader, predictedWinner } from '../planning/predicted-winner.js'

export type PutBackVerdict =
  /** The original order stands. */
  | { readonly kind: 'original' }
  /** Ours stands, and nothing speaks against putting the original one back. */
  | { readonly kind: 'ours' }
  /** Not ours to change any more, or too dangerous. `byHand`: the reassignment file would still do it. */
  | { readonly kind: 'left'; readonly reason: string; readonly byHand: boolean }

/**
 * Whether an order may be put back, by the state read just now (design.md, Journal and restore): same topic, exactly our order, no
 * reassignment under way, and a leader, or nobody who would become leader by role at the mere touch (kafka-facts, state Z).
 */
export function judgePutBack(
  order: JournalledOrder,
  state: PartitionState,
  context: Pick<PlanningContext, 'brokers' | 'topicConfigs'>,
  reassigning: boolean,
): PutBackVerdict {
  if (state.topicId !== order.topicId) {
    return { kind: 'left', reason: 'the topic was deleted and created anew', byHand: false }
  }
  if (sameOrder(state.replicas, order.original)) return { kind: 'original' }
  if (!sameOrder(state.replicas, order.election)) {
    const byHand = sameMembers(state.replicas, order.original)
    return { kind: 'left', reason: `someone else has changed its assignment to [${state.replicas.join(', ')}]`, byHand }
  }
  if (reassigning) return { kind: 'left', reason: 'a reassignment of it is under way', byHand: true }
  if (state.leader !== null) return { kind: 'ours' }
  const unclean = context.topicConfigs.get(state.topic)?.uncleanLeaderElection === true
  const acceptable = acceptableAsLeader(state, context.brokers)
  const winner = predictedWinner(state, order.original, acceptable, unclean ? 'unclean' : 'touch')
  if (winner.kind === 'nobody') return { kind: 'ours' }
  const whom = winner.kind === 'broker' ? `broker ${winner.broker}` : `one of ${brokerList(winner.among)}`
  return {
    kind: 'left',
    reason: `it has no leader, and touching it might make ${whom} leader, whatever its log holds: put it back when it has a leader`,
    byHand: true,
  }
}

export function sameOrder(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((broker, index) => broker === b[index])
}

/** As sets; a list that names a broker twice is the same as none. */
export function sameMembers(a: readonly number[], b: readonly number[]): boolean {
  const members = new Set(a)
  return (
    members.size === a.length &&
    a.length === b.length &&
    new Set(b).size === b.length &&
    b.every((id) => members.has(id))
  )
}

/** The file for `kafka-reassign-partitions --execute --reassignment-json-file` that puts this order back. */
export function reassignmentJson(
  orders: readonly (TopicPartition & { readonly original: readonly number[] })[],
): string {
  return JSON.stringify({
    version: 1,
    partitions: orders.map(({ topic, partition, original }) => ({ topic, partition, replicas: original })),
  })
}
