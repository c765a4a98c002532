import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { brokerList, count } from '../../text/wording.js'
import type { PlanningContext } from './planning-context.js'
import type { PredictedWinner } from './predicted-winner.js'
import { isEmptyLog, rankOrder } from './rank.js'

/** Why a stock controller would not make the chosen replica the leader. */
export interface Obstacle {
  /** Whom it would take; null: nobody, or not known. */
  readonly by: number | null
  /** One line: whom, why, and the way on. */
  readonly reason: string
}

/** What stands in the way of `chosen`, given whom the controller would make leader; null: nothing, it is the chosen one. */
export function obstacleTo(
  chosen: ReplicaLog,
  winner: PredictedWinner,
  evidence: PartitionEvidence,
  context: Pick<PlanningContext, 'elections'>,
): Obstacle | null {
  switch (winner.kind) {
    case 'unknown':
      return {
        by: null,
        reason: `whom Kafka would elect is not known (${brokerList(winner.among)}): its ISR is empty and its ELR was not told; allow DESCRIBE on the topic, and read again`,
      }
    case 'nobody':
      return { by: null, reason: `Kafka would elect nobody, not even broker ${chosen.broker}: read again` }
    case 'broker':
      if (winner.broker === chosen.broker) return null
      return winner.by === 'order'
        ? { by: winner.broker, reason: firstInOrder(winner.broker, chosen.broker, context) }
        : { by: winner.broker, reason: winsByRole(winner.broker, winner.by, chosen, evidence) }
  }
}

function firstInOrder(broker: number, chosen: number, { elections }: Pick<PlanningContext, 'elections'>): string {
  const way = elections === 'unclean' ? 'use --election-method reorder' : 'read again'
  return `an unclean election would take broker ${broker}, not ${chosen}: ${way}`
}

function winsByRole(
  broker: number,
  by: 'isr' | 'elr' | 'lastKnownLeader',
  chosen: ReplicaLog,
  { state, replicas }: PartitionEvidence,
): string {
  const role = by === 'isr' ? 'in its ISR' : by === 'elr' ? 'in its ELR' : 'its last known leader'
  const why = `Kafka would make broker ${broker} leader, not ${chosen.broker}: it is alive and ${role}`
  const stop = `Stop broker ${broker} now, before any other broker is started (by SIGTERM: killed it can still be elected until it is fenced); wait until it is fenced; elect; start it again: it comes back as a follower`
  const log = replicas.find((replica) => replica.broker === broker)
  // It may be slow rather than behind: then stopping it would be the harm.
  if (log?.kind !== 'read')
    return `${why}, but its log was not read. Read again; only if it holds less: ${lowered(stop)}`
  const [better] = [log, chosen].sort(rankOrder(state, 'rank'))
  if (better === log) return `${why}, and has the better log: let it lead, or to insist: ${lowered(stop)}`
  const has = isEmptyLog(log) ? 'with an EMPTY log' : `with a log that ends at ${count(log.logEndOffset)}`
  return `${why}, ${has}. ${stop}`
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
