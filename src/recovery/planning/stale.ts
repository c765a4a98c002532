import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { partitionName } from '../../cluster/snapshot.js'
import { brokerList, count } from '../../text/wording.js'
import type { PlannedPartition } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import { acceptableAsLeader, predictedWinner } from './predicted-winner.js'
import { rankReplicas } from './rank.js'

/**
 * What has changed since a partition was planned, so that its plan must not be carried out; null: nothing that matters.
 * Checked right before each write, and before each retry. `now` needs no epoch history: last written epochs and ends suffice.
 * The assignment is compared as a set, since the re-ordering is our own.
 *
 * @returns one line: what it was and what it is
 */
export function changedSince(
  planned: PlannedPartition,
  now: PartitionEvidence,
  context: Pick<PlanningContext, 'brokers' | 'strategy' | 'reassigning'>,
): string | null {
  const before = planned.evidence.state
  const { state } = now
  if (state.leader !== null) return `broker ${state.leader} leads it by now`
  if (before.topicId !== state.topicId) {
    return `the topic was made anew: its id was ${before.topicId ?? 'not told'}, and is ${state.topicId ?? 'not told'}`
  }
  if (context.reassigning.has(partitionName(state))) return 'a reassignment of it is under way'
  if (before.leaderEpoch !== state.leaderEpoch) {
    return `its leader epoch was ${before.leaderEpoch}, and is ${state.leaderEpoch}`
  }
  const sets = [
    ['replicas were', before.replicas, state.replicas],
    ['ISR was', before.isr, state.isr],
    ['ELR was', before.elr, state.elr],
    ['last known ELR was', before.lastKnownElr, state.lastKnownElr],
    ['offline replicas were', before.offlineReplicas, state.offlineReplicas],
  ] as const
  for (const [what, old, present] of sets) {
    if (!sameSet(old, present)) return `its ${what} ${setText(old)}, now ${setText(present)}`
  }
  return changedLogs(planned, now, context) ?? changedWinner(planned, now, context)
}

function sameSet(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === null || b === null) return a === b
  const members = new Set(a)
  return members.size === new Set(b).size && b.every((broker) => members.has(broker))
}

function setText(set: readonly number[] | null): string {
  return set === null ? 'not told' : `[${set.join(', ')}]`
}

function changedLogs(
  planned: PlannedPartition,
  now: PartitionEvidence,
  context: Pick<PlanningContext, 'brokers' | 'strategy'>,
): string | null {
  const chosen = planned.designatedLeader
  const ranking = rankReplicas(now, context)
  const log = ranking.eligible.find(({ broker }) => broker === chosen)
  if (log === undefined) {
    const reason = ranking.replicas.find(({ broker }) => broker === chosen)?.reason
    return `broker ${chosen} cannot be elected any more: ${reason ?? 'it is no replica'}`
  }
  const planLog = planned.evidence.replicas.find(({ broker }) => broker === chosen)
  if (planLog?.kind !== 'read') return `the plan holds no log of broker ${chosen}`
  const changed = changedLog(planned, now)
  if (changed !== null) return changed
  // Measured against the plan, so that a choice by hand is not called stale for what was known when it was made.
  const outrankedThen = new Set(planned.ranking.filter(outranks(planned.ranking, chosen)).map(({ broker }) => broker))
  const better = ranking.replicas
    .filter(outranks(ranking.replicas, chosen))
    .map(({ broker }) => broker)
    .filter((broker) => !outrankedThen.has(broker))
  return better.length === 0 ? null : `${brokerList(better)} now ${better.length === 1 ? 'ranks' : 'rank'} higher`
}

/**
 * Without a leader no log grows. So any log that was read both times and is another one now makes the plan's losses wrong, be
 * it that of the chosen one or of any other: also where somebody has edited the plan's evidence.
 */
function changedLog(planned: PlannedPartition, now: PartitionEvidence): string | null {
  for (const log of now.replicas) {
    const planLog = planned.evidence.replicas.find(({ broker }) => broker === log.broker)
    if (log.kind !== 'read' || planLog?.kind !== 'read') continue
    const { broker } = log
    if (log.logEndOffset !== planLog.logEndOffset) {
      return `the log of broker ${broker} ended at ${count(planLog.logEndOffset)}, and ends at ${count(log.logEndOffset)}`
    }
    if (epochText(log) !== epochText(planLog)) {
      return `the last epoch of broker ${broker} was ${epochText(planLog)}, and is ${epochText(log)}`
    }
  }
  return null
}

function outranks(
  ranking: readonly { readonly broker: number; readonly rank: number | null }[],
  chosen: number,
): (replica: { readonly rank: number | null }) => boolean {
  const limit = ranking.find(({ broker }) => broker === chosen)?.rank ?? Number.POSITIVE_INFINITY
  return ({ rank }) => rank !== null && rank < limit
}

function epochText({ lastWrittenEpoch }: ReplicaLog): string {
  return lastWrittenEpoch.kind === 'epoch' ? String(lastWrittenEpoch.epoch) : lastWrittenEpoch.kind
}

function changedWinner(
  planned: PlannedPartition,
  { state }: PartitionEvidence,
  { brokers }: Pick<PlanningContext, 'brokers'>,
): string | null {
  if (planned.method === 'designated') return null
  const order = planned.method === 'reorder' ? planned.electionOrder : state.replicas
  const winner = predictedWinner(state, order, acceptableAsLeader(state, brokers))
  if (winner.kind === 'broker' && winner.broker === planned.designatedLeader) return null
  const whom = winner.kind === 'broker' ? `broker ${winner.broker}` : winner.kind
  return `Kafka would now elect ${whom} instead of broker ${planned.designatedLeader}`
}
