import type { LastWrittenEpoch, PartitionEvidence, ReplicaLog, ReplicaRead } from '../../cluster/replica-log.js'
import type { Broker, BrokerState, PartitionState, TopicConfig } from '../../cluster/snapshot.js'
import type { DecidedPartition } from '../diagnosis/diagnosed-partition.js'
import { lossUnder } from '../planning/loss.js'
import type { Loss } from '../planning/plan.js'
import { type LeaderChoice, planPartition } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { acceptableAsLeader, type PredictedWinner, predictedWinner } from '../planning/predicted-winner.js'
import { isEmptyLog, type Ranking, rankReplicas } from '../planning/rank.js'
import { rankReason } from '../planning/rank-reason.js'
import { outcomesOfStarts, type StartOutcome } from '../returns/if-started.js'
import { lastLeader } from '../returns/return-effect.js'
import { type EpochSegment, epochSegments, type Parting, partingOf } from './ruler.js'

/** How a replica stands to the first by rank. */
export type VersusBest =
  | { readonly kind: 'best' }
  /** Its log ends that many offsets after (or before, if negative) the best one's. */
  | { readonly kind: 'offsets'; readonly difference: number }
  /** Not read, and it led last or is in ISR, ELR or last known ELR. */
  | { readonly kind: 'mayHaveMore' }
  | { readonly kind: 'unknown' }

/** One replica of a partition, beside the others. */
export interface ComparedReplica {
  readonly broker: number
  readonly host: string | null
  readonly rack: string | null
  readonly brokerState: BrokerState
  readonly read: ReplicaRead
  /** From 1; null: not eligible, for `reason`. */
  readonly rank: number | null
  readonly reason: string | null
  readonly ledLast: boolean
  /** Null: the cluster tells no ELR. */
  readonly roles: { readonly isr: boolean; readonly elr: boolean | null; readonly lastKnownElr: boolean | null }
  /** What was told of its log: of one that counts, or of a fenced broker's, which may be shown only. Null: nothing. */
  readonly log: ReplicaLog | null
  /** Null: not told. */
  readonly epoch: LastWrittenEpoch | null
  readonly empty: boolean
  readonly versusBest: VersusBest
}

/** One row of the ruler: what its log holds from where the logs part. */
export interface RulerRow {
  readonly broker: number
  /** Null: not read, unknown from end to end. */
  readonly segments: readonly EpochSegment[] | null
}

/** The logs drawn from where they part. Offsets; `to` is exclusive. */
export interface Ruler {
  readonly from: number
  readonly to: number
  /** In the order of the replicas. */
  readonly rows: readonly RulerRow[]
}

/** What it would mean if this replica led: worked out for every eligible one, before anything is chosen. */
export interface Candidate {
  readonly broker: number
  readonly by: 'rank' | 'hand'
  readonly loss: Loss
  /** Replicas of the assignment that were not read: what they would lose is unknown. */
  readonly unread: readonly number[]
  /** Its plan, were it chosen by hand; or why it could not be carried out. */
  readonly decided: DecidedPartition
}

export interface Comparison {
  readonly state: PartitionState
  readonly readAt: Date
  /** Null: not read. */
  readonly config: TopicConfig | null
  /** First those not read that may have more, whoever led last before all; then by rank; then the others that were not read. */
  readonly replicas: readonly ComparedReplica[]
  /** Null: no log was read that could be compared. */
  readonly parting: Parting | null
  /** Null: nothing parts, the logs that were read are the same to their ends. */
  readonly ruler: Ruler | null
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** Why the first of them is the first; null: there is one at most. */
  readonly whyFirst: string | null
  readonly ifStarted: readonly StartOutcome[]
  /** Whom an ordinary unclean election would take, as the assignment stands. */
  readonly kafkaTakes: PredictedWinner
  /** Chosen by hand, else the first by rank; null: nobody can be elected. */
  readonly chosen: number | null
}

export interface ComparisonOptions {
  readonly brokers: readonly Broker[]
  /** The leader chosen by hand. */
  readonly choice?: number
}

/** One partition without a leader, every replica's log side by side. Pure. */
export function comparePartition(
  evidence: PartitionEvidence,
  context: PlanningContext,
  { brokers, choice }: ComparisonOptions,
): Comparison {
  const { state } = evidence
  const ranking = rankReplicas(evidence, context)
  const replicas = comparedReplicas(evidence, ranking, context, brokers)
  const parting = partingOf(ranking.eligible)
  const candidates = ranking.eligible.map((log, index) => candidate(log, index === 0, evidence, ranking, context))
  const second = ranking.eligible[1]?.broker
  const lostBySecond = candidates[0]?.loss.perReplica.find(({ broker }) => broker === second)?.offsets ?? null
  return {
    state,
    readAt: evidence.readAt,
    config: context.topicConfigs.get(state.topic) ?? null,
    replicas,
    parting,
    ruler: parting === null ? null : rulerFrom(parting.at, replicas, ranking),
    candidates,
    whyFirst: rankReason(ranking.eligible, state, context.strategy, lostBySecond),
    ifStarted: outcomesOfStarts(evidence, context),
    kafkaTakes: predictedWinner(state, state.replicas, acceptableAsLeader(state, context.brokers)),
    chosen: choice ?? ranking.eligible[0]?.broker ?? null,
  }
}

function comparedReplicas(
  { state, replicas }: PartitionEvidence,
  ranking: Ranking,
  context: PlanningContext,
  brokers: readonly Broker[],
): ComparedReplica[] {
  const known = new Map(brokers.map((broker) => [broker.id, broker]))
  const last = lastLeader(state)
  const compared = ranking.replicas.map(({ broker, rank, reason }): ComparedReplica => {
    const read: ReplicaRead = replicas.find((replica) => replica.broker === broker) ?? {
      kind: 'notRead',
      broker,
      cause: 'error',
      reason: `broker ${broker} was not asked for its log`,
    }
    const roles = {
      isr: state.isr.includes(broker),
      elr: state.elr?.includes(broker) ?? null,
      lastKnownElr: state.lastKnownElr?.includes(broker) ?? null,
    }
    const log = read.kind === 'read' ? read : (read.shown ?? null)
    const host = known.get(broker)
    const hasRole = roles.isr || roles.elr === true || roles.lastKnownElr === true
    return {
      broker,
      host: host?.host ?? null,
      rack: host?.rack ?? null,
      brokerState: context.brokers.get(broker) ?? 'down',
      read,
      rank,
      reason,
      ledLast: last === broker,
      roles,
      log,
      epoch: log?.lastWrittenEpoch ?? null,
      empty: log !== null && isEmptyLog(log),
      versusBest: versusBest(rank, log, ranking.eligible[0], hasRole),
    }
  })
  return compared.sort((a, b) => place(a) - place(b))
}

function versusBest(
  rank: number | null,
  log: ReplicaLog | null,
  best: ReplicaLog | undefined,
  hasRole: boolean,
): VersusBest {
  if (rank === 1) return { kind: 'best' }
  if (rank === null || log === null || best === undefined) return { kind: hasRole ? 'mayHaveMore' : 'unknown' }
  return { kind: 'offsets', difference: log.logEndOffset - best.logEndOffset }
}

/** Sorting is stable: within one place the assignment's order stays. */
function place({ rank, ledLast, versusBest }: ComparedReplica): number {
  if (rank !== null) return rank
  if (versusBest.kind !== 'mayHaveMore') return Number.MAX_SAFE_INTEGER
  return ledLast ? -1 : 0
}

function rulerFrom(from: number, replicas: readonly ComparedReplica[], { eligible }: Ranking): Ruler | null {
  const to = Math.max(...eligible.map(({ logEndOffset }) => logEndOffset))
  if (to <= from) return null
  const rows = replicas.map(({ broker, rank, log }) => ({
    broker,
    segments: rank === null || log === null ? null : epochSegments(log, from),
  }))
  return { from, to, rows }
}

function candidate(
  log: ReplicaLog,
  first: boolean,
  evidence: PartitionEvidence,
  { eligible }: Ranking,
  context: PlanningContext,
): Candidate {
  const { replicas } = evidence.state
  const choice: LeaderChoice = { designatedLeader: log.broker, by: 'hand' }
  return {
    broker: log.broker,
    by: first ? 'rank' : 'hand',
    loss: lossUnder(log, eligible, replicas),
    unread: replicas.filter((broker) => !eligible.some((other) => other.broker === broker)),
    decided: planPartition(evidence, context, choice),
  }
}
