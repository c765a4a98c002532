import { partitionName } from '../../cluster/snapshot.js'
import { brokerList } from '../../text/wording.js'
import { betterMissingBrokers } from '../diagnosis/decision-groups.js'
import type { PlannedPartition, RecoveryPlan, Warning } from '../planning/plan.js'
import { type Alarm, alarmedBrokers } from './alarms.js'
import type { SeenEmpty } from './seen-empty.js'
import type { Situation } from './situation.js'

/** What the situation of the cluster adds to a plan's warnings. */
export function withSituation(
  plan: RecoveryPlan,
  { alarms, seenEmpty }: Pick<Situation, 'alarms' | 'seenEmpty'>,
): RecoveryPlan {
  return withSeenEmpty(withAlarmedLeaders(plan, alarms), seenEmpty)
}

/** The same for one partition, for where it is told by itself. */
export function plannedInSituation(
  planned: PlannedPartition,
  { alarms, seenEmpty }: Pick<Situation, 'alarms' | 'seenEmpty'>,
): PlannedPartition {
  if (alarms.length === 0 && seenEmpty.length === 0) return planned
  const alarmed = alarmedBrokers(alarms)
  return notProbablyMore(alarmed.has(planned.designatedLeader) ? alarmedLeader(planned) : planned, emptied(seenEmpty))
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
      alarmed.has(planned.designatedLeader) ? alarmedLeader(planned) : planned,
    ),
  }
}

function alarmedLeader(planned: PlannedPartition): PlannedPartition {
  return { ...planned, warnings: [warningFor(planned), ...planned.warnings] }
}

/**
 * A replica that is away and was seen empty before it was stopped does not "probably hold more", as its role says: that warning
 * gives way to what was seen.
 */
function withSeenEmpty(plan: RecoveryPlan, seen: readonly SeenEmpty[]): RecoveryPlan {
  if (seen.length === 0) return plan
  const brokers = emptied(seen)
  return { ...plan, partitions: plan.partitions.map((planned) => notProbablyMore(planned, brokers)) }
}

/** By partitionName, the brokers that were seen with an empty log of it. */
function emptied(seen: readonly SeenEmpty[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const { broker, partitions } of seen) {
    for (const partition of partitions) {
      const name = partitionName(partition)
      found.set(name, [...(found.get(name) ?? []), broker])
    }
  }
  return found
}

function notProbablyMore(
  planned: PlannedPartition,
  seenEmpty: ReadonlyMap<string, readonly number[]>,
): PlannedPartition {
  const brokers = seenEmpty.get(partitionName(planned))
  if (brokers === undefined) return planned
  const missing = betterMissingBrokers(planned)
  if (!missing.every((broker) => brokers.includes(broker))) return planned
  return {
    ...planned,
    warnings: planned.warnings.map((warning) =>
      warning.code === 'betterMissing'
        ? { ...warning, text: `${brokerList(missing)} was not read now, and was seen with an empty log before` }
        : warning,
    ),
  }
}

function warningFor({ designatedLeader }: PlannedPartition): Warning {
  return {
    code: 'alarmedLeader',
    text: `its leader would be broker ${designatedLeader}, which the ALARM says to stop: then it is offline again unless another is in ISR by that time`,
  }
}
