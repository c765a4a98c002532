import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import type { PartitionState } from '../../cluster/snapshot.js'
import { lossOf } from '../planning/loss.js'
import type { PlanningContext } from '../planning/planning-context.js'
import {
  acceptableAsLeader,
  type ElectionCause,
  type PredictedWinner,
  predictedWinner,
  type WinsBy,
} from '../planning/predicted-winner.js'
import { eligibleLogs, isEmptyLog, rankOrder } from '../planning/rank.js'

/** How a broker stopped. unclean: killed, crashed, power lost. Seldom known from outside: both are worked out. */
export type StopKind = 'clean' | 'unclean'
/**
 * emptied: its log directory was replaced, or taken out of log.dirs. The mark of a clean stop goes with it, so the controller
 * mostly takes such a stop for an unclean one; both are worked out all the same.
 */
export type DiskKind = 'old' | 'emptied'

export interface BrokerReturn {
  readonly broker: number
  readonly stop: StopKind
  readonly disk: DiskKind
}

/**
 * How much a leader-to-be has. nothing: an empty log. less: a replica that was read ranks higher, and one would lose
 * records. best: compared, and none that was read is better. ledLast: not read, but it led last. unknown: not read, and another may hold more.
 */
export type Holding = 'nothing' | 'less' | 'best' | 'ledLast' | 'unknown'

/** What becomes of a partition. `mayLose`: who would be truncated, as far as was read. */
export type LeaderEffect =
  /** A valid leader stays. */
  | { readonly kind: 'hasLeader' }
  | { readonly kind: 'staysOffline' }
  | { readonly kind: 'unknown'; readonly among: readonly number[] }
  | {
      readonly kind: 'leads'
      readonly broker: number
      readonly by: WinsBy
      readonly holds: Holding
      readonly mayLose: readonly number[]
    }

/** Who is alive, and the topic's own unclean switch. */
type EffectContext = Pick<PlanningContext, 'brokers' | 'topicConfigs'>

/** The last leader, where the metadata tells one: the last known leader, or without ELR the only ISR member. */
export function lastLeader(state: Pick<PartitionState, 'isr' | 'lastKnownElr'>): number | null {
  const [known, ...othersKnown] = state.lastKnownElr ?? []
  if (known !== undefined) return othersKnown.length === 0 ? known : null
  const [member, ...others] = state.isr
  return member !== undefined && others.length === 0 ? member : null
}

/**
 * A partition's state after a broker has come back. After an unclean stop the controller no longer trusts its log: it leaves
 * the ELR. The ISR of a cluster without ELR, and the last known ELR, stay (measured on 4.4.0, "ELR over an outage").
 */
export function stateAfterReturn(
  state: PartitionState,
  { broker, stop }: Pick<BrokerReturn, 'broker' | 'stop'>,
): PartitionState {
  return {
    ...state,
    elr: stop === 'clean' || state.elr === null ? state.elr : state.elr.filter((id) => id !== broker),
    offlineReplicas: state.offlineReplicas.filter((id) => id !== broker),
  }
}

/** What anything that touches the partition right now would do: a timer, a re-ordering, a broker that comes back. */
export function effectOfTouch(evidence: PartitionEvidence, context: EffectContext): LeaderEffect {
  if (evidence.state.leader !== null) return { kind: 'hasLeader' }
  return effectOf(touchWinner(evidence.state, context, null), evidence, context, null)
}

/** What the return of a missing broker would do to a leaderless partition. */
export function effectOfReturn(
  evidence: PartitionEvidence,
  returning: BrokerReturn,
  context: EffectContext,
): LeaderEffect {
  if (evidence.state.leader !== null) return { kind: 'hasLeader' }
  const after = stateAfterReturn(evidence.state, returning)
  // It registers, and leaves the ELR where its stop was unclean, before it is unfenced: that alone may elect another.
  const atRegistration = touchWinner({ ...after, offlineReplicas: evidence.state.offlineReplicas }, context, null)
  const winner = atRegistration.kind === 'nobody' ? touchWinner(after, context, returning.broker) : atRegistration
  return effectOf(winner, { ...evidence, state: after }, context, returning)
}

function touchWinner(state: PartitionState, context: EffectContext, returned: number | null): PredictedWinner {
  const acceptable = acceptableAsLeader(state, context.brokers)
  const cause: ElectionCause = context.topicConfigs.get(state.topic)?.uncleanLeaderElection ? 'unclean' : 'touch'
  return predictedWinner(state, state.replicas, (broker) => broker === returned || acceptable(broker), cause)
}

function effectOf(
  winner: PredictedWinner,
  evidence: PartitionEvidence,
  context: EffectContext,
  returning: BrokerReturn | null,
): LeaderEffect {
  if (winner.kind === 'nobody') return { kind: 'staysOffline' }
  if (winner.kind === 'unknown') return winner
  const { broker, by } = winner
  const others = eligibleLogs(evidence, { brokers: context.brokers, strategy: 'rank' }).filter(
    (log) => log.broker !== broker,
  )
  const log = leaderLog(broker, evidence, context, returning)
  if (log === null) {
    const holds = lastLeader(evidence.state) === broker ? 'ledLast' : 'unknown'
    return { kind: 'leads', broker, by, holds, mayLose: [] }
  }
  const mayLose = others.filter((other) => lossOf(log, other).offsets !== 0).map((other) => other.broker)
  // The best log may well end a divergence: that costs something, but is what ranking would choose.
  const best = [log, ...others].sort(rankOrder(evidence.state, 'rank'))[0]
  const holds = isEmptyLog(log) ? 'nothing' : best !== log && mayLose.length > 0 ? 'less' : 'best'
  return { kind: 'leads', broker, by, holds, mayLose }
}

/** The log with which it would lead; null: not known. */
function leaderLog(
  broker: number,
  evidence: PartitionEvidence,
  context: EffectContext,
  returning: BrokerReturn | null,
): ReplicaLog | null {
  if (broker === returning?.broker && returning.disk === 'emptied') return emptyLog(broker)
  const replica = evidence.replicas.find((candidate) => candidate.broker === broker)
  if (replica?.kind === 'read') return context.brokers.get(broker) === 'up' || returning ? replica : null
  return replica?.shown ?? null
}

function emptyLog(broker: number): ReplicaLog {
  return {
    kind: 'read',
    broker,
    logStartOffset: 0,
    logEndOffset: 0,
    lastWrittenEpoch: { kind: 'none' },
    epochs: [],
    highWatermark: 0,
    sizeBytes: null,
    logDir: null,
  }
}

/**
 * A leader-to-be with less than others hold, or with an empty log although not every other replica is known to be empty: that
 * wipes data. What was not compared is no alarm here, and no comfort either.
 */
export function isHarmful(effect: LeaderEffect, { replicas }: PartitionEvidence): boolean {
  if (effect.kind !== 'leads') return false
  if (effect.holds === 'less') return true
  if (effect.holds !== 'nothing') return false
  return replicas.some(
    (replica) => replica.broker !== effect.broker && (replica.kind !== 'read' || !isEmptyLog(replica)),
  )
}
