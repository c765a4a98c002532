import type { PlannedPartition, SkippedPartition } from '../planning/plan.js'
import type { Candidate, Verdict } from './candidate.js'
import type { PartitionOutcome } from './outcome.js'
import type { OrderResult } from './put-back.js'

/** The outcome of a partition of a batch: how its election ended, and where its order stands if it is not back. */
export function outcomeOf(
  candidate: Candidate,
  order: OrderResult | undefined,
  measured: number | null,
): PartitionOutcome {
  const verdict: Verdict = candidate.verdict ?? { kind: 'unknown', code: 'internal', text: 'left without a verdict' }
  const { code, text } = 'code' in verdict ? verdict : { code: null, text: null }
  const { topic, partition, designatedLeader, loss } = candidate.planned
  const orderText = order === undefined ? null : orderTextOf(order)
  const reordered = order?.kind === 'left' ? 'orderLeft' : 'orderUnknown'
  return {
    topic,
    partition,
    result: verdict.kind,
    code: code ?? (orderText === null ? null : reordered),
    error: text === null ? orderText : orderText === null ? text : `${text}; ${orderText}`,
    leader: 'leader' in verdict ? verdict.leader : null,
    designatedLeader,
    attempts: candidate.attempts,
    loss: { predicted: loss.atLeast, measured },
  }
}

function orderTextOf(order: OrderResult): string | null {
  switch (order.kind) {
    case 'original':
      return null
    case 'left': {
      const way =
        order.reassignmentJson === null ? '' : `; kafka-reassign-partitions would do it with ${order.reassignmentJson}`
      return `its assignment was re-ordered and not put back: ${order.reason}${way}`
    }
    case 'open':
      return `whether its assignment is as before is not known: ${order.reason}; look with kafka-recovery restore`
  }
}

/** A partition that no request was sent for, because it never came to its batch. */
export function outcomeNotAttempted(planned: PlannedPartition, why: { code: string; text: string }): PartitionOutcome {
  const { topic, partition, designatedLeader, loss } = planned
  return {
    topic,
    partition,
    result: 'notAttempted',
    code: why.code,
    error: why.text,
    leader: null,
    designatedLeader,
    attempts: 0,
    loss: { predicted: loss.atLeast, measured: null },
  }
}

/** A partition that the plan does not touch. Unknown ones fail by name, one with a leader is done, the rest is the operator's. */
export function outcomeOfSkipped(skipped: SkippedPartition): PartitionOutcome {
  const { topic, partition, code, reason, leader } = skipped
  const done = code === 'hasLeader'
  const unknown = code === 'unknownTopic' || code === 'unknownPartition'
  return {
    topic,
    partition,
    result: done ? 'alreadyHasLeader' : unknown ? 'failed' : 'skipped',
    code: done ? null : code,
    error: done ? null : reason,
    leader,
    designatedLeader: null,
    attempts: 0,
    loss: { predicted: null, measured: null },
  }
}
