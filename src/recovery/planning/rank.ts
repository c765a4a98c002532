import type { PartitionEvidence, ReplicaLog, ReplicaRead } from '../../cluster/replica-log.js'
import type { BrokerState, PartitionState } from '../../cluster/snapshot.js'
import type { RankedReplica, Strategy } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import { acceptableAsLeader } from './predicted-winner.js'
import { SharedParts } from './shared-parts.js'

/** The replicas of one partition, compared. */
export interface Ranking {
  /** Every member of the assignment, in its order. */
  readonly replicas: readonly RankedReplica[]
  /** Logs of the eligible ones, best first. */
  readonly eligible: readonly ReplicaLog[]
}

export function isEmptyLog(log: ReplicaLog): boolean {
  return log.logEndOffset <= log.logStartOffset
}

/**
 * Compares a partition's replicas. Eligible: in the assignment, its broker alive and not fenced, the replica not offline, and its
 * log read in time and consistently. The order is that of design.md, "Ranking replicas"; local size is no criterion.
 */
export function rankReplicas(evidence: PartitionEvidence, context: RankingContext): Ranking {
  const reasons = new Map<number, string>()
  const eligible = eligibleLogs(evidence, context, (broker, reason) => reasons.set(broker, reason))
  const replicas = evidence.state.replicas.map((broker) => {
    const reason = reasons.get(broker) ?? null
    const index = eligible.findIndex((log) => log.broker === broker)
    const rank = index === -1 ? null : index + 1
    return ranked.of(`${broker} ${rank ?? '-'} ${reason ?? ''}`, () => ({
      broker,
      eligible: rank !== null,
      reason,
      rank,
    }))
  })
  return { replicas: ranked.list(replicas), eligible }
}

type RankingContext = Pick<PlanningContext, 'brokers' | 'strategy'>
const ranked = new SharedParts<RankedReplica>()

/** The logs among which a leader can be chosen, best first. */
export function eligibleLogs(
  evidence: PartitionEvidence,
  context: RankingContext,
  onOther?: (broker: number, reason: string) => void,
): ReplicaLog[] {
  const { state } = evidence
  const eligible: ReplicaLog[] = []
  for (const broker of state.replicas) {
    const replica = evidence.replicas.find((candidate) => candidate.broker === broker)
    const reason = whyNotEligible(broker, replica, state, context.brokers)
    if (reason !== null) onOther?.(broker, reason)
    else if (replica?.kind === 'read') eligible.push(replica)
  }
  return eligible.length < 2 ? eligible : eligible.sort(rankOrder(state, context.strategy))
}

function whyNotEligible(
  broker: number,
  replica: ReplicaRead | undefined,
  state: PartitionState,
  brokers: ReadonlyMap<number, BrokerState>,
): string | null {
  if (replica?.kind === 'notRead') return replica.reason
  const brokerState = brokers.get(broker) ?? 'down'
  // What a broker told just before it was fenced or died is no basis for a choice.
  if (brokerState !== 'up') return `broker ${broker} is ${brokerState}`
  if (!acceptableAsLeader(state, brokers)(broker)) return `the replica on broker ${broker} is offline`
  return replica === undefined ? `broker ${broker} was not asked for its log` : null
}

type Comparison = (a: ReplicaLog, b: ReplicaLog) => number

/** What ranks one log before another, in the order of its weight: the first that tells two apart decides. */
export type RankCriterion = 'class' | 'epoch' | 'end' | 'start' | 'role' | 'order'

/** Compares two logs of one partition for sorting: the better one first. */
export function rankOrder(state: PartitionState, strategy: Strategy): Comparison {
  const all = criteria(state, strategy).map(([, compare]) => compare)
  return (a, b) => {
    for (const compare of all) {
      const decision = compare(a, b)
      if (decision !== 0) return decision
    }
    return 0
  }
}

/** What tells these two apart; null: nothing does. */
export function decisiveCriterion(
  a: ReplicaLog,
  b: ReplicaLog,
  state: PartitionState,
  strategy: Strategy,
): RankCriterion | null {
  return criteria(state, strategy).find(([, compare]) => compare(a, b) !== 0)?.[0] ?? null
}

function criteria(state: PartitionState, strategy: Strategy): readonly (readonly [RankCriterion, Comparison])[] {
  const byRank: readonly (readonly [RankCriterion, Comparison])[] = [
    ['class', (a, b) => logClass(a) - logClass(b)],
    ['epoch', (a, b) => writtenEpoch(b) - writtenEpoch(a)],
    ['end', byEndDescending],
    ['start', (a, b) => a.logStartOffset - b.logStartOffset],
    ['role', (a, b) => role(a.broker, state) - role(b.broker, state)],
    ['order', (a, b) => state.replicas.indexOf(a.broker) - state.replicas.indexOf(b.broker)],
  ]
  return strategy === 'rank' ? byRank : [['end', byEndDescending], ...byRank]
}

const byEndDescending: Comparison = (a, b) => b.logEndOffset - a.logEndOffset

/** Records with epochs, then records without, then nothing. */
function logClass(log: ReplicaLog): number {
  if (isEmptyLog(log)) return 2
  return log.lastWrittenEpoch.kind === 'epoch' ? 0 : 1
}

/** Compared within one class only, where either all have one or none has. */
function writtenEpoch(log: ReplicaLog): number {
  return log.lastWrittenEpoch.kind === 'epoch' && !isEmptyLog(log) ? log.lastWrittenEpoch.epoch : 0
}

function role(broker: number, state: PartitionState): number {
  if (state.isr.includes(broker)) return 0
  if (state.elr?.includes(broker)) return 1
  return state.lastKnownElr?.includes(broker) ? 2 : 3
}
