import { partitionName } from '../../cluster/snapshot.js'
import type { RecoveryPlan } from '../../recovery/plan.js'
import { columns } from './columns.js'
import { counted, ids, lossText, numberText } from './words.js'

/** A plan for people: what would be elected and what that loses, then every warning, then the totals. */
export function planText(plan: RecoveryPlan, width: number | null): string[] {
  const led = plan.skipped.filter(({ code }) => code === 'hasLeader')
  const left = plan.skipped.length - led.length
  return [
    ...(plan.partitions.length === 0
      ? []
      : columns(
          [
            { title: 'PARTITION', mayCut: true },
            { title: 'DESIGNATED LEADER', align: 'right' },
            { title: 'METHOD' },
            { title: 'LOST AT LEAST', align: 'right' },
            { title: 'COMMITTED', align: 'right' },
            { title: 'ELECTION ORDER' },
            { title: 'ASSIGNMENT' },
            { title: 'KAFKA WOULD ELECT', align: 'right' },
          ],
          plan.partitions.map((entry) => [
            partitionName(entry),
            String(entry.designatedLeader),
            entry.method,
            lossText(entry.loss),
            entry.loss.known === null
              ? `${numberText(entry.committedAtLeast)} + ?`
              : numberText(entry.committedAtLeast),
            ids(entry.electionOrder),
            ids(entry.evidence.state.replicas),
            entry.kafkaWouldElect === null ? 'none' : String(entry.kafkaWouldElect),
          ]),
          width,
        )),
    ...plan.partitions.flatMap((entry) =>
      entry.warnings.map(({ code, text }) => `${partitionName(entry)}: warning ${code}: ${text}`),
    ),
    `plan ${plan.planId} for ${plan.clusterId}: ${counted(plan.partitions.length, 'partition')} planned, ${left} left to the operator, ${led.length} with a leader already`,
    ...(plan.partitions.some(({ loss }) => loss.known === null) ? ['? is what replicas hold that were not read.'] : []),
  ]
}

/** For stderr: each partition that is left to the operator, `topic-partition: reason`. */
export function leftLines(plan: RecoveryPlan): string[] {
  return plan.skipped
    .filter(({ code }) => code !== 'hasLeader')
    .map((entry) => `${partitionName(entry)}: ${entry.code}: ${entry.reason}`)
}
