import type { PartitionEvidence, ReplicaLog, ReplicaRead } from '../../cluster/replica-log.js'
import type { RankedReplica, Warning } from '../planning/plan.js'

/** One replica in `replicas --json` and in a plan's evidence. Offsets are numbers; null is unknown, `unknown` says why. */
export interface ReplicaJson {
  readonly broker: number
  readonly eligible: boolean
  readonly reason: string | null
  readonly rank: number | null
  readonly logStartOffset: number | null
  readonly logEndOffset: number | null
  readonly lastEpoch: number | null
  readonly epochs: readonly (readonly [epoch: number, startOffset: number])[] | null
  readonly highWatermark: number | null
  readonly sizeBytes: number | null
  readonly logDir: string | null
  readonly inIsr: boolean
  /** Null: the cluster tells no ELR of this partition. */
  readonly inElr: boolean | null
  readonly inLastKnownElr: boolean | null
  /** Null: it was read. A fenced broker's offsets may stand above all the same; they never count. */
  readonly notRead: { readonly cause: string; readonly reason: string } | null
  /** For each field above that is null: why. */
  readonly unknown: Readonly<Record<string, string>>
}

export interface EvidenceJson {
  readonly topic: string
  readonly topicId: string | null
  readonly partition: number
  readonly leader: number | null
  readonly leaderEpoch: number
  readonly isr: readonly number[]
  readonly elr: readonly number[] | null
  readonly lastKnownElr: readonly number[] | null
  readonly offlineReplicas: readonly number[]
  /** In assignment order, every member of the assignment. */
  readonly replicas: readonly ReplicaJson[]
  readonly warnings: readonly Warning[]
  readonly readAt: string
}

/** cli.md's shape of one partition's logs; the fields beyond it (isr to readAt, notRead, unknown) let a plan file be read back. */
export function evidenceToJson(
  evidence: PartitionEvidence,
  ranking: readonly RankedReplica[],
  warnings: readonly Warning[],
): EvidenceJson {
  const { state } = evidence
  const ranked = new Map(ranking.map((replica) => [replica.broker, replica]))
  return {
    topic: state.topic,
    topicId: state.topicId,
    partition: state.partition,
    leader: state.leader,
    leaderEpoch: state.leaderEpoch,
    isr: state.isr,
    elr: state.elr,
    lastKnownElr: state.lastKnownElr,
    offlineReplicas: state.offlineReplicas,
    replicas: evidence.replicas.map((replica) => replicaToJson(replica, ranked.get(replica.broker), evidence)),
    warnings,
    readAt: evidence.readAt.toISOString(),
  }
}

function replicaToJson(
  replica: ReplicaRead,
  ranked: RankedReplica | undefined,
  { state }: PartitionEvidence,
): ReplicaJson {
  const log = replica.kind === 'read' ? replica : replica.shown
  return {
    broker: replica.broker,
    eligible: ranked?.eligible ?? false,
    reason: ranked?.reason ?? (replica.kind === 'notRead' ? replica.reason : null),
    rank: ranked?.rank ?? null,
    logStartOffset: log?.logStartOffset ?? null,
    logEndOffset: log?.logEndOffset ?? null,
    lastEpoch: log?.lastWrittenEpoch.kind === 'epoch' ? log.lastWrittenEpoch.epoch : null,
    epochs: log?.epochs.map(({ epoch, startOffset }) => [epoch, startOffset] as const) ?? null,
    highWatermark: log?.highWatermark ?? null,
    sizeBytes: log?.sizeBytes ?? null,
    logDir: log?.logDir ?? null,
    inIsr: state.isr.includes(replica.broker),
    inElr: state.elr?.includes(replica.broker) ?? null,
    inLastKnownElr: state.lastKnownElr?.includes(replica.broker) ?? null,
    notRead: replica.kind === 'notRead' ? { cause: replica.cause, reason: replica.reason } : null,
    unknown: {
      ...(log === undefined ? { log: replica.kind === 'notRead' ? replica.reason : 'not read' } : unknownOf(log)),
      ...(state.elr === null ? { inElr: 'the cluster tells no ELR of this partition' } : {}),
      ...(state.lastKnownElr === null
        ? { inLastKnownElr: 'the cluster tells no last known ELR of this partition' }
        : {}),
    },
  }
}

function unknownOf(log: ReplicaLog): Record<string, string> {
  const unknown: Record<string, string> = {}
  if (log.lastWrittenEpoch.kind === 'none') unknown.lastEpoch = 'the log is empty'
  if (log.lastWrittenEpoch.kind === 'unknown') unknown.lastEpoch = 'the broker keeps no epochs for this log'
  if (log.highWatermark === null) unknown.highWatermark = 'not told by the broker'
  if (log.sizeBytes === null) unknown.sizeBytes = 'not told by the broker'
  if (log.logDir === null) unknown.logDir = 'not told by the broker'
  return unknown
}
