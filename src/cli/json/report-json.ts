import type { RecoveryReport } from '../../recovery/outcome.js'

/** cli.md, "elect": one entry for each partition of the input; beyond it, what was left re-ordered and where that is noted. */
export function reportToJson({ outcome, summary, durationMs, ordersLeft, openJournal }: RecoveryReport) {
  return {
    outcome: outcome.map((one) => ({
      topic: one.topic,
      partition: one.partition,
      result: one.result,
      code: one.code,
      error: one.error,
      leader: one.leader,
      designatedLeader: one.designatedLeader,
      attempts: one.attempts,
      loss: one.loss,
    })),
    summary,
    durationMs,
    ordersLeft,
    openJournal,
  }
}
