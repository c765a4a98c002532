import type { RecoveryReport } from '../apply/outcome.js'
import type { RecoveryPlan } from '../planning/plan.js'
import { planToJson } from './plan-json.js'

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

/** The text of a report file: what was planned, on which evidence, and what became of it. */
export function reportFileText(report: RecoveryReport, plan: RecoveryPlan, endedAt: Date): string {
  return `${JSON.stringify({ endedAt: endedAt.toISOString(), ...reportToJson(report), plan: planToJson(plan) })}\n`
}
