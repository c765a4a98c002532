import type { Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import type { RankedReplica, SkippedPartition, Strategy } from '../planning/plan.js'
import { rankReplicas } from '../planning/rank.js'
import type { SeenEmptyStorage } from '../returns/seen-empty.js'
import type { Situation } from '../returns/situation.js'
import { readSituation } from './read-situation.js'
import { type Selection, selectPartitions } from './select-partitions.js'

export interface ComparedPartition {
  readonly evidence: PartitionEvidence
  /** In assignment order. */
  readonly ranking: readonly RankedReplica[]
}

export interface ComparedReplicas {
  readonly snapshot: ClusterSnapshot
  /** By topic, then partition; also of partitions that have a leader. */
  readonly partitions: readonly ComparedPartition[]
  readonly missing: readonly SkippedPartition[]
  readonly situation: Situation
}

/** Every replica's log of the selected partitions, side by side, with its rank. Sends nothing that writes. */
export async function compareReplicas(
  cluster: Cluster,
  selection: Selection,
  options: {
    readonly durationMs: number
    readonly strategy: Strategy
    readonly memory?: SeenEmptyStorage
    readonly onProgress?: (done: number, total: number) => void
  },
): Promise<ComparedReplicas> {
  const snapshot = await cluster.snapshot({ logDirs: false, elr: true, configs: true, quorum: true })
  const { found, missing } = selectPartitions(selection, snapshot)
  const evidences =
    found.length === 0
      ? []
      : await cluster.readReplicaLogs(found, {
          durationMs: options.durationMs,
          history: true,
          ...(options.onProgress ? { onProgress: options.onProgress } : {}),
        })
  const context = {
    brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])),
    strategy: options.strategy,
  }
  return {
    snapshot,
    missing,
    situation: await readSituation(cluster, snapshot, { ...options, known: evidences }),
    partitions: evidences.map((evidence) => ({ evidence, ranking: rankReplicas(evidence, context).replicas })),
  }
}
