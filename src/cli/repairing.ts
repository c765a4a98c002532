import { planToJson } from '../recovery/files/plan-json.js'
import { fillCommand } from '../repair/repair-commands.js'
import { gateText } from '../repair/repair-lines.js'
import { toElect } from '../repair/repair-step.js'
import { endText, succeeded } from '../repair/run-command.js'
import { nodeRunRecords } from '../repair/run-records.js'
import { electRefusal, keepsDisk, runConfirmation, runRefusal } from '../repair/run-refusal.js'
import type { Repair } from '../repair/use-cases/read-repair-steps.js'
import { runRepairCommand } from '../repair/use-cases/run-repair-command.js'
import { bytesText } from '../text/bytes.js'
import { confirmElection } from './acting.js'
import { commandLines, nextLines } from './command-line.js'
import { exitOfPlan } from './commands/plan.js'
import type { RepairCommandOptions, RUNNABLE } from './commands/repair.js'
import { confirm } from './confirm.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import { electAndReport, refuseElection } from './electing.js'
import { CliError, EXIT } from './exit.js'
import { seenFolder } from './journals.js'
import { resultToJson } from './json/repair-json.js'
import { RECOVERY_DEFAULTS, type RecoveryOptions } from './options/recovery.js'
import { planFor } from './planning.js'
import { requestsFor } from './requests.js'
import { clusterHeading } from './text/cluster-heading.js'
import { noteTold } from './text/noted.js'
import { leftOf, leftTold, planText } from './text/plan-text.js'
import { requestsText } from './text/preview-text.js'

/**
 * Elects the best of the others for exactly the partitions that keep the gate shut. Only while the broker is away: what it led last
 * could otherwise come back to it in the middle.
 */
export async function electForRepair(
  context: CommandContext,
  connected: Connected,
  { reading }: Repair,
  options: RepairCommandOptions,
): Promise<number> {
  const { output } = context
  const { gate } = reading
  const partitions = toElect(gate)
  const refusal = electRefusal(reading)
  if (refusal !== null) {
    if (partitions.length > 0) throw new CliError(EXIT.refused, `${refusal}; nothing was sent`)
    if (output.json) output.document({ outcome: [], summary: {}, gate: { open: gate.open } })
    else output.text([refusal, ...gateText(reading)])
    return gate.holds.length === 0 ? EXIT.done : EXIT.failed
  }
  const recovery: RecoveryOptions = { ...RECOVERY_DEFAULTS, timeLimitMs: options.timeLimitMs }
  const planned = await planFor(context, connected, { kind: 'named', partitions }, recovery)
  const { plan, snapshot } = planned
  const all = options.all === true
  const shown = { width: output.columns, all }
  if (options.dryRun === true) {
    const requests = await context.interruption.whileReading(requestsFor(connected, plan))
    noteTold(output, leftOf(plan).map(leftTold), all)
    if (output.json) output.document({ plan: planToJson(plan), requests })
    else
      output.text([
        clusterHeading(snapshot, connected.name, connected.readOnly),
        ...planText(plan, shown),
        ...requestsText(requests, { all }),
      ])
    return exitOfPlan(plan)
  }
  await refuseElection(planned, connected, recovery)
  if (plan.partitions.length > 0) {
    await confirmElection(context, connected, planned, { yes: options.yes === true, all, more: [] })
  }
  return electAndReport(context, connected, planned, recovery, {
    all,
    nextSteps: () => lookAgain(options, output.columns),
  })
}

function lookAgain(options: RepairCommandOptions, width: number | null): string[] {
  const { broker, logDir } = options
  return nextLines(
    options,
    { why: 'look again where the repair stands', words: ['repair', '--broker', String(broker), '--log-dir', logDir] },
    width,
  )
}

type HostCommand = Exclude<(typeof RUNNABLE)[number], 'elect'>

/** Runs one of the profile's commands: shown whole, confirmed, streamed to stderr, recorded. */
export async function runForRepair(
  context: CommandContext,
  connected: Connected,
  repair: Repair,
  name: HostCommand,
  options: RepairCommandOptions,
  readAgain: () => Promise<Repair>,
): Promise<number> {
  const { output, interruption } = context
  const { broker, path, host, snapshot } = repair.reading
  const filled = fillCommand(connected.repairCommands, name, { broker, host, logDir: path })
  if (filled.kind === 'none') {
    throw new CliError(
      EXIT.usage,
      `--run ${name}: the profile has no repair.commands.${name}; nothing was run; do it by hand, the steps show how`,
    )
  }
  if (filled.kind === 'impossible') throw new CliError(EXIT.failed, `${filled.reason}; nothing was run`)
  refuseStep(connected, repair, name, options)
  const shown = commandLines(filled.argv, output.stderrColumns)
  output.note(`To be run on this machine, without a shell, for at most ${options.timeLimitMs / 1000} s:`)
  for (const line of shown) output.note(line)
  if (options.dryRun === true) {
    if (output.json) output.document({ run: { step: name, argv: filled.argv, dryRun: true } })
    else output.text(['Not run: this is a dry run.'])
    return EXIT.done
  }
  if (keepsDisk(name, repair.way)) {
    const shut = repair.reading.otherFailed.flatMap((other) => (other.holds > 0 ? other.path : []))
    output.note(
      `Only with the OLD contents of ${[path, ...shut].join(' and ')} in place: with an empty directory the others may be wiped.`,
    )
  }
  await confirm(context, runConfirmation(name, broker, repair.way), options.yes === true)
  // Whoever was asked may have taken minutes: the gate has to be open now.
  if (name !== 'checkDisk' && options.yes !== true) refuseStep(connected, await readAgain(), name, options)
  // From here on a signal ends the command, and this program only after it is recorded.
  let told = false
  interruption.deferTo(() => {
    if (!told) output.note(`ending ${name}: SIGTERM now, SIGKILL if that does not help`)
    told = true
  })
  const { result, notRecorded } = await runRepairCommand(
    name,
    filled.argv,
    { broker, path, clusterId: snapshot.clusterId },
    nodeRunRecords(seenFolder()),
    {
      timeLimitMs: options.timeLimitMs,
      signal: interruption.signal,
      onLine: (line) => output.note(`| ${line}`),
    },
  )
  if (result.droppedBytes > 0) {
    output.note(`${bytesText(result.droppedBytes)} were not shown; its last lines:`)
    for (const line of result.output) output.note(`| ${line}`)
  }
  if (notRecorded !== null) output.note(`warning: this run cannot be recorded: ${notRecorded}`)
  const ok = succeeded(result)
  if (output.json) output.document({ run: { step: name, ...resultToJson(result) } })
  else output.text([`${name}: ${endText(result)}`, ...lookAgain(options, output.columns)])
  if (!ok) output.note(`${name} did not succeed: ${endText(result)}; whether it had an effect the cluster shows`)
  return ok ? EXIT.done : EXIT.failed
}

/** What must not be run as things stand. */
function refuseStep(
  { readOnly }: Connected,
  { reading, steps }: Repair,
  name: HostCommand,
  options: RepairCommandOptions,
): void {
  const words = { step: `--run ${name}`, keep: '--way keep', replace: '--way replace', elect: '--run elect' }
  const why = runRefusal(name, { reading, steps, way: options.way ?? null, readOnly, words })
  if (why !== null) throw new CliError(EXIT.refused, `${why}; nothing was run`)
}
