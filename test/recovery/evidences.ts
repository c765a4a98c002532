import fc from 'fast-check'
import type { NotReadCause, PartitionEvidence } from '../../src/cluster/replica-log.js'
import type { BrokerState } from '../../src/cluster/snapshot.js'
import type { PlanningContext } from '../../src/recovery/planning/planning-context.js'
import { histories, REPLICAS } from './histories.js'
import { toldLog } from './record-by-record.js'
import { notRead, planningContext, replicaLog } from './scenario-evidence.js'

export interface OfflinePartition {
  readonly evidence: PartitionEvidence
  readonly context: PlanningContext
}

const BROKERS = Array.from({ length: REPLICAS }, (_, broker) => broker)
const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant('read' as const) },
  { weight: 2, arbitrary: fc.constant('down' as const) },
  { weight: 1, arbitrary: fc.constantFrom('fenced', 'offlineLogDir', 'late', 'connection', 'noEpochs' as const) },
)

/** Roles as Kafka leaves them: an ISR (no ELR), or an empty ISR with ELR and last known ELR. */
const roles = fc.oneof(
  fc.record({
    isr: fc.subarray(BROKERS, { minLength: 1, maxLength: 1 }),
    elr: fc.constantFrom<number[] | null>(null, []),
    lastKnownElr: fc.constantFrom<number[] | null>(null, []),
  }),
  fc.record({
    isr: fc.constant<number[]>([]),
    elr: fc.subarray(BROKERS),
    lastKnownElr: fc.subarray(BROKERS, { maxLength: 1 }),
  }),
)

/** Any leaderless partition with logs from real histories, some of them unread, and the cluster around it. */
export function offlinePartitions(): fc.Arbitrary<OfflinePartition> {
  return fc
    .record({
      logs: histories(),
      order: fc.shuffledSubarray(BROKERS, { minLength: REPLICAS, maxLength: REPLICAS }),
      roles,
      fates: fc.array(fate, { minLength: REPLICAS, maxLength: REPLICAS }),
    })
    .map(({ logs, order, roles, fates }) => {
      const cannotServe = (broker: number) => ['down', 'fenced', 'offlineLogDir'].includes(fates[broker]!)
      const brokerState = (broker: number): BrokerState => {
        const own = fates[broker]
        return own === 'down' || own === 'fenced' ? own : 'up'
      }
      return {
        evidence: {
          state: {
            topic: 'orders',
            topicId: 'id',
            partition: 0,
            leader: null,
            leaderEpoch: 50,
            replicas: order,
            ...roles,
            offlineReplicas: order.filter(cannotServe),
          },
          replicas: order.map((broker) => {
            const told = toldLog(broker, logs[broker]!)
            const own = fates[broker]!
            if (own === 'read') return told
            if (own === 'noEpochs') return replicaLog(broker, { ...told, epochs: [], highWatermark: 0 })
            return notRead(broker, own satisfies NotReadCause)
          }),
          readAt: new Date(0),
        },
        context: planningContext(new Map(BROKERS.map((broker) => [broker, brokerState(broker)]))),
      }
    })
}

/** The same partition with its assignment in another order. */
export function withOrder({ evidence, context }: OfflinePartition, order: readonly number[]): OfflinePartition {
  return {
    context,
    evidence: {
      ...evidence,
      state: { ...evidence.state, replicas: order },
      replicas: order.map((broker) => evidence.replicas.find((replica) => replica.broker === broker)!),
    },
  }
}
