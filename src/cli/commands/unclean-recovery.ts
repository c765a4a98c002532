import { outcomeNotAttempted, outcomeOfSkipped } from '../../recovery/apply/partition-outcome.js'
import { checkNewFile, writeNewFile } from '../../recovery/files/new-file.js'
import { designatedLeadersText, planToJson } from '../../recovery/files/plan-json.js'
import type { RecoveryReport } from '../../recovery/outcome.js'
import type { RecoveryPlan } from '../../recovery/plan.js'
import { exitCodeOf, reportOf } from '../../recovery/report.js'
import type { PlannedRecovery } from '../../recovery/use-cases/plan-recovery.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { electWithProgress, refuseElection } from '../electing.js'
import { CliError, EXIT } from '../exit.js'
import { comparedIn, evidencesIn, replicasToJson } from '../json/replicas-json.js'
import { reportToJson } from '../json/report-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions, SelectionOptions } from '../options/recovery.js'
import { planFor } from '../planning.js'
import { selectionOf } from '../selection.js'
import { adviceText, alarmLines } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { leftLines, planText } from '../text/plan-text.js'
import { replicasText } from '../text/replicas-text.js'
import { failureLines, reportText } from '../text/report-text.js'
import { exitOfPlan } from './plan.js'

export interface UncleanRecoveryOptions extends ConnectionOptions, JsonOption, SelectionOptions, RecoveryOptions {
  readonly showReplicaInfo?: boolean
  readonly manualRecoveryOutputFile?: string
  readonly automatedRecovery?: boolean
}

/** The tool of KIP-1275. */
export const uncleanRecovery: CommandHandler<UncleanRecoveryOptions> = async (context, options, args) => {
  const { showReplicaInfo, manualRecoveryOutputFile: file, automatedRecovery } = options
  if (args.length > 0) throw new CliError(EXIT.usage, `'${args[0]}': no arguments are expected, only options`)
  if (showReplicaInfo !== true && file === undefined && automatedRecovery !== true) {
    throw new CliError(
      EXIT.usage,
      'give at least one of --show-replica-info, --manual-recovery-output-file and --automated-recovery',
    )
  }
  const selection = await selectionOf(context, options, [], false)
  if (file !== undefined) await checkNewFile(file)
  return withCluster(context, options, async (connected) => {
    const planned = await planFor(context, connected.cluster, selection, options, { readLed: showReplicaInfo === true })
    if (selection.kind === 'allOffline' && isEmpty(planned.plan)) {
      context.output.note('no offline partition: nothing to do')
    }
    return finish(context, connected, planned, options)
  })
}

function isEmpty({ partitions, skipped }: RecoveryPlan): boolean {
  return partitions.length + skipped.length === 0
}

async function finish(
  context: CommandContext,
  connected: Connected,
  planned: PlannedRecovery,
  options: UncleanRecoveryOptions,
): Promise<number> {
  const { output } = context
  const { plan, snapshot } = planned
  const show = options.showReplicaInfo === true
  if (!output.json) {
    output.text([
      clusterHeading(snapshot, connected.name, connected.readOnly),
      ...(show ? replicasText(comparedIn(plan), output.columns) : []),
    ])
  }
  if (options.dryRun !== true || output.json) {
    for (const line of alarmLines(evidencesIn(plan), planned.context)) output.note(line)
  }
  const replicas = show ? { replicas: replicasToJson(comparedIn(plan)) } : {}

  if (options.dryRun === true) {
    if (output.json) output.document({ plan: planToJson(plan), ...replicas })
    else output.text([...adviceText(evidencesIn(plan), planned.context), ...planText(plan, output.columns)])
    for (const line of leftLines(plan)) output.note(line)
    return exitOfPlan(plan)
  }
  if (options.automatedRecovery === true) {
    await refuseElection(planned, connected, options)
    const report = await electWithProgress(context, connected, planned, options)
    if (output.json) output.document({ ...reportToJson(report), ...replicas })
    else output.text(reportText(report, plan, output.columns))
    for (const line of failureLines(report)) output.note(line)
    return exitCodeOf(report)
  }
  const file = options.manualRecoveryOutputFile
  if (file !== undefined) await writeManualFile(context, file, plan)
  if (output.json) {
    const rest = file === undefined ? replicas : { plan: planToJson(plan), ...replicas }
    output.document({ ...reportToJson(withoutElection(plan, file)), ...rest })
  } else if (file !== undefined) output.text(planText(plan, output.columns))
  const left = leftLines(plan)
  for (const line of left) output.note(line)
  // Showing is done when the cluster could be read; what it does not have is still named, and a failure.
  return file === undefined ? exitOfShowing(plan) : exitOfPlan(plan)
}

function exitOfShowing({ skipped }: RecoveryPlan): number {
  return skipped.some(({ code }) => code === 'unknownTopic' || code === 'unknownPartition') ? EXIT.failed : EXIT.done
}

async function writeManualFile({ output }: CommandContext, file: string, plan: RecoveryPlan): Promise<void> {
  if (plan.partitions.length === 0) {
    output.note(`${file}: not written, no leader could be designated`)
    return
  }
  await writeNewFile(file, designatedLeadersText(plan))
  output.note(
    `written: ${file}; Kafka's released kafka-leader-election ignores designatedLeader, so elect with: kafka-recovery elect --plan ${file}`,
  )
}

/** A report of a run that elects nothing: one outcome for each partition all the same. */
function withoutElection(plan: RecoveryPlan, file: string | undefined): RecoveryReport {
  const why =
    file === undefined
      ? { code: 'shown', text: 'only shown: neither manual nor automated recovery was asked for' }
      : { code: 'manual', text: `manual recovery: elect with kafka-recovery elect --plan ${file}` }
  const outcomes = [
    ...plan.partitions.map((planned) => outcomeNotAttempted(planned, why)),
    ...plan.skipped.map(outcomeOfSkipped),
  ]
  return reportOf(outcomes, { durationMs: 0, ordersLeft: [], openJournal: null })
}
