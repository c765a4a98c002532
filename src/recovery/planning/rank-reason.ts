import type { ReplicaLog } from '../../cluster/replica-log.js'
import type { PartitionState } from '../../cluster/snapshot.js'
import type { Strategy } from './plan.js'
import { decisiveCriterion, isEmptyLog } from './rank.js'

/**
 * Why the first by rank comes before the second, one sentence from the criterion that decided. Null: there is no second. The epoch goes
 * before the end, and before the number of offsets that are lost, because records of an older epoch past the point where two logs
 * part were not in the log of the newer epoch's leader (KIP-101: followers cut their logs there).
 */
export function rankReason(
  [first, second]: readonly ReplicaLog[],
  state: PartitionState,
  strategy: Strategy,
  /** Offsets that the second would lose if the first led; null: unknown. */
  lost: number | null,
): string | null {
  if (first === undefined || second === undefined) return null
  const before = `Rank: ${first.broker} before ${second.broker}`
  switch (decisiveCriterion(first, second, state, strategy)) {
    case 'class':
      return isEmptyLog(second)
        ? `${before}, whose log is empty.`
        : `${before}, whose records carry no epochs: what a leader agreed on cannot be told there.`
    case 'epoch': {
      const [newer, older] = [epochText(first), epochText(second)]
      const why = `its last records are of epoch ${newer}, those of ${second.broker} of ${older}`
      return lost === null || lost === 0
        ? `${before}: ${why}.`
        : `${before}, whatever either loses: ${why}; what ${second.broker} holds past where they part, the leader of ${newer} did not have.`
    }
    case 'end':
      return strategy === 'rank'
        ? `${before}: its log goes further${first.lastWrittenEpoch.kind === 'epoch' ? ', in the same epoch' : ''}.`
        : `${before}: its log goes further, and the longest was asked for, whatever its epochs.`
    case 'start':
      return `${before}: both end alike, and its log begins earlier.`
    case 'role':
      return `${before}: both end alike, and it was nearer to being in sync (ISR, ELR, last known ELR).`
    default:
      return `${before}: both end alike, and it comes first in the assignment.`
  }
}

function epochText({ lastWrittenEpoch }: ReplicaLog): string {
  return lastWrittenEpoch.kind === 'epoch' ? String(lastWrittenEpoch.epoch) : '?'
}
