import { partitionName } from '../../cluster/snapshot.js'
import type { PartitionOutcome, RecoveryReport } from '../../recovery/outcome.js'
import type { RecoveryPlan } from '../../recovery/plan.js'
import { columns } from './columns.js'
import { lossText } from './words.js'

export function isDone({ result }: PartitionOutcome): boolean {
  return result === 'elected' || result === 'alreadyHasLeader'
}

/** What became of each partition, then the sums. A loss is never a bare number where a replica was not read. */
export function reportText(report: RecoveryReport, plan: RecoveryPlan, width: number | null): string[] {
  const incomplete = new Set(plan.partitions.filter(({ loss }) => loss.known === null).map(partitionName))
  return [
    ...(report.outcome.length === 0
      ? []
      : columns(
          [
            { title: 'PARTITION', mayCut: true },
            { title: 'RESULT' },
            { title: 'LEADER', align: 'right' },
            { title: 'LOSS PREDICTED', align: 'right' },
            { title: 'MEASURED', align: 'right' },
          ],
          report.outcome.map((outcome) => [
            partitionName(outcome),
            outcome.result,
            outcome.leader === null ? '-' : String(outcome.leader),
            outcomeLoss(outcome.loss.predicted, incomplete.has(partitionName(outcome))),
            outcomeLoss(outcome.loss.measured, incomplete.has(partitionName(outcome))),
          ]),
          width,
        )),
    `${summaryText(report)} in ${(report.durationMs / 1000).toFixed(1)} s`,
  ]
}

function outcomeLoss(offsets: number | null, incomplete: boolean): string {
  return offsets === null ? '-' : lossText({ known: incomplete ? null : offsets, atLeast: offsets })
}

export function summaryText({ summary }: RecoveryReport): string {
  const parts = Object.entries(summary).map(([result, number]) => `${number} ${result}`)
  return parts.length === 0 ? 'nothing to do' : parts.join(', ')
}

/** For stderr: each partition that was not done, or whose assignment is not as before, `topic-partition: reason`. */
export function failureLines({ outcome, openJournal }: RecoveryReport): string[] {
  return [
    ...outcome
      .filter((one) => !isDone(one) || one.error !== null)
      .map((one) => `${partitionName(one)}: ${one.result}: ${one.error ?? one.code ?? 'no reason was told'}`),
    ...(openJournal === null
      ? []
      : [`some assignments are not known to be as before (${openJournal}): kafka-recovery restore`]),
  ]
}
