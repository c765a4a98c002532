import { ErrorCode, errorName } from '../protocol/error-codes.js'

/**
 * KIP-1275 names this error and gives no number; no release has it (4.4.0's table ends at 136). The simulator's own number, for
 * personality kip1275 and the fault `requestLimit` alone.
 */
export const REQUEST_LIMIT_REACHED = 140

/** Texts that brokers send along, where tools show them (kafka-clients 4.4.0). */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, 'This server does not host this topic-partition.'],
  [ErrorCode.REQUEST_TIMED_OUT, 'The request timed out.'],
  [ErrorCode.TOPIC_AUTHORIZATION_FAILED, 'Topic authorization failed.'],
  [ErrorCode.CLUSTER_AUTHORIZATION_FAILED, 'Cluster authorization failed.'],
  [ErrorCode.NOT_CONTROLLER, 'This is not the correct controller for this cluster.'],
  [ErrorCode.KAFKA_STORAGE_ERROR, 'Disk error when trying to access log file on the disk.'],
  [ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE, 'The preferred leader was not available.'],
  [ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE, 'Eligible topic partition leaders are not available.'],
  [ErrorCode.ELECTION_NOT_NEEDED, 'Leader election not needed for topic partition.'],
  [ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, 'No partition reassignment is in progress.'],
  [REQUEST_LIMIT_REACHED, 'REQUEST_LIMIT_REACHED'],
])

function messageOf(code: number): string | null {
  return code === ErrorCode.NONE ? null : (MESSAGES.get(code) ?? errorName(code))
}

/** An answer for one partition or for a whole request. */
export interface ApiError {
  readonly code: number
  readonly message: string | null
}

export const SUCCESS: ApiError = { code: ErrorCode.NONE, message: null }

/** @param message what the broker sends along; left out: Kafka's text for that code */
export function apiError(code: number, message: string | null = messageOf(code)): ApiError {
  return { code, message }
}
