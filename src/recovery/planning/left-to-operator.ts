import type { PartitionEvidence, ReplicaLog, ReplicaNotRead } from '../../cluster/replica-log.js'
import { brokerList, count } from '../../text/wording.js'
import type { AcceptableCode, Loss } from './plan.js'
import type { PlanningContext } from './planning-context.js'
import { acceptableAsLeader } from './predicted-winner.js'
import { isEmptyLog, type Ranking } from './rank.js'

/** A reason not to choose automatically, which the operator can overrule. */
export interface Doubt {
  readonly code: AcceptableCode
  /** One line. */
  readonly reason: string
}

/** Every doubt about electing `chosen`, in the order in which they are named: empty, unread, unknownEpoch, contested. */
export function doubtsAbout(
  chosen: ReplicaLog,
  evidence: PartitionEvidence,
  ranking: Ranking,
  loss: Loss,
  context: Pick<PlanningContext, 'brokers'>,
): Doubt[] {
  return [
    ...emptyDoubt(chosen, evidence, ranking),
    ...unreadDoubt(evidence, context),
    ...unknownEpochDoubt(chosen, ranking),
    ...contestedDoubt(chosen, ranking, loss),
  ]
}

function emptyDoubt(chosen: ReplicaLog, { state }: PartitionEvidence, { eligible }: Ranking): Doubt[] {
  if (!isEmptyLog(chosen)) return []
  const allEmpty = eligible.length === state.replicas.length && eligible.every(isEmptyLog)
  if (allEmpty) return []
  const records = eligible.filter((log) => !isEmptyLog(log)).map(({ broker }) => broker)
  const unread = state.replicas.filter((id) => !eligible.some(({ broker }) => broker === id))
  const danger =
    records.length > 0
      ? `${brokerList(records)} would lose all`
      : `${brokerList(unread)} ${unread.length === 1 ? 'was' : 'were'} not read and may hold records`
  return [{ code: 'empty', reason: `the log of broker ${chosen.broker} is empty; ${danger}` }]
}

/** Not read for another reason than lateness, although the cluster calls it alive and online. */
export function unreadReplicas(
  { state, replicas }: PartitionEvidence,
  { brokers }: Pick<PlanningContext, 'brokers'>,
): ReplicaNotRead[] {
  const acceptable = acceptableAsLeader(state, brokers)
  return replicas.filter(
    (replica): replica is ReplicaNotRead =>
      replica.kind === 'notRead' &&
      replica.cause !== 'late' &&
      // Its broker says so before the metadata does.
      replica.cause !== 'offlineLogDir' &&
      acceptable(replica.broker),
  )
}

function unreadDoubt(evidence: PartitionEvidence, context: Pick<PlanningContext, 'brokers'>): Doubt[] {
  const unread = unreadReplicas(evidence, context)
  if (unread.length === 0) return []
  const named = unread.map(({ reason }) => reason).join('; ')
  return [
    {
      code: 'unread',
      reason: `the log of ${brokerList(unread.map(({ broker }) => broker))}, alive and online, could not be read: ${named}`,
    },
  ]
}

function unknownEpochDoubt(chosen: ReplicaLog, { eligible }: Ranking): Doubt[] {
  const longer = eligible.filter(
    (log) =>
      log.broker !== chosen.broker &&
      !isEmptyLog(log) &&
      log.lastWrittenEpoch.kind === 'unknown' &&
      log.logEndOffset > chosen.logEndOffset,
  )
  return longer.length === 0
    ? []
    : [
        {
          code: 'unknownEpoch',
          reason: `${longer.map((log) => `the log of broker ${log.broker} ends at ${count(log.logEndOffset)}`).join(', ')}, after that of broker ${chosen.broker} (${count(chosen.logEndOffset)}), and its leader epochs are unknown`,
        },
      ]
}

function contestedDoubt(chosen: ReplicaLog, { eligible }: Ranking, { perReplica }: Loss): Doubt[] {
  const wiped = perReplica.flatMap(({ broker, offsets }) => {
    const log = eligible.find((candidate) => candidate.broker === broker)
    if (log === undefined || offsets === null) return []
    const held = log.logEndOffset - log.logStartOffset
    return offsets > held - offsets
      ? [`broker ${broker} would lose ${count(offsets)} of its ${count(held)} offsets`]
      : []
  })
  return wiped.length === 0 ? [] : [{ code: 'contested', reason: `under broker ${chosen.broker}, ${wiped.join(', ')}` }]
}
