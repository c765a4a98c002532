import type { RecoveryReport } from '../../recovery/apply/outcome.js'
import { outcomeNotAttempted, outcomeOfSkipped } from '../../recovery/apply/partition-outcome.js'
import { reportOf } from '../../recovery/apply/report.js'
import { checkNewFile, writeNewFile } from '../../recovery/files/new-file.js'
import { designatedLeadersText, planToJson } from '../../recovery/files/plan-json.js'
import { reportToJson } from '../../recovery/files/report-json.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'
import type { PlannedRecovery } from '../../recovery/use-cases/plan-recovery.js'
import { noteWhatWillBeDone } from '../acting.js'
import { nextLines, runLines } from '../command-line.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { electAndReport, refuseElection } from '../electing.js'
import { CliError, EXIT } from '../exit.js'
import { comparedIn, replicasToJson } from '../json/replicas-json.js'
import { afterAlarm, afterElection } from '../next-steps.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions, SelectionOptions } from '../options/recovery.js'
import type { Output } from '../output.js'
import { planFor } from '../planning.js'
import { requestsFor } from '../requests.js'
import { selectionOf } from '../selection.js'
import { adviceText, alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteTold } from '../text/noted.js'
import { leftOf, leftTold, planText } from '../text/plan-text.js'
import { requestsText } from '../text/preview-text.js'
import { replicasText } from '../text/replicas-text.js'
import { exitOfPlan } from './plan.js'

export interface UncleanRecoveryOptions
  extends ConnectionOptions,
    JsonOption,
    AllOption,
    SelectionOptions,
    RecoveryOptions {
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
    const planned = await planFor(context, connected, selection, options, { readLed: showReplicaInfo === true })
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
  const { output, interruption } = context
  const { plan, snapshot, situation } = planned
  const show = options.showReplicaInfo === true
  const texts = { width: output.columns, all: options.all === true }
  const left = leftOf(plan).map(leftTold)
  if (!output.json) {
    output.text([
      clusterHeading(snapshot, connected.name, connected.readOnly),
      ...(show ? replicasText(comparedIn(plan), texts) : []),
    ])
  }
  const replicas = show ? { replicas: replicasToJson(comparedIn(plan)) } : {}

  if (options.dryRun === true) {
    const requests = await interruption.whileReading(requestsFor(connected, plan))
    noteTold(output, left, texts.all, !output.json)
    if (output.json) {
      noteAlarms(output, planned)
      output.document({ plan: planToJson(plan), ...replicas, requests })
    } else {
      output.text([
        ...adviceText(situation),
        ...planText(plan, texts),
        ...requestsText(requests, texts),
        ...(situation.alarms.length > 0 ? nextLines(options, afterAlarm(), output.columns) : []),
      ])
    }
    return exitOfPlan(plan)
  }
  if (options.automatedRecovery === true) {
    await refuseElection(planned, connected, options)
    noteWhatWillBeDone(context, planned)
    return electAndReport(context, connected, planned, options, {
      all: texts.all,
      nextSteps: (report) => afterElection(report, null).flatMap((step) => nextLines(options, step, output.columns)),
      beside: replicas,
    })
  }
  noteAlarms(output, planned)
  noteTold(output, left, texts.all, !output.json && options.manualRecoveryOutputFile !== undefined)
  const file = options.manualRecoveryOutputFile
  if (file !== undefined) await writeManualFile(context, file, plan, options)
  if (output.json) {
    const rest = file === undefined ? replicas : { plan: planToJson(plan), ...replicas }
    output.document({ ...reportToJson(withoutElection(plan, file)), ...rest })
  } else if (file !== undefined) output.text(planText(plan, texts))
  // Showing is done when the cluster could be read; what it does not have is still named, and a failure.
  return file === undefined ? exitOfShowing(plan) : exitOfPlan(plan)
}

function noteAlarms(output: Output, { situation }: PlannedRecovery): void {
  for (const line of alarmText(situation.alarms)) output.note(line)
}

function exitOfShowing({ skipped }: RecoveryPlan): number {
  return skipped.some(({ code }) => code === 'unknownTopic' || code === 'unknownPartition') ? EXIT.failed : EXIT.done
}

async function writeManualFile(
  { output }: CommandContext,
  file: string,
  plan: RecoveryPlan,
  options: ConnectionOptions,
): Promise<void> {
  if (plan.partitions.length === 0) {
    output.note(`${file}: not written, no leader could be designated`)
    return
  }
  await writeNewFile(file, designatedLeadersText(plan))
  output.note(
    `written: ${file}; Kafka's released kafka-leader-election ignores designatedLeader, so elect with: kafka-recovery elect --plan ${file}`,
  )
  for (const line of runLines(options, ['elect', '--plan', file], output.stderrColumns)) output.note(line)
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
