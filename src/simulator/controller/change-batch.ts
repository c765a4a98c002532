import { ErrorCode } from '../../protocol/error-codes.js'
import { type ApiError, apiError, SUCCESS } from '../errors.js'
import type { SimulatedPartition } from '../model/partition.js'
import type { Registration } from '../model/registration.js'
import type { Controller } from './controller.js'

/** A request of one client may make so many records at most (QuorumController.MAX_RECORDS_PER_USER_OP). */
const MAX_CHANGES = 10_000

/**
 * The changes of one request. All are judged by the state before the request, and made true together: all, or (too many for one
 * request) nothing.
 */
export class ChangeBatch {
  readonly #controller: Controller
  readonly #changes = new Map<SimulatedPartition, Registration>()
  #count = 0

  constructor(controller: Controller) {
    this.#controller = controller
  }

  add(partition: SimulatedPartition, change: Registration): void {
    this.#changes.set(partition, change)
    this.#count += 1
  }

  commit(): ApiError {
    if (this.#count > MAX_CHANGES) {
      return apiError(ErrorCode.POLICY_VIOLATION, 'Unable to perform excessively large batch operation.')
    }
    for (const [partition, change] of this.#changes) this.#controller.commit(partition, change)
    return SUCCESS
  }
}
