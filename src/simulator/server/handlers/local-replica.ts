import { ErrorCode } from '../../../protocol/error-codes.js'
import type { SimulatedPartition } from '../../model/partition.js'
import type { ReplicaLog } from '../../model/replica-log.js'
import type { RequestContext } from '../api.js'

export interface LocalReplica {
  readonly partition: SimulatedPartition
  readonly log: ReplicaLog
}

/** The asked broker's own replica, or the error that it answers. */
export function localReplica(context: RequestContext, partition: SimulatedPartition | null): LocalReplica | number {
  if (partition === null) return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
  const { broker } = context
  if (!partition.registration.current.replicas.includes(broker.id)) return ErrorCode.NOT_LEADER_OR_FOLLOWER
  const log = partition.log(broker.id)
  if (log === null) return ErrorCode.NOT_LEADER_OR_FOLLOWER
  if (!broker.isOnline(log.logDir)) return ErrorCode.KAFKA_STORAGE_ERROR
  return { partition, log }
}

/** What a client's stale or future idea of the leader epoch is answered; -1 claims nothing. */
export function epochError(partition: SimulatedPartition, claimed: number): number {
  if (claimed === -1) return ErrorCode.NONE
  const { leaderEpoch } = partition.registration.current
  if (claimed < leaderEpoch) return ErrorCode.FENCED_LEADER_EPOCH
  return claimed > leaderEpoch ? ErrorCode.UNKNOWN_LEADER_EPOCH : ErrorCode.NONE
}
