import type { Cluster } from '../../../src/cluster/cluster.js'
import { connectCluster } from '../../../src/cluster/connect.js'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import { type PartitionState, partitionName, type TopicPartition } from '../../../src/cluster/snapshot.js'
import type { PlannedPartition, SkippedPartition } from '../../../src/recovery/planning/plan.js'
import { isPlanned } from '../../../src/recovery/planning/plan-partition.js'
import { alarmsOf } from '../../../src/recovery/returns/alarms.js'
import { type PlanningOptions, planRecovery } from '../../../src/recovery/use-cases/plan-recovery.js'

/** What this program sees of one partition, and what it would do. What may differ between two right clusters is left out. */
export interface ObservedPartition {
  readonly leader: number | null
  readonly leaderEpoch: number
  /** In their order. */
  readonly replicas: readonly number[]
  /** These sorted: in Kafka they are sets. */
  readonly isr: readonly number[]
  readonly elr: readonly number[] | null
  readonly lastKnownElr: readonly number[] | null
  readonly offlineReplicas: readonly number[]
  readonly reassigning: boolean
  /** By broker: start, end, epoch history and last written epoch as our reader tells them, or why there is none. */
  readonly logs: Readonly<Record<string, string>>
  readonly decision: object
}

export interface Observation {
  readonly brokers: Readonly<Record<string, string>>
  readonly alarms: readonly string[]
  readonly partitions: Readonly<Record<string, ObservedPartition>>
}

const RECOVERY_DURATION_MS = 10_000
const REQUEST_TIMEOUT_MS = 10_000

/** Connects through our own cluster layer to whatever runs at these ports, and disconnects. */
export async function withOurCluster<T>(ports: readonly number[], use: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = await connectCluster({
    bootstrapServers: ports.map((port) => ({ host: '127.0.0.1', port })),
    endpoints: new Map(),
    transport: { clientId: 'twin', tls: null, sasl: null, readOnly: false },
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    replicaLogInfoApiKey: 93,
  })
  try {
    return await use(cluster)
  } finally {
    await cluster.close()
  }
}

export function planningOptions(further: Partial<PlanningOptions> = {}): PlanningOptions {
  return { durationMs: RECOVERY_DURATION_MS, strategy: 'rank', method: 'auto', accepted: new Set(), ...further }
}

/** All that our reader and our plan say of these partitions now. */
export function observe(ports: readonly number[], partitions: readonly TopicPartition[]): Promise<Observation> {
  return withOurCluster(ports, async (cluster) => {
    const { plan, snapshot, context } = await planRecovery(
      cluster,
      { kind: 'named', partitions },
      planningOptions({ readLed: true }),
    )
    const { found } = await cluster.readPartitions(partitions)
    const states = new Map(found.map((state) => [partitionName(state), state]))
    const decided = [...plan.partitions, ...plan.skipped]
    const observed = decided.flatMap((one): [string, ObservedPartition][] => {
      const name = partitionName(one)
      const state = states.get(name)
      if (one.evidence === null || state === undefined) return []
      const minIsr = snapshot.topicConfigs.get(one.topic)?.minInsyncReplicas ?? 1
      return [
        [name, observedPartition(one.evidence, state, one, { reassigning: context.reassigning.has(name), minIsr })],
      ]
    })
    const evidences = decided.flatMap(({ evidence }) => (evidence === null ? [] : [evidence]))
    const named = new Set(partitions.map(partitionName))
    return {
      brokers: Object.fromEntries(snapshot.brokers.map(({ id, state }) => [id, state])),
      alarms: alarmsOf(snapshot, evidences, context)
        .flatMap(({ code, broker, partitions: about }) =>
          about
            .map(partitionName)
            .filter((name) => named.has(name))
            .map((name) => `${code}: broker ${broker} of ${name}`),
        )
        .sort(),
      partitions: Object.fromEntries(observed.sort(([a], [b]) => (a < b ? -1 : 1))),
    }
  })
}

function observedPartition(
  evidence: PartitionEvidence,
  state: PartitionState,
  decided: PlannedPartition | SkippedPartition,
  { reassigning, minIsr }: { readonly reassigning: boolean; readonly minIsr: number },
): ObservedPartition {
  // Once a leader has crashed, a high watermark is that of its last checkpoint, a matter of seconds, until it is raised again.
  const certain = state.leaderEpoch === 0 || state.isr.length >= minIsr
  return {
    leader: state.leader,
    leaderEpoch: state.leaderEpoch,
    replicas: state.replicas,
    isr: sorted(state.isr),
    elr: state.elr === null ? null : sorted(state.elr),
    lastKnownElr: state.lastKnownElr === null ? null : sorted(state.lastKnownElr),
    offlineReplicas: sorted(state.offlineReplicas),
    reassigning,
    logs: Object.fromEntries(evidence.replicas.map((replica) => [replica.broker, logText(replica, state, certain)])),
    decision: decisionOf(decided),
  }
}

/**
 * The high watermark is that of the leader alone. A follower hears of it with what it fetches, and after a change of leader without
 * further writes it sometimes does not for as long as we wait (10 of 15, 0 of 6 seen on 4.4.0, in one run of three).
 */
function logText(replica: ReplicaRead, { leader }: PartitionState, certain: boolean): string {
  if (replica.kind === 'notRead') return replica.cause
  const { logStartOffset, logEndOffset, epochs, lastWrittenEpoch, broker, highWatermark } = replica
  const history = epochs.map(({ epoch, startOffset }) => `${epoch}@${startOffset}`).join(' ')
  const last = lastWrittenEpoch.kind === 'epoch' ? lastWrittenEpoch.epoch : lastWrittenEpoch.kind
  const committed = certain && leader === broker ? `, high watermark ${highWatermark}` : ''
  return `${logStartOffset} to ${logEndOffset}, epochs [${history}], last written ${last}${committed}`
}

function decisionOf(decided: PlannedPartition | SkippedPartition): object {
  const ranking = decided.ranking.filter(({ eligible }) => eligible).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const common = { ranked: ranking.map(({ broker }) => broker), kafkaWouldElect: decided.kafkaWouldElect }
  if (!isPlanned(decided)) return { left: decided.code, blockedBy: decided.blockedBy, ...common }
  const { designatedLeader, method, electionOrder, loss, warnings } = decided
  return {
    designatedLeader,
    method,
    electionOrder,
    ...common,
    loss: { known: loss.known, atLeast: loss.atLeast },
    // It rests on high watermarks.
    warnings: warnings.map(({ code }) => code).filter((code) => code !== 'committedLoss'),
  }
}

function sorted(ids: readonly number[]): number[] {
  return [...ids].sort((a, b) => a - b)
}
