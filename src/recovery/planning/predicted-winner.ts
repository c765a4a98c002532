import type { BrokerState, PartitionState } from '../../cluster/snapshot.js'

/** By what a replica would be elected; the first three are roles that win over the order of the list. */
export type WinsBy = 'isr' | 'elr' | 'lastKnownLeader' | 'order'

/**
 * Whom the controller would make leader of a partition without one. `unknown`: the ISR is empty and the ELR was not told, so
 * any of `among` may hold a role that wins.
 */
export type PredictedWinner =
  | { readonly kind: 'broker'; readonly broker: number; readonly by: WinsBy }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly among: readonly number[] }

/**
 * unclean: an unclean election, or anything that touches a partition of a topic with unclean.leader.election.enable.
 * touch: whatever else makes the controller look at it: a re-ordered assignment, a preferred election, any broker that comes
 * back, its own timer (kafka-facts, state Z: measured on 4.4.0).
 */
export type ElectionCause = 'unclean' | 'touch'

type Roles = Pick<PartitionState, 'isr' | 'elr' | 'lastKnownElr'>

/**
 * The stock controller's choice for a partition without a leader, after Kafka's PartitionChangeBuilder.electAnyLeader:
 * the first of `order` in ISR, or in ELR when the ISR is empty; then the last known leader, if ISR and ELR are empty and it
 * is the only one; then, in an unclean election only, the first acceptable one of `order`.
 *
 * Without ELR (4.0 and older, and ZooKeeper mode) the last leader stays in the ISR: brokers then tell empty lists, or none, and the
 * first two steps do what the last known leader does. ZooKeeper mode's own rule (PartitionLeaderElectionAlgorithms) is just that: the first
 * alive one in ISR, else of the list (measured on 3.9.2).
 *
 * `acceptable`: the broker is alive, not fenced, and the replica's log directory is online, as the controller knows it.
 */
export function predictedWinner(
  state: Roles,
  order: readonly number[],
  acceptable: (broker: number) => boolean,
  cause: ElectionCause = 'unclean',
): PredictedWinner {
  const { isr, elr, lastKnownElr } = state
  const inIsr = order.find((broker) => isr.includes(broker) && acceptable(broker))
  if (inIsr !== undefined) return { kind: 'broker', broker: inIsr, by: 'isr' }
  if (isr.length === 0) {
    // Without ELR an ISR never becomes empty: empty, and no ELR told, means that one exists and was not shown to us.
    if (elr === null || lastKnownElr === null) return unknownWinner(order.filter(acceptable), cause)
    const inElr = order.find((broker) => elr.includes(broker) && acceptable(broker))
    if (inElr !== undefined) return { kind: 'broker', broker: inElr, by: 'elr' }
    const [last, ...others] = lastKnownElr
    if (elr.length === 0 && last !== undefined && others.length === 0 && acceptable(last)) {
      return { kind: 'broker', broker: last, by: 'lastKnownLeader' }
    }
  }
  const first = cause === 'unclean' ? order.find(acceptable) : undefined
  return first === undefined ? { kind: 'nobody' } : { kind: 'broker', broker: first, by: 'order' }
}

function unknownWinner(acceptable: readonly number[], cause: ElectionCause): PredictedWinner {
  const [only, ...others] = acceptable
  if (only === undefined) return { kind: 'nobody' }
  if (others.length === 0 && cause === 'unclean') return { kind: 'broker', broker: only, by: 'order' }
  return { kind: 'unknown', among: acceptable }
}

/** The one predicted, null where it is nobody or unknown. */
export function winnerOrNull(winner: PredictedWinner): number | null {
  return winner.kind === 'broker' ? winner.broker : null
}

/** Whom the controller may elect at all: in Metadata.Brokers, and its replica not among the offline ones. */
export function acceptableAsLeader(
  state: Pick<PartitionState, 'offlineReplicas'>,
  brokers: ReadonlyMap<number, BrokerState>,
): (broker: number) => boolean {
  return (broker) => brokers.get(broker) === 'up' && !state.offlineReplicas.includes(broker)
}
