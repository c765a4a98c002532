import { partitionName } from '../../../cluster/snapshot.js'
import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import { ACCEPTABLE_CODES } from '../../../recovery/planning/plan.js'
import { reasonAlone } from '../../../recovery/planning/plan-partition.js'
import { plannedInSituation } from '../../../recovery/returns/situation-warnings.js'
import type { ConsoleData } from '../../console-data.js'
import { codeExplanation, type ToldIn } from './group-words.js'
import { choiceText } from './partition-cells.js'

/** Why a partition stands where it stands, what is warned of, and the way on: sentences, the weightiest first. */
export function saidOf(partition: DiagnosedPartition, { draft, diagnosis }: ConsoleData, where: ToldIn): string[] {
  const { decided, outdated } = partition
  const choice = choiceText(draft?.entries.get(partitionName(partition))?.choice)
  const chosen = choice === null ? [] : [sentence(choice)]
  if (decided === null) return ['Its logs are being read.']
  const old = outdated ? ['Changed since its logs were read: they are being read again.'] : []
  if ('designatedLeader' in decided) {
    const planned = diagnosis === null ? decided : plannedInSituation(decided, diagnosis)
    return [
      ...chosen,
      ...old,
      `Best by rank: ${decided.designatedLeader}.`,
      ...planned.warnings.map(({ text }) => sentence(text)),
    ]
  }
  const { code, reason } = decided
  // What nobody can overrule says its own way on.
  if (!ACCEPTABLE_CODES.some((one) => one === code)) return [...chosen, ...old, `${code}: ${reason}.`]
  const { what, wayOn } = codeExplanation(code, where)
  return [...chosen, ...old, `${code}: ${what}`, sentence(reasonAlone(reason)), wayOn]
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
