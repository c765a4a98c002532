import type { PartitionEvidence, ReplicaLog, ReplicaRead } from '../../cluster/replica-log.js'
import type { PartitionState, TopicConfig } from '../../cluster/snapshot.js'

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

/** The same logs, or the same reasons for not having them. When they were read does not matter. */
export function sameEvidence(a: PartitionEvidence, b: PartitionEvidence): boolean {
  return (
    sameState(a.state, b.state) &&
    a.replicas.length === b.replicas.length &&
    a.replicas.every((replica, index) => sameRead(replica, b.replicas[index]))
  )
}

function sameRead(a: ReplicaRead, b: ReplicaRead | undefined): boolean {
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
    a.epochs.length === b.epochs.length &&
    a.epochs.every(({ epoch, startOffset }, index) => {
      const other = b.epochs[index]
      return other?.epoch === epoch && other.startOffset === startOffset
    })
  )
}

export function sameConfig(a: TopicConfig | undefined, b: TopicConfig | undefined): boolean {
  return (
    a?.minInsyncReplicas === b?.minInsyncReplicas &&
    a?.uncleanLeaderElection === b?.uncleanLeaderElection &&
    a?.cleanupPolicy === b?.cleanupPolicy &&
    a?.remoteStorage === b?.remoteStorage
  )
}

export function sameMembers<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((member) => b.has(member))
}
