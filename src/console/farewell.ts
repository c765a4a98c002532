import type { ConsoleData } from './console-data.js'
import { ageText, wholeNumber } from './layout/amounts.js'
import { electLine } from './planning/elect-line.js'
import { planToElect } from './planning/opened-plan.js'
import { evidenceTime, lossOf, lostText, partitionsText } from './planning/plan-words.js'

/** What is left on the normal screen: where things stand, and how to go on. Lines without escape sequences; names are not escaped here. */
export function farewellLines(data: ConsoleData, now: Date): string[] {
  const { diagnosis, place } = data
  if (diagnosis === null) return [`${place.name}: left before anything was read`]
  const { overview } = diagnosis
  const simulated = overview.simulated ? 'SIMULATED ' : ''
  return [
    `${simulated}${place.name} (${overview.clusterId}): ${wholeNumber(overview.offline)} of ${partitionsText(overview.partitions)} offline`,
    ...reportLines(data),
    ...planLines(data, now),
  ]
}

function reportLines({ finished }: ConsoleData): string[] {
  if (finished === null) return []
  const { report, saved } = finished
  const counts = Object.entries(report.summary).map(([result, number]) => `${wholeNumber(number)} ${result}`)
  const where =
    saved === null ? '' : 'path' in saved ? `; report ${saved.path}` : `; its report is not saved: ${saved.problem}`
  return [
    `last recovery: ${counts.join(', ') || 'nothing to do'}${where}`,
    ...(report.openJournal === null
      ? []
      : [`some assignments are not known to be as before (${report.openJournal}): kafka-recovery restore`]),
  ]
}

/** A plan that was looked at and is still to be carried out. */
function planLines({ plan, place, finished, diagnosis }: ConsoleData, now: Date): string[] {
  if (plan?.now == null || finished?.plan.planId === plan.planId) return []
  const toElect = planToElect(plan.now)
  const oldest = evidenceTime(toElect, diagnosis)
  if (oldest === null) return []
  const { partitions, skipped } = toElect
  const age = ageText(now.getTime() - oldest.getTime())
  const counts = `plan ${plan.planId}: ${wholeNumber(partitions.length)} to elect, lost at least ${lostText(lossOf(partitions))}, ${wholeNumber(skipped.length)} left; logs read ${age}`
  if (plan.file === null) return [`${counts}; in no file, so it ends with this console`]
  return [`${counts}; file ${plan.file.path}`, `apply it with: ${electLine(place, plan.file.path)}`]
}
