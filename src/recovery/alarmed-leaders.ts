import { type Alarm, alarmedBrokers } from './alarms.js'
import type { PlannedPartition, RecoveryPlan, Warning } from './plan.js'

/**
 * Marks what would get a leader that an alarm says to stop. It stays planned: elected now, followers can copy the best log while
 * that broker is still up, and once it is stopped one of them that is in ISR by then takes over. Left to the operator, its log
 * would be away with it. But it has to be known.
 */
export function withAlarmedLeaders(plan: RecoveryPlan, alarms: readonly Alarm[]): RecoveryPlan {
  const alarmed = alarmedBrokers(alarms)
  if (alarmed.size === 0) return plan
  return {
    ...plan,
    partitions: plan.partitions.map((planned) =>
      alarmed.has(planned.designatedLeader)
        ? { ...planned, warnings: [warningFor(planned), ...planned.warnings] }
        : planned,
    ),
  }
}

function warningFor({ designatedLeader }: PlannedPartition): Warning {
  return {
    code: 'alarmedLeader',
    text: `its leader would be broker ${designatedLeader}, which the ALARM says to stop: then it is offline again unless another is in ISR by that time`,
  }
}
