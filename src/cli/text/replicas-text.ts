import type { PartitionEvidence, ReplicaRead } from '../../cluster/replica-log.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { RankedReplica } from '../../recovery/plan.js'
import { columns } from './columns.js'
import { bytesText, numberText } from './words.js'

/** Every replica's log, one row each, partitions one below the other. `width`: of the terminal, null: a pipe. */
export function replicasText(
  partitions: readonly { readonly evidence: PartitionEvidence; readonly ranking: readonly RankedReplica[] }[],
  width: number | null,
): string[] {
  if (partitions.length === 0) return []
  return columns(
    [
      { title: 'PARTITION', mayCut: true },
      { title: 'LEADER', align: 'right' },
      { title: 'REPLICA', align: 'right' },
      { title: 'RANK', align: 'right' },
      { title: 'LAST EPOCH', align: 'right' },
      { title: 'LOG START', align: 'right' },
      { title: 'LOG END', align: 'right' },
      { title: 'HIGH WATERMARK', align: 'right' },
      { title: 'SIZE', align: 'right' },
      { title: 'ROLE' },
      { title: 'NOTE', mayCut: true },
    ],
    partitions.flatMap(({ evidence, ranking }) =>
      evidence.replicas.map((replica) =>
        replicaRow(
          evidence,
          replica,
          ranking.find(({ broker }) => broker === replica.broker),
        ),
      ),
    ),
    width,
  )
}

function replicaRow(evidence: PartitionEvidence, replica: ReplicaRead, ranked: RankedReplica | undefined): string[] {
  const { state } = evidence
  const log = replica.kind === 'read' ? replica : replica.shown
  const lastEpoch = log?.lastWrittenEpoch
  const reason = ranked?.reason ?? (replica.kind === 'notRead' ? replica.reason : null)
  return [
    partitionName(state),
    state.leader === null ? 'none' : String(state.leader),
    String(replica.broker),
    ranked?.rank === null || ranked === undefined ? '-' : String(ranked.rank),
    lastEpoch === undefined
      ? '?'
      : lastEpoch.kind === 'epoch'
        ? String(lastEpoch.epoch)
        : lastEpoch.kind === 'none'
          ? 'none'
          : '?',
    numberText(log?.logStartOffset ?? null),
    numberText(log?.logEndOffset ?? null),
    numberText(log?.highWatermark ?? null),
    bytesText(log?.sizeBytes ?? null),
    roleText(evidence, replica.broker),
    reason === null ? (log?.logDir ?? '') : `not eligible: ${reason}`,
  ]
}

function roleText({ state }: PartitionEvidence, broker: number): string {
  const roles = [
    ...(state.isr.includes(broker) ? ['ISR'] : []),
    ...(state.elr?.includes(broker) ? ['ELR'] : []),
    ...(state.lastKnownElr?.includes(broker) ? ['last known ELR'] : []),
  ]
  return roles.length === 0 ? '-' : roles.join(', ')
}
