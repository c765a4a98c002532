import type { PartitionEvidence } from '../cluster/replica-log.js'
import { type BrokerState, type ClusterSnapshot, partitionName, type TopicPartition } from '../cluster/snapshot.js'
import type { HeldPartitions } from './held-partitions.js'

/** How far one replica of the directory has come. */
export interface ReplicaProgress extends TopicPartition {
  /** noLeader: nobody to copy from. givenUp: the same, and the operator wrote it off. away: its broker is. offline: on a failed directory. unread: one of the two logs was not read. */
  readonly state: 'inSync' | 'catchingUp' | 'leads' | 'noLeader' | 'givenUp' | 'away' | 'offline' | 'unread'
  readonly logEndOffset: number | null
  readonly leader: number | null
  readonly leaderEndOffset: number | null
  /** Offsets per second since the reading before; null: nothing to compare with. */
  readonly offsetsPerSecond: number | null
  /** At that rate; null: not known, or not getting nearer. */
  readonly remainingMs: number | null
}

/** The way back of a broker and its directory, at one moment. */
export interface ReturnProgress {
  readonly at: Date
  readonly broker: BrokerState
  /** Null: not told, or not in the broker's answer any more. */
  readonly directory: 'online' | 'offline' | 'unknown' | 'missing' | null
  /** By topic, then partition. */
  readonly replicas: readonly ReplicaProgress[]
  readonly inSync: number
  /** Every replica that was in the directory is in sync again, wherever its broker keeps it now. */
  readonly done: boolean
}

/** `evidences`: of the held partitions that are not in sync, at least. `previous`: the reading before this one. Pure. */
export function returnProgress(
  broker: number,
  path: string,
  snapshot: ClusterSnapshot,
  held: HeldPartitions,
  evidences: readonly PartitionEvidence[],
  previous: ReturnProgress | null,
  writtenOff: ReadonlySet<string>,
): ReturnProgress {
  const brokerState = snapshot.brokers.find(({ id }) => id === broker)?.state ?? 'down'
  const told = (snapshot.logDirs ?? []).filter((dir) => dir.broker === broker)
  const here = told.find((dir) => dir.path === path)
  const directory = told.length === 0 ? null : (here?.state ?? 'missing')
  const read = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
  const before = new Map((previous?.replicas ?? []).map((one) => [partitionName(one), one]))
  const elapsedMs = previous === null ? 0 : snapshot.readAt.getTime() - previous.at.getTime()
  const replicas = held.partitions.map((state): ReplicaProgress => {
    const { topic, partition, leader } = state
    const evidence = read.get(partitionName(state)) ?? null
    const logEndOffset = endOf(evidence, broker)
    const leaderEndOffset = leader === null ? null : endOf(evidence, leader)
    const earlier = before.get(partitionName(state)) ?? null
    const inSync = leader !== null && state.isr.includes(broker) && brokerState === 'up'
    const stateNow =
      brokerState !== 'up'
        ? 'away'
        : inSync
          ? leader === broker
            ? 'leads'
            : 'inSync'
          : state.offlineReplicas.includes(broker)
            ? 'offline'
            : leader === null
              ? writtenOff.has(partitionName(state))
                ? 'givenUp'
                : 'noLeader'
              : logEndOffset === null || leaderEndOffset === null
                ? 'unread'
                : 'catchingUp'
    return {
      topic,
      partition,
      state: stateNow,
      logEndOffset,
      leader,
      leaderEndOffset,
      ...rateOf(earlier, logEndOffset, leaderEndOffset, elapsedMs),
    }
  })
  const inSync = replicas.filter(({ state }) => state === 'inSync' || state === 'leads').length
  const back = brokerState === 'up' && (directory === 'online' || directory === 'missing')
  return {
    at: snapshot.readAt,
    broker: brokerState,
    directory,
    replicas,
    inSync,
    done: back && held.source !== 'unknown' && replicas.every(({ state }) => DONE.has(state)),
  }
}

const DONE: ReadonlySet<ReplicaProgress['state']> = new Set(['inSync', 'leads', 'givenUp'])

function endOf(evidence: PartitionEvidence | null, broker: number): number | null {
  const replica = evidence?.replicas.find((one) => one.broker === broker)
  if (replica === undefined) return null
  return replica.kind === 'read' ? replica.logEndOffset : (replica.shown?.logEndOffset ?? null)
}

function rateOf(
  earlier: ReplicaProgress | null,
  end: number | null,
  leaderEnd: number | null,
  elapsedMs: number,
): Pick<ReplicaProgress, 'offsetsPerSecond' | 'remainingMs'> {
  const unknown = { offsetsPerSecond: null, remainingMs: null }
  if (earlier?.logEndOffset == null || end === null || elapsedMs <= 0) return unknown
  // A log that was cut in the meantime has no rate.
  if (end < earlier.logEndOffset) return unknown
  const offsetsPerSecond = ((end - earlier.logEndOffset) * 1000) / elapsedMs
  if (leaderEnd === null) return { offsetsPerSecond, remainingMs: null }
  const gap = Math.max(0, leaderEnd - end)
  // The leader may be written to meanwhile: what counts is how fast the gap closes.
  const gapBefore = earlier.leaderEndOffset === null ? null : earlier.leaderEndOffset - earlier.logEndOffset
  const closing = gapBefore === null ? offsetsPerSecond : ((gapBefore - gap) * 1000) / elapsedMs
  return { offsetsPerSecond, remainingMs: gap === 0 ? 0 : closing > 0 ? (gap * 1000) / closing : null }
}

/** Log end against the leader's, 0 to 1; null: one of them is not known. */
export function shareCaughtUp({ logEndOffset, leaderEndOffset }: ReplicaProgress): number | null {
  if (logEndOffset === null || leaderEndOffset === null) return null
  return leaderEndOffset === 0 ? 1 : Math.min(1, logEndOffset / leaderEndOffset)
}
