import type { PartitionEvidence, ReplicaLog, ReplicaRead } from './replica-log.js'
import { eachInSlices, sharedSlices } from './slices.js'
import { byTopicPartition, type PartitionState } from './snapshot.js'

/** Nothing differs on which a decision depends. The order of the lists counts: that of the assignment decides elections. */
export function sameState(a: PartitionState, b: PartitionState): boolean {
  return (
    a === b ||
    (a.leader === b.leader &&
      a.leaderEpoch === b.leaderEpoch &&
      a.topicId === b.topicId &&
      sameList(a.replicas, b.replicas) &&
      sameList(a.isr, b.isr) &&
      sameList(a.elr, b.elr) &&
      sameList(a.lastKnownElr, b.lastKnownElr) &&
      sameList(a.offlineReplicas, b.offlineReplicas))
  )
}

function sameList(a: readonly number[] | null, b: readonly number[] | null): boolean {
  if (a === b) return true
  if (a === null || b === null || a.length !== b.length) return false
  return a.every((member, index) => member === b[index])
}

export function sameMembers<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((member) => b.has(member))
}

/** The same logs, or the same reasons for not having them. When they were read does not matter. */
export function sameEvidence(a: PartitionEvidence, b: PartitionEvidence): boolean {
  return (
    sameState(a.state, b.state) &&
    (a.replicas === b.replicas ||
      (a.replicas.length === b.replicas.length &&
        a.replicas.every((replica, index) => sameRead(replica, b.replicas[index]))))
  )
}

export function sameRead(a: ReplicaRead, b: ReplicaRead | undefined): boolean {
  if (a === b) return true
  if (a.kind === 'read') return b?.kind === 'read' && sameLog(a, b)
  if (b?.kind !== 'notRead' || a.broker !== b.broker || a.cause !== b.cause || a.reason !== b.reason) return false
  return a.shown === undefined || b.shown === undefined ? a.shown === b.shown : sameLog(a.shown, b.shown)
}

function sameLog(a: ReplicaLog, b: ReplicaLog): boolean {
  const { lastWrittenEpoch: last } = a
  const { lastWrittenEpoch: otherLast } = b
  return (
    a.broker === b.broker &&
    a.logStartOffset === b.logStartOffset &&
    a.logEndOffset === b.logEndOffset &&
    a.highWatermark === b.highWatermark &&
    a.sizeBytes === b.sizeBytes &&
    a.logDir === b.logDir &&
    last.kind === otherLast.kind &&
    (last.kind !== 'epoch' || otherLast.kind !== 'epoch' || last.epoch === otherLast.epoch) &&
    sameEpochs(a.epochs, b.epochs)
  )
}

export function sameEpochs(a: ReplicaLog['epochs'], b: ReplicaLog['epochs']): boolean {
  if (a === b) return true
  return (
    a.length === b.length &&
    a.every((entry, index) => {
      const other = b[index]
      return entry === other || (other?.epoch === entry.epoch && other.startOffset === entry.startOffset)
    })
  )
}

/**
 * Partitions as read now, with those that are as before being the objects of before: kept twice they would take their memory twice. Both by topic, then
 * partition. @returns `before` itself where nothing differs at all
 */
export async function keepSame(
  before: readonly PartitionState[],
  now: readonly PartitionState[],
): Promise<readonly PartitionState[]> {
  const kept: PartitionState[] = []
  let next = 0
  let same = before.length === now.length
  await eachInSlices(now, sharedSlices, 64, (state) => {
    let known = before[next]
    while (known !== undefined && byTopicPartition(known, state) < 0) known = before[++next]
    const isKnown = known?.topic === state.topic && known.partition === state.partition
    if (known !== undefined && isKnown && sameState(known, state)) kept.push(known)
    else {
      kept.push(state)
      same = false
    }
  })
  return same ? before : kept
}
