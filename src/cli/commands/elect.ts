import { partitionName } from '../../cluster/snapshot.js'
import { type ElectFile, parseElectFile } from '../../recovery/files/elect-file.js'
import { readInputFile } from '../../recovery/files/input-file.js'
import { planToJson } from '../../recovery/files/plan-json.js'
import { exitCodeOf } from '../../recovery/report.js'
import { changesSince, planFromFile } from '../../recovery/use-cases/plan-from-file.js'
import type { PlannedRecovery } from '../../recovery/use-cases/plan-recovery.js'
import { confirm } from '../confirm.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { electWithProgress, refuseElection } from '../electing.js'
import { EXIT } from '../exit.js'
import { reportToJson } from '../json/report-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions } from '../options/recovery.js'
import { planFor, planningOptions } from '../planning.js'
import { noteExtraFields } from '../selection.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { leftLines, planText } from '../text/plan-text.js'
import { noteProblems } from '../text/problems.js'
import { failureLines, reportText } from '../text/report-text.js'
import { exitOfPlan } from './plan.js'

export interface ElectOptions extends ConnectionOptions, JsonOption, RecoveryOptions {
  readonly plan: string
  readonly yes?: boolean
}

export const elect: CommandHandler<ElectOptions> = async (context, options) => {
  const file = await parseElectFile(await readInputFile(options.plan), options.plan)
  if (file.kind === 'plain') noteExtraFields(context, options.plan, file.extraFields)
  return withCluster(context, options, async (connected) => {
    const planned = await plannedOf(context, connected, file, options)
    if (options.dryRun === true) return dryRun(context, connected, file, planned, options)
    return apply(context, connected, planned, options)
  })
}

async function plannedOf(
  context: CommandContext,
  { cluster }: Connected,
  file: ElectFile,
  options: ElectOptions,
): Promise<PlannedRecovery> {
  if (file.kind === 'plan') {
    const planned = await context.interruption.whileReading(planFromFile(cluster, file.plan, options.electionMethod))
    noteProblems(context.output, planned.snapshot.problems)
    return planned
  }
  const choices = new Map(
    file.partitions.map((entry) => [
      partitionName(entry),
      { designatedLeader: entry.designatedLeader, by: 'hand' as const },
    ]),
  )
  return planFor(context, cluster, { kind: 'named', partitions: file.partitions }, options, { choices })
}

/** Shows what would be elected, and what of a saved plan does not hold any more. Exit as `plan`. */
async function dryRun(
  context: CommandContext,
  { cluster, name, readOnly }: Connected,
  file: ElectFile,
  { plan, snapshot }: PlannedRecovery,
  options: ElectOptions,
): Promise<number> {
  const { output } = context
  const stale =
    file.kind === 'plan'
      ? await context.interruption.whileReading(changesSince(cluster, plan, planningOptions(options)))
      : []
  if (output.json) output.document({ plan: planToJson(plan), stale })
  else output.text([clusterHeading(snapshot, name, readOnly), ...planText(plan, output.columns)])
  for (const line of leftLines(plan)) output.note(line)
  for (const one of stale) output.note(`${partitionName(one)}: stale: ${one.reason}`)
  return stale.some(({ leader }) => leader === null) ? EXIT.failed : exitOfPlan(plan)
}

async function apply(
  context: CommandContext,
  connected: Connected,
  planned: PlannedRecovery,
  options: ElectOptions,
): Promise<number> {
  const { output } = context
  const { plan, snapshot } = planned
  await refuseElection(planned, connected, options)
  const number = plan.partitions.length
  if (number > 0 && options.yes !== true && output.canAsk) {
    const preview = [
      clusterHeading(snapshot, connected.name, connected.readOnly),
      ...planText(plan, process.stderr.columns),
    ]
    for (const line of preview) output.note(line)
    for (const line of leftLines(plan)) output.note(line)
  }
  if (number > 0) await confirm(context, `elect ${number} ${connected.name ?? plan.clusterId}`, options.yes === true)
  const report = await electWithProgress(context, connected, planned, options)
  if (output.json) output.document(reportToJson(report))
  else output.text(reportText(report, plan, output.columns))
  for (const line of failureLines(report)) output.note(line)
  return exitCodeOf(report)
}
