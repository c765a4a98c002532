import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import type { Diagnosis, DiagnosisChanges, DiagnosisProgress } from '../diagnosis/diagnosis.js'
import type { PlanningContext } from '../planning/planning-context.js'
import type { Assembled } from './assemble.js'

export interface DiagnosisParts {
  readonly sequence: number
  readonly snapshot: ClusterSnapshot
  readonly context: PlanningContext
  readonly assembled: Assembled
  readonly reading: DiagnosisProgress['reading']
  readonly confirmedAt: Date | null
  readonly changes: DiagnosisChanges
  readonly problems: readonly string[]
}

/** Puts a diagnosis together from parts that were worked out already. */
export function composeDiagnosis(parts: DiagnosisParts): Diagnosis {
  const { sequence, snapshot, context, assembled, reading, confirmedAt, changes, problems } = parts
  const { partitions, groups, overview, alarms, seenEmpty, plan, notRead, outdated } = assembled
  return {
    sequence,
    clusterId: snapshot.clusterId,
    partitions,
    groups,
    overview,
    alarms,
    seenEmpty,
    plan,
    context,
    brokers: snapshot.brokers,
    evidenceReadAt: ageOf(assembled, confirmedAt),
    confirmedAt,
    progress: { reading, notRead, outdated },
    changes,
    problems,
  }
}

/** Evidence that holds is as new as the last time when all logs were found as they were; what was overtaken is as old as it is. */
function ageOf({ oldestHolding, oldestOutdated, newest }: Assembled, confirmedAt: Date | null) {
  if (newest === null) return null
  if (oldestHolding === null) return { oldest: oldestOutdated ?? newest, newest }
  const holding = confirmedAt !== null && confirmedAt > oldestHolding ? confirmedAt : oldestHolding
  return {
    oldest: oldestOutdated !== null && oldestOutdated < holding ? oldestOutdated : holding,
    newest: holding > newest ? holding : newest,
  }
}
