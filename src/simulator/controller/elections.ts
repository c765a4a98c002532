import { ErrorCode } from '../../protocol/error-codes.js'
import { type ApiError, apiError, SUCCESS } from '../errors.js'
import type { SimulatedPartition } from '../model/partition.js'
import { hasLeader } from '../model/registration.js'
import { ChangeBatch } from './change-batch.js'
import type { Controller } from './controller.js'

export const PREFERRED = 0
export const UNCLEAN = 1
export const DESIGNATED = 2

/** KIP-1275: the rest is answered REQUEST_LIMIT_REACHED. */
export const KIP_1275_REQUEST_LIMIT = 1000

export interface Candidate {
  readonly topic: string
  readonly partition: number
  /** KIP-1275; null where none is named. */
  readonly designatedLeader: number | null
}

/**
 * Elects as ElectLeaders asks. All partitions are judged by the state before the request, also one that is named twice: it is
 * answered twice.
 */
export class Elections {
  readonly #controller: Controller
  readonly #batch: ChangeBatch

  constructor(controller: Controller) {
    this.#controller = controller
    this.#batch = new ChangeBatch(controller)
  }

  elect(electionType: number, candidate: Candidate): ApiError {
    const { cluster } = this.#controller
    const partition = cluster.partition(candidate.topic, candidate.partition)
    if (partition === null) {
      const known = cluster.topics.has(candidate.topic)
      return apiError(
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        known
          ? `No such partition as ${candidate.topic}-${candidate.partition}`
          : `No such topic as ${candidate.topic}`,
      )
    }
    const { current } = partition.registration
    if (electionType === DESIGNATED) return this.#designate(partition, candidate.designatedLeader)
    const needless = electionType === PREFERRED ? current.leader === current.replicas[0] : hasLeader(current)
    if (needless) return apiError(ErrorCode.ELECTION_NOT_NEEDED)
    const change = this.#controller.preview(partition, {
      election: electionType === UNCLEAN ? 'unclean' : 'preferred',
    })
    if (change === null) {
      return apiError(
        electionType === UNCLEAN ? ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE : ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
      )
    }
    this.#batch.add(partition, change)
    return SUCCESS
  }

  /** KIP-1275: only while leaderless, only to a member that is unfenced with its replica online. It obeys, whoever has a role. */
  #designate(partition: SimulatedPartition, leader: number | null): ApiError {
    const { cluster } = this.#controller
    const { current } = partition.registration
    if (hasLeader(current)) return apiError(ErrorCode.ELECTION_NOT_NEEDED)
    if (leader === null) return apiError(ErrorCode.INVALID_REQUEST, 'No designated leader is named.')
    if (!current.replicas.includes(leader)) {
      return apiError(ErrorCode.INVALID_REQUEST, `Designated leader ${leader} is not a replica of the partition.`)
    }
    if (!cluster.isReplicaOnline(partition, leader)) return apiError(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE)
    this.#batch.add(partition, {
      ...current,
      leader,
      leaderEpoch: current.leaderEpoch + 1,
      isr: [leader],
      elr: [],
      lastKnownElr: [],
    })
    return SUCCESS
  }

  /** Makes it true. */
  commit(): ApiError {
    return this.#batch.commit()
  }
}
