import { partitionName } from '../cluster/snapshot.js'
import { type Alarm, alarmedBrokers } from './alarms.js'
import { betterMissingBrokers } from './decision-groups.js'
import type { PlannedPartition, RecoveryPlan, Warning } from './plan.js'
import type { SeenEmpty } from './seen-empty.js'
import type { Situation } from './situation.js'
import { brokerList } from './wording.js'

/** What the situation of the cluster adds to a plan's warnings. */
export function withSituation(
  plan: RecoveryPlan,
  { alarms, seenEmpty }: Pick<Situation, 'alarms' | 'seenEmpty'>,
): RecoveryPlan {
  return withSeenEmpty(withAlarmedLeaders(plan, alarms), seenEmpty)
}

/**
 * Marks what would get a leader that an alarm says to stop. It stays planned: elected now, followers can copy the best log while
 * that broker is still up, and once it is stopped one of them that is in ISR by then takes over. Left to the operator, its log
 * would be away with it. But it has to be known.
 */
function withAlarmedLeaders(plan: RecoveryPlan, alarms: readonly Alarm[]): RecoveryPlan {
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

/**
 * A replica that is away and was seen empty before it was stopped does not "probably hold more", as its role says: that warning
 * gives way to what was seen.
 */
function withSeenEmpty(plan: RecoveryPlan, seen: readonly SeenEmpty[]): RecoveryPlan {
  if (seen.length === 0) return plan
  const emptied = new Map<string, number[]>()
  for (const { broker, partitions } of seen) {
    for (const partition of partitions) {
      const name = partitionName(partition)
      emptied.set(name, [...(emptied.get(name) ?? []), broker])
    }
  }
  return {
    ...plan,
    partitions: plan.partitions.map((planned) => {
      const brokers = emptied.get(partitionName(planned))
      const missing = betterMissingBrokers(planned)
      if (brokers === undefined || !missing.every((broker) => brokers.includes(broker))) return planned
      return {
        ...planned,
        warnings: planned.warnings.map((warning) =>
          warning.code === 'betterMissing'
            ? { ...warning, text: `${brokerList(missing)} was not read now, and was seen with an empty log before` }
            : warning,
        ),
      }
    }),
  }
}

function warningFor({ designatedLeader }: PlannedPartition): Warning {
  return {
    code: 'alarmedLeader',
    text: `its leader would be broker ${designatedLeader}, which the ALARM says to stop: then it is offline again unless another is in ISR by that time`,
  }
}
