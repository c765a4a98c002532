import type { PartitionEvidence, ReplicaRead } from '../cluster/replica-log.js'
import { type BrokerState, type PartitionState, partitionName } from '../cluster/snapshot.js'
import { isEmptyLog } from '../recovery/planning/rank.js'
import type { HeldPartitions } from './held-partitions.js'
import type { SeenReplica } from './seen-placements.js'

/** Whether anybody else has records of a partition. unknown: those that may have were not read. no: whoever else has it is empty. */
export type OtherCopies = 'yes' | 'no' | 'unknown'

/** One partition that has, or had, its replica of this broker in the directory. */
export interface AffectedPartition {
  readonly state: PartitionState
  /**
   * leaderless: nobody serves it. servedElsewhere: `leader` took over. ledHere: this broker leads it: from a failed directory although the
   * metadata shows no error, or again, after it came back.
   */
  readonly kind: 'leaderless' | 'servedElsewhere' | 'ledHere'
  readonly leader: number | null
  /** In which of the lists that decide who leads it this broker stands. */
  readonly namedIn: readonly Role[]
  readonly otherCopies: OtherCopies
  /** The other replica with the furthest log end that was read; null: none was. */
  readonly bestOther: { readonly broker: number; readonly logEndOffset: number } | null
  /** Brokers whose replicas were not read: whether they have a copy is unknown. */
  readonly unread: readonly number[]
  readonly before: SeenReplica | null
  /** Null: its logs were not read. */
  readonly evidence: PartitionEvidence | null
}

export type Role = 'ISR' | 'ELR' | 'last known ELR'

/** In which lists the partition still names this broker. A list that was not told may name it: said as such by `rolesUnknown`. */
export function rolesOf(state: PartitionState, broker: number): Role[] {
  const { isr, elr, lastKnownElr } = state
  return [
    ...(isr.includes(broker) ? (['ISR'] as const) : []),
    ...(elr?.includes(broker) ? (['ELR'] as const) : []),
    ...(lastKnownElr?.includes(broker) ? (['last known ELR'] as const) : []),
  ]
}

/** The ISR is empty, which means that ELR is kept, and it was not told to us. */
export function rolesUnknown({ isr, elr, lastKnownElr }: PartitionState): boolean {
  return isr.length === 0 && (elr === null || lastKnownElr === null)
}

/** All that were in the directory, by topic and partition. Pure. */
export function affectedPartitions(
  broker: number,
  held: HeldPartitions,
  evidences: readonly PartitionEvidence[],
  brokers: ReadonlyMap<number, BrokerState>,
): AffectedPartition[] {
  const read = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
  return held.partitions.map((state) => {
    const name = partitionName(state)
    const evidence = read.get(name) ?? null
    const before = held.before.get(name) ?? null
    const { leader } = state
    return {
      state,
      kind: leader === null ? 'leaderless' : leader === broker ? 'ledHere' : 'servedElsewhere',
      leader,
      namedIn: rolesOf(state, broker),
      ...copiesElsewhere(broker, state, evidence, brokers),
      before,
      evidence,
    }
  })
}

function copiesElsewhere(
  broker: number,
  { replicas }: PartitionState,
  evidence: PartitionEvidence | null,
  brokers: ReadonlyMap<number, BrokerState>,
): Pick<AffectedPartition, 'otherCopies' | 'bestOther' | 'unread'> {
  let bestOther: AffectedPartition['bestOther'] = null
  let records = false
  const unread: number[] = []
  for (const id of replicas) {
    if (id === broker) continue
    const log = logOf(evidence?.replicas.find((one) => one.broker === id))
    if (log === null || (brokers.get(id) ?? 'down') === 'down') {
      unread.push(id)
      continue
    }
    if (!isEmptyLog(log)) records = true
    if (bestOther === null || log.logEndOffset > bestOther.logEndOffset) {
      bestOther = { broker: id, logEndOffset: log.logEndOffset }
    }
  }
  const otherCopies = records ? 'yes' : unread.length > 0 ? 'unknown' : 'no'
  return { otherCopies, bestOther, unread }
}

/** A fenced broker's log is there all the same. */
function logOf(replica: ReplicaRead | undefined) {
  if (replica === undefined) return null
  return replica.kind === 'read' ? replica : (replica.shown ?? null)
}
