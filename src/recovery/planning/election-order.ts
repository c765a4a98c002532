import type { PartitionState } from '../../cluster/snapshot.js'
import type { ElectionMethod } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import { acceptableAsLeader, type PredictedWinner, predictedWinner } from './predicted-winner.js'
import { isEmptyLog, type Ranking } from './rank.js'

/** How the chosen leader is to be brought about, and whom the controller would make leader that way. */
export interface ElectionRoute {
  readonly method: ElectionMethod
  /** Same members as the assignment; its present order where nothing is re-ordered. */
  readonly order: readonly number[]
  /** With the election that is sent: must be the chosen one, else it is blocked. Null: the election names its leader. */
  readonly winner: PredictedWinner | null
}

/** The way to make `chosen`, an eligible replica, the leader. */
export function electionRoute(
  state: PartitionState,
  ranking: Ranking,
  chosen: number,
  context: Pick<PlanningContext, 'elections' | 'brokers'>,
): ElectionRoute {
  const present = state.replicas
  if (context.elections === 'designated') return { method: 'designated', order: present, winner: null }
  const acceptable = acceptableAsLeader(state, context.brokers)
  const asItStands = predictedWinner(state, present, acceptable)
  if (context.elections === 'unclean') return { method: 'unclean', order: present, winner: asItStands }
  if (electsAsItStands(asItStands, ranking, chosen, present)) {
    return { method: 'unclean', order: present, winner: asItStands }
  }
  const order = electionOrder(present, ranking, chosen)
  return { method: 'reorder', order, winner: predictedWinner(state, order, acceptable) }
}

/**
 * No re-ordering is needed: the chosen one wins by its role, or every eligible replica stands where it should, so that the
 * next best follows should the chosen one fail in between.
 */
function electsAsItStands(
  winner: PredictedWinner,
  ranking: Ranking,
  chosen: number,
  present: readonly number[],
): boolean {
  if (winner.kind !== 'broker' || winner.broker !== chosen) return false
  if (winner.by !== 'order') return true
  const wanted = chosenFirst(ranking, chosen)
  const standing = present.filter((broker) => wanted.includes(broker))
  return standing.every((broker, index) => broker === wanted[index])
}

function chosenFirst(ranking: Ranking, chosen: number): number[] {
  return [chosen, ...ranking.eligible.map(({ broker }) => broker).filter((broker) => broker !== chosen)]
}

/** The chosen one, other eligible ones by rank, those that were not read, and the empty ones last. Same members. */
export function electionOrder(present: readonly number[], ranking: Ranking, chosen: number): number[] {
  const empty = new Set(ranking.eligible.filter(isEmptyLog).map(({ broker }) => broker))
  empty.delete(chosen)
  const byRank = chosenFirst(ranking, chosen)
  return [
    ...byRank.filter((broker) => !empty.has(broker)),
    ...present.filter((broker) => !byRank.includes(broker)),
    ...byRank.filter((broker) => empty.has(broker)),
  ]
}
