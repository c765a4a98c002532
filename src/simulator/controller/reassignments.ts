import { ErrorCode } from '../../protocol/error-codes.js'
import { type ApiError, apiError, SUCCESS } from '../errors.js'
import type { SimulatedPartition } from '../model/partition.js'
import { isReassigning, type Registration } from '../model/registration.js'
import type { ChangeBatch } from './change-batch.js'
import type { Controller, Touch } from './controller.js'

/**
 * Changes an assignment, or cancels a change under way (`replicas` null). A re-ordering is done at once; a member that is missing
 * is dropped; a new one starts a move. Each is a touch: where the partition has no leader it may elect (state Z).
 * Source: measured on 4.4.0 (kafka-facts), and the behaviour of ReplicationControlManager.
 */
export function reassign(
  controller: Controller,
  batch: ChangeBatch,
  topicName: string,
  index: number,
  replicas: readonly number[] | null,
  allowReplicationFactorChange: boolean,
): ApiError {
  const { cluster } = controller
  const topic = cluster.topics.get(topicName)
  if (topic === undefined)
    return apiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `Unable to find a topic named ${topicName}.`)
  const partition = cluster.partition(topicName, index)
  if (partition === null) {
    return apiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, `Unable to find partition ${topicName}:${index}.`)
  }
  if (replicas === null) return cancel(controller, batch, partition)

  const invalid = invalidAssignment(controller, replicas)
  if (invalid !== null) return apiError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, invalid)
  const { current } = partition.registration
  if (!allowReplicationFactorChange) {
    const count = targetOf(current).length
    if (count !== replicas.length) {
      return apiError(
        ErrorCode.INVALID_REPLICATION_FACTOR,
        `The replication factor is changed from ${count} to ${replicas.length}`,
      )
    }
  }
  const removing = current.replicas.filter((member) => !replicas.includes(member)).sort((a, b) => a - b)
  const adding = replicas.filter((member) => !current.replicas.includes(member)).sort((a, b) => a - b)
  const touch: Touch = {
    replicas: [...replicas, ...removing],
    ...(removing.length > 0 ? { removing } : {}),
    ...(adding.length > 0 ? { adding } : {}),
  }
  return note(controller, batch, partition, touch)
}

/** What the assignment will be once a move under way is done. */
function targetOf({ replicas, removing }: Registration): readonly number[] {
  return replicas.filter((member) => !removing.includes(member))
}

function invalidAssignment(controller: Controller, replicas: readonly number[]): string | null {
  if (replicas.length === 0) return 'The manual partition assignment includes an empty replica list.'
  const sorted = [...replicas].sort((a, b) => a - b)
  for (const [position, broker] of sorted.entries()) {
    if (!controller.cluster.brokers.has(broker)) {
      return `The manual partition assignment includes broker ${broker}, but no such broker is registered.`
    }
    if (sorted[position - 1] === broker) {
      return `The manual partition assignment includes the broker ${broker} more than once.`
    }
  }
  return null
}

function cancel(controller: Controller, batch: ChangeBatch, partition: SimulatedPartition): ApiError {
  const { current } = partition.registration
  if (!isReassigning(current)) return apiError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS)
  const replicas = current.replicas.filter((member) => !current.adding.includes(member))
  let isr = current.isr.filter((member) => !current.adding.includes(member))
  const unclean = isr.length === 0
  const mayBeUnclean = controller.cluster.uncleanElectionEnabled(partition.topic)
  if (unclean && !mayBeUnclean) {
    return apiError(
      ErrorCode.INVALID_REPLICA_ASSIGNMENT,
      `Unable to revert partition assignment for ${partition.topic.name}:${partition.index} because it would require an unclean leader election.`,
    )
  }
  if (unclean) isr = replicas.slice(0, 1)
  return note(controller, batch, partition, {
    replicas,
    isr,
    removing: [],
    adding: [],
    ...(mayBeUnclean ? { election: 'unclean' as const } : {}),
  })
}

function note(controller: Controller, batch: ChangeBatch, partition: SimulatedPartition, touch: Touch): ApiError {
  const change = controller.preview(partition, touch)
  if (change !== null) batch.add(partition, change)
  return SUCCESS
}
