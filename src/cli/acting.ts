import type { PlannedRecovery } from '../recovery/use-cases/plan-recovery.js'
import { confirm } from './confirm.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT } from './exit.js'
import { adviceText, alarmText } from './text/advice-text.js'
import { clusterHeading } from './text/cluster-heading.js'
import { listsEach, namesText } from './text/grouping.js'
import { noteTold } from './text/noted.js'
import { leftOf, leftTold, planSummary, planText } from './text/plan-text.js'
import { overriddenByHand, overriddenLines } from './text/preview-text.js'

/** Overriding these by hand may wipe what others hold: without anybody to ask, their code has to be named as well. */
const NAMED_WITHOUT_ASKING: readonly string[] = ['empty', 'contested']

/** What everybody gets to see who elects without being asked: alarms, what would be elected, what that loses. On stderr. */
export function noteWhatWillBeDone(context: CommandContext, { plan, situation }: PlannedRecovery): void {
  const { output } = context
  for (const line of alarmText(situation.alarms)) output.note(line)
  if (plan.partitions.length === 0) return
  for (const overridden of overriddenByHand(plan)) for (const line of overriddenLines(overridden)) output.note(line)
  for (const line of planSummary(plan)) output.note(line)
}

/** Shows what would be done and has it confirmed; throws where it is not. With --yes it is only shown. */
export async function confirmElection(
  context: CommandContext,
  connected: Connected,
  planned: PlannedRecovery,
  { yes, all, more }: { readonly yes: boolean; readonly all: boolean; readonly more: readonly string[] },
): Promise<void> {
  const { output } = context
  const { plan, snapshot, situation } = planned
  const overridden = overriddenByHand(plan)
  if (yes || !output.canAsk) {
    noteWhatWillBeDone(context, planned)
    if (!yes) await confirm(context, '', false)
    const unnamed = overridden.filter(({ code }) => NAMED_WITHOUT_ASKING.includes(code))
    if (unnamed.length === 0) return
    const what = unnamed.map(({ code, partitions }) => `${code} (${namesText(partitions)})`).join(' and ')
    throw new CliError(
      EXIT.refused,
      `not confirmed: leaders chosen by hand override ${what}; with --yes give --accept ${unnamed.map(({ code }) => code).join(',')} too; nothing was sent`,
    )
  }
  const width = output.stderrColumns
  output.note(clusterHeading(snapshot, connected.name, connected.readOnly))
  for (const line of [...adviceText(situation), ...more]) output.note(line)
  const left = leftOf(plan).map(leftTold)
  // Of many the plan's text has the groups.
  if (listsEach(left.length, all)) noteTold(output, left, all)
  for (const line of planText(plan, { width, all })) output.note(line)
  for (const one of overridden) {
    output.note(`Chosen by hand, against what speaks against it (${one.code}):`)
    for (const line of overriddenLines(one)) output.note(line)
    await confirm(context, `accept ${one.code} ${one.partitions.length}`, false)
  }
  await confirm(context, `elect ${plan.partitions.length} ${connected.name ?? plan.clusterId}`, false)
}
