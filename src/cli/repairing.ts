import { planToJson } from '../recovery/files/plan-json.js'
import { reportToJson } from '../recovery/files/report-json.js'
import { exitCodeOf } from '../recovery/report.js'
import { fillCommand } from '../repair/repair-commands.js'
import { toElect } from '../repair/repair-step.js'
import { endText, runCommand, succeeded } from '../repair/run-command.js'
import { nodeRunRecords } from '../repair/run-records.js'
import { confirmElection } from './acting.js'
import { commandLines, nextLines } from './command-line.js'
import { exitOfPlan } from './commands/plan.js'
import type { Repair, RepairCommandOptions, RUNNABLE } from './commands/repair.js'
import { confirm } from './confirm.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import { electWithProgress, refuseElection } from './electing.js'
import { CliError, EXIT, messageOf } from './exit.js'
import { seenFolder } from './journals.js'
import { resultToJson } from './json/repair-json.js'
import { RECOVERY_DEFAULTS, type RecoveryOptions } from './options/recovery.js'
import { planFor } from './planning.js'
import { requestsFor } from './requests.js'
import { clusterHeading } from './text/cluster-heading.js'
import { noteTold } from './text/noted.js'
import { leftOf, leftTold, planText } from './text/plan-text.js'
import { requestsText } from './text/preview-text.js'
import { gateText } from './text/repair-text.js'
import { noteFailures, reportText } from './text/report-text.js'

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
  const { broker, gate, brokerState } = reading
  const partitions = toElect(gate)
  if (partitions.length === 0) {
    const line =
      gate.holds.length === 0
        ? 'Nothing to elect: no partition waits for it.'
        : 'Nothing to elect: nobody else has a copy of what keeps the gate shut.'
    if (output.json) output.document({ outcome: [], summary: {}, gate: { open: gate.open } })
    else output.text([line, ...gateText(reading)])
    return gate.holds.length === 0 ? EXIT.done : EXIT.failed
  }
  if (brokerState !== 'down') {
    throw new CliError(
      EXIT.refused,
      `broker ${broker} is ${brokerState}: stop it first, and wait until it is down; nothing was sent`,
    )
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
  const report = await electWithProgress(context, connected, planned, recovery)
  noteFailures(output, report, all, options)
  if (output.json) output.document(reportToJson(report))
  else output.text([...reportText(report, plan, shown), ...lookAgain(options, output.columns)])
  return exitCodeOf(report)
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
  const keeps = repair.way === 'keep' && (name === 'start' || name === 'restart')
  if (keeps)
    output.note(`Only with the OLD contents of ${path} in place: with an empty directory the others may be wiped.`)
  await confirm(
    context,
    keeps ? `${name} broker ${broker} with its old disk` : `${name} broker ${broker}`,
    options.yes === true,
  )
  // Whoever was asked may have taken minutes: the gate has to be open now.
  if (name !== 'checkDisk' && options.yes !== true) refuseStep(connected, await readAgain(), name, options)
  // From here on a signal ends the command, and this program only after it is recorded. (conf, once loaded, sends each signal twice.)
  let told = false
  interruption.deferTo(() => {
    if (!told) output.note(`ending ${name}: SIGTERM now, SIGKILL if that does not help`)
    told = true
  })
  const result = await runCommand(filled.argv, {
    timeLimitMs: options.timeLimitMs,
    signal: interruption.signal,
    onLine: (line) => output.note(`| ${line}`),
  })
  const { startedAt, durationMs, end, argv } = result
  const step = name === 'restart' ? 'start' : name
  await nodeRunRecords(seenFolder())
    .add(snapshot.clusterId, { broker, path, step, startedAt, durationMs, end, argv })
    .catch((error: unknown) => output.note(`warning: this run cannot be recorded: ${messageOf(error)}`))
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
  if (name === 'checkDisk') return
  const refuse = (why: string) => new CliError(EXIT.refused, `${why}; nothing was run`)
  if (readOnly) throw refuse(`--run ${name}: this is read-only`)
  const { broker, impact, gate, brokerState } = reading
  if (impact.noGoAhead !== null) throw refuse(impact.noGoAhead)
  if (name === 'stop') {
    if (brokerState === 'down') throw refuse(`broker ${broker} is down already`)
    return
  }
  // With its old disk it brings back what nobody else has: but that has to be said, it cannot be seen from here.
  if (options.way === 'keep') {
    if (gate.alarms.length > 0) throw refuse(gateText(reading).join('; '))
    if (reading.seenEmptied) {
      throw refuse(
        `broker ${broker} was up with emptied replicas of this directory before: its disk is not the old one. Take the steps of --way replace, or start it by hand once the old disk is back`,
      )
    }
    return
  }
  if (name === 'restart') {
    throw refuse(
      `--run restart goes only with --way keep, for a directory that is left as it is: else stop it, and start it once the gate is open`,
    )
  }
  if (brokerState !== 'down') throw refuse(`broker ${broker} is ${brokerState}: stop it first`)
  const start = steps.find(({ id }) => id === 'start')
  if (!gate.open || start?.status === 'blocked') {
    const elect = toElect(gate).length > 0 ? '; first --run elect' : ''
    throw refuse(`the gate is shut: ${gateText(reading).join('; ')}${elect} (with the OLD disk in place: --way keep)`)
  }
}
