import { partitionName } from '../../cluster/snapshot.js'
import { type ElectFile, parseElectFile } from '../../recovery/files/elect-file.js'
import { readInputFile } from '../../recovery/files/input-file.js'
import { planToJson } from '../../recovery/files/plan-json.js'
import { brokersChangedSince, changesSince, planFromFile } from '../../recovery/use-cases/plan-from-file.js'
import type { PlannedRecovery } from '../../recovery/use-cases/plan-recovery.js'
import { confirmElection } from '../acting.js'
import { nextLines } from '../command-line.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { electAndReport, refuseElection } from '../electing.js'
import { CliError, EXIT } from '../exit.js'
import { afterDryRun, afterElection, electWords } from '../next-steps.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions } from '../options/recovery.js'
import { planFor, planningOptions } from '../planning.js'
import { requestsFor } from '../requests.js'
import { leadersNamed, noteExtraFields } from '../selection.js'
import { adviceText, alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteTold } from '../text/noted.js'
import { leftOf, leftTold, planText } from '../text/plan-text.js'
import { ageText, requestsText, staleText } from '../text/preview-text.js'
import { noteProblems } from '../text/problems.js'
import { exitOfPlan } from './plan.js'

export interface ElectOptions extends ConnectionOptions, JsonOption, AllOption, RecoveryOptions {
  readonly plan?: string
  readonly leader?: readonly string[]
  readonly yes?: boolean
}

export const elect: CommandHandler<ElectOptions> = async (context, options) => {
  const file = await leadersGiven(context, options)
  return withCluster(context, options, async (connected) => {
    const planned = await plannedOf(context, connected, file, options)
    if (options.dryRun === true) return dryRun(context, connected, file, planned, options)
    return apply(context, connected, file, planned, options)
  })
}

/** From a file, or named one by one: exactly one of the two. */
async function leadersGiven(context: CommandContext, { plan, leader = [] }: ElectOptions): Promise<ElectFile> {
  if ((plan === undefined) === (leader.length === 0)) {
    throw new CliError(EXIT.usage, 'give exactly one of --plan FILE and --leader TOPIC-PARTITION=BROKER (repeatable)')
  }
  if (plan === undefined) return { kind: 'plain', partitions: leadersNamed(leader), extraFields: [] }
  const file = await parseElectFile(await readInputFile(plan), plan)
  if (file.kind === 'plain') noteExtraFields(context, plan, file.extraFields)
  return file
}

async function plannedOf(
  context: CommandContext,
  connected: Connected,
  file: ElectFile,
  options: ElectOptions,
): Promise<PlannedRecovery> {
  if (file.kind === 'plan') {
    const { cluster, memory } = connected
    const { method, accepted, durationMs } = planningOptions(options)
    const planned = await context.interruption.whileReading(
      planFromFile(cluster, file.plan, method, { durationMs, accepted, memory }),
    )
    noteProblems(context.output, planned.snapshot.problems)
    return planned
  }
  const choices = new Map(
    file.partitions.map((entry) => [
      partitionName(entry),
      { designatedLeader: entry.designatedLeader, by: 'hand' as const },
    ]),
  )
  return planFor(context, connected, { kind: 'named', partitions: file.partitions }, options, { choices })
}

/** Shows what would be elected, and what of a saved plan does not hold any more. Exit as `plan`. */
async function dryRun(
  context: CommandContext,
  connected: Connected,
  file: ElectFile,
  planned: PlannedRecovery,
  options: ElectOptions,
): Promise<number> {
  const { output, interruption } = context
  const { cluster, name, readOnly } = connected
  const { plan, snapshot, situation } = planned
  const all = options.all === true
  const changes =
    file.kind === 'plan' ? await interruption.whileReading(changesSince(cluster, plan, planningOptions(options))) : []
  const stale = changes.map((one) => ({ ...one, code: 'stale', text: one.reason }))
  const requests = await interruption.whileReading(requestsFor(connected, plan))
  if (output.json) for (const line of alarmText(situation.alarms)) output.note(line)
  noteTold(output, [...leftOf(plan).map(leftTold), ...stale], all, !output.json)
  if (output.json) output.document({ plan: planToJson(plan), stale: changes, requests: requests ?? [] })
  else {
    const outdated = stale.length > 0 || (file.kind === 'plan' && brokersChangedSince(plan, snapshot).length > 0)
    const steps = afterDryRun(plan, situation, options.plan ?? null, outdated, options)
    output.text([
      clusterHeading(snapshot, name, readOnly),
      ...adviceText(situation),
      ...ageLines(file, planned),
      ...planText(plan, { width: output.columns, all }),
      ...staleText(stale, plan.partitions.length),
      ...requestsText(requests, { all }),
      ...steps.flatMap((step) => nextLines(options, step, output.columns)),
    ])
  }
  return changes.some(({ leader }) => leader === null) ? EXIT.failed : exitOfPlan(plan)
}

/** How old a saved plan is, and which brokers came and went since: its numbers are as of then. */
function ageLines(file: ElectFile, { plan, snapshot }: PlannedRecovery): string[] {
  return file.kind === 'plan' ? [ageText(plan, snapshot.readAt, brokersChangedSince(plan, snapshot))] : []
}

async function apply(
  context: CommandContext,
  connected: Connected,
  file: ElectFile,
  planned: PlannedRecovery,
  options: ElectOptions,
): Promise<number> {
  const { output } = context
  const all = options.all === true
  await refuseElection(planned, connected, options)
  if (planned.plan.partitions.length > 0) {
    const more = ageLines(file, planned)
    await confirmElection(context, connected, planned, { yes: options.yes === true, all, more })
  }
  const words = options.plan === undefined ? null : electWords(options.plan, options)
  return electAndReport(context, connected, planned, options, {
    all,
    nextSteps: (report) => afterElection(report, words).flatMap((step) => nextLines(options, step, output.columns)),
  })
}
