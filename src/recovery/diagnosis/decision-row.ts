import type { LastWrittenEpoch, PartitionEvidence, ReplicaRead } from '../../cluster/replica-log.js'
import type { PartitionState, TopicPartition } from '../../cluster/snapshot.js'
import { lossUnder } from '../planning/loss.js'
import type { SkipCode, WarningCode } from '../planning/plan.js'
import { isEmptyLog } from '../planning/rank.js'
import { bestRead, isInternal, type LossSum } from './decision-groups.js'
import type { DiagnosedPartition, GroupId, OfflineSince } from './diagnosed-partition.js'

/**
 * What is known of a replica in one word. read, empty: its log was read (empty: it has no records). down, fenced, offlineLogDir,
 * late: not read, for that reason; unread: for any other. notYet: nobody has been asked yet.
 */
export type ReplicaStanding = 'read' | 'empty' | 'down' | 'fenced' | 'offlineLogDir' | 'late' | 'unread' | 'notYet'

/** One line of a list of partitions. Worked out when it is shown: a list may be long. */
export interface DecisionRow extends TopicPartition {
  readonly internal: boolean
  readonly group: GroupId
  readonly since: OfflineSince
  readonly outdated: boolean
  /** In assignment order. */
  readonly replicas: readonly { readonly broker: number; readonly standing: ReplicaStanding }[]
  /** The first by rank with its log's end and last written epoch; null: no replica is eligible, or none was read yet. */
  readonly best: { readonly broker: number; readonly end: number; readonly epoch: LastWrittenEpoch } | null
  /** What electing `best` (or whom the plan names) would lose; null: nobody can be elected. */
  readonly loss: LossSum | null
  /** Null: it is not planned. */
  readonly designatedLeader: number | null
  /** Why it is left to the operator; null: it is planned, or was not read yet. */
  readonly left: { readonly code: SkipCode; readonly reason: string } | null
  readonly warnings: readonly WarningCode[]
}

export function decisionRow(partition: DiagnosedPartition, internalTopics: ReadonlySet<string>): DecisionRow {
  const { topic, state, decided, group, since, outdated } = partition
  const planned = decided !== null && 'designatedLeader' in decided ? decided : null
  const skipped = decided !== null && !('designatedLeader' in decided) ? decided : null
  const best = decided === null ? undefined : bestRead(decided)
  return {
    topic,
    partition: partition.partition,
    internal: isInternal(topic, internalTopics),
    group,
    since,
    outdated,
    replicas: replicaStandings(state, decided?.evidence ?? null),
    best: best === undefined ? null : { broker: best.broker, end: best.logEndOffset, epoch: best.lastWrittenEpoch },
    loss:
      planned === null
        ? lossUnderBest(partition)
        : { atLeast: planned.loss.atLeast, open: planned.loss.known === null },
    designatedLeader: planned?.designatedLeader ?? null,
    left: skipped === null ? null : { code: skipped.code, reason: skipped.reason },
    warnings: planned?.warnings.map(({ code }) => code) ?? [],
  }
}

function replicaStandings(state: PartitionState, evidence: PartitionEvidence | null): DecisionRow['replicas'] {
  return state.replicas.map((broker) => {
    const replica = evidence?.replicas.find((candidate) => candidate.broker === broker)
    return { broker, standing: replica === undefined ? 'notYet' : standingOf(replica) }
  })
}

export function standingOf(replica: ReplicaRead): ReplicaStanding {
  if (replica.kind === 'read') return isEmptyLog(replica) ? 'empty' : 'read'
  switch (replica.cause) {
    case 'down':
    case 'fenced':
    case 'offlineLogDir':
    case 'late':
      return replica.cause
    default:
      return 'unread'
  }
}

/** Of a partition that is left to the operator: what the first by rank would cost, should it be chosen all the same. */
function lossUnderBest({ decided }: DiagnosedPartition): LossSum | null {
  const best = decided === null ? undefined : bestRead(decided)
  if (best === undefined || decided === null || decided.evidence === null) return null
  const eligible = new Set(decided.ranking.filter((replica) => replica.eligible).map(({ broker }) => broker))
  const logs = decided.evidence.replicas.filter((replica) => replica.kind === 'read')
  const read = logs.filter(({ broker }) => eligible.has(broker))
  const { atLeast, known } = lossUnder(best, read, decided.evidence.state.replicas)
  return { atLeast, open: known === null }
}
