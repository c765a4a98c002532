import type { PartitionEvidence, ReplicaLog } from '../../cluster/replica-log.js'
import { brokerLists } from '../../cluster/shared-lists.js'
import { partitionName } from '../../cluster/snapshot.js'
import { wayOnWithoutCandidate, whyNoCandidate } from '../diagnosis/way-on.js'
import { electionRoute } from './election-order.js'
import { doubtsAbout } from './left-to-operator.js'
import { committedLossAtLeast, lossUnder } from './loss.js'
import { obstacleTo } from './obstacle.js'
import type { AcceptableCode, PlannedPartition, SkipCode, SkippedPartition } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import { acceptableAsLeader, predictedWinner, winnerOrNull } from './predicted-winner.js'
import { type Ranking, rankReplicas } from './rank.js'
import { sharedText } from './shared-parts.js'
import { warningsOf } from './warnings.js'

/** A leader named by a person or a plan file. Overrules each AcceptableCode for its partition. */
export interface LeaderChoice {
  readonly designatedLeader: number
  readonly by: 'hand'
  /** What was accepted by its code before, beside what the choice overrules. */
  readonly accepted?: ReadonlySet<AcceptableCode>
}

/**
 * Decides one partition: planned, or left to the operator with the reason. Pure; nothing is sent.
 * The codes' precedence: hasLeader, noCandidate, blocked, reassigning, which nobody can overrule; then empty, unread,
 * unknownEpoch, contested.
 */
export function planPartition(
  evidence: PartitionEvidence,
  context: PlanningContext,
  choice?: LeaderChoice,
): PlannedPartition | SkippedPartition {
  const { state } = evidence
  const ranking = rankReplicas(evidence, context)
  const asItStands =
    state.leader === null
      ? winnerOrNull(predictedWinner(state, state.replicas, acceptableAsLeader(state, context.brokers)))
      : null
  const skip = (code: SkipCode, reason: string, blockedBy: number | null = null): SkippedPartition => ({
    topic: state.topic,
    partition: state.partition,
    code,
    reason: sharedText(reason),
    blockedBy,
    kafkaWouldElect: asItStands,
    leader: state.leader,
    evidence,
    ranking: ranking.replicas,
  })

  if (state.leader !== null) return skip('hasLeader', `broker ${state.leader} leads it already: nothing to do`)
  const candidate = candidateFor(evidence, ranking, context, choice)
  if (typeof candidate === 'string') {
    const nobody = ranking.eligible.length === 0
    return skip('noCandidate', nobody ? `${candidate}. Way on: ${wayOnWithoutCandidate(evidence, context)}` : candidate)
  }

  const route = electionRoute(state, ranking, candidate.broker, context)
  const obstacle = route.winner === null ? null : obstacleTo(candidate, route.winner, evidence, context)
  if (obstacle !== null) return skip('blocked', obstacle.reason, obstacle.by)
  if (context.reassigning.has(partitionName(state))) {
    return skip('reassigning', 'a reassignment of it is under way: wait until it is done, or cancel it')
  }

  const loss = lossUnder(candidate, ranking.eligible, state.replicas)
  const doubts = doubtsAbout(candidate, evidence, ranking, loss, context)
  const standing = choice === undefined ? doubts.find(({ code }) => !context.accepted.has(code)) : undefined
  if (standing) {
    const byHand = `elect --leader ${partitionName(state)}=BROKER`
    return skip(standing.code, `${standing.reason}${BY_HAND}${byHand}), or --accept ${standing.code}`)
  }

  const committedAtLeast = committedLossAtLeast(candidate, ranking.eligible)
  return {
    topic: state.topic,
    topicId: state.topicId,
    partition: state.partition,
    designatedLeader: candidate.broker,
    method: route.method,
    electionOrder: brokerLists.of(route.order),
    kafkaWouldElect: asItStands,
    loss,
    committedAtLeast,
    warnings: warningsOf(
      {
        chosen: candidate,
        evidence,
        ranking,
        loss,
        committedAtLeast,
        kafkaWouldElect: asItStands,
        overruled: doubts,
        acceptedByCode: (code) => context.accepted.has(code) || choice?.accepted?.has(code) === true,
      },
      context,
    ),
    ranking: ranking.replicas,
    evidence,
    byHand: choice !== undefined,
  }
}

/** A skipped partition has a code, a planned one a leader. */
export function isPlanned(partition: PlannedPartition | SkippedPartition): partition is PlannedPartition {
  return 'designatedLeader' in partition
}

/** The log to elect, or why there is none. */
function candidateFor(
  { state }: PartitionEvidence,
  ranking: Ranking,
  context: PlanningContext,
  choice: LeaderChoice | undefined,
): ReplicaLog | string {
  if (choice === undefined) {
    return ranking.eligible[0] ?? `no replica can be elected: ${whyNoCandidate(ranking.replicas, context)}`
  }
  const { designatedLeader } = choice
  if (!state.replicas.includes(designatedLeader)) {
    return `broker ${designatedLeader} is not among its replicas (${state.replicas.join(', ')})`
  }
  const chosen = ranking.eligible.find(({ broker }) => broker === designatedLeader)
  const reason = ranking.replicas.find(({ broker }) => broker === designatedLeader)?.reason
  return chosen ?? `broker ${designatedLeader} cannot be elected: ${reason ?? 'its log was not read'}`
}

/** What the command line's way on begins with, behind the reason. */
const BY_HAND = ': choose by hand ('

/** Why it was left to the operator, without the command line's way on: the console has keys for it. */
export function reasonAlone(reason: string): string {
  const at = reason.lastIndexOf(BY_HAND)
  return at === -1 ? reason : reason.slice(0, at)
}
