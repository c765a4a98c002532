import { fillCommand, type RepairCommandName } from '../../repair/repair-commands.js'
import { endText, succeeded } from '../../repair/run-command.js'
import { keepsDisk, runConfirmation, runRefusal } from '../../repair/run-refusal.js'
import type { Repair } from '../../repair/use-cases/read-repair-steps.js'
import { runRepairCommand } from '../../repair/use-cases/run-repair-command.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { commandText } from '../planning/plan-words.js'
import type { ConsoleServices } from '../services.js'
import { topView } from '../state/ui-state.js'
import { type CommandRun, withLines } from './command-run.js'
import { REPAIR_COMMAND_SCREEN, type RepairState, repairKey, repairParams, repairTarget } from './repair-state.js'
import { underWayText } from './under-way.js'

type Control = ConsoleControl<ConsoleData>

/** As `repair --run` has it by default. ms */
const TIME_LIMIT_MS = 300_000

/** A question has room for so many lines on the smallest screen: a command that takes more is not confirmed half seen. */
const SHOWN_LINES = 7

/**
 * Runs one of the profile's commands for this repair: refused where things do not stand so, shown whole, confirmed by its own text, refused again if
 * that has changed meanwhile. The same rules as `repair --run`.
 */
export async function confirmAndRun(
  control: Control,
  services: ConsoleServices,
  state: RepairState,
  name: RepairCommandName,
): Promise<void> {
  const { repair } = state
  if (repair === null) return control.notice('Nothing was read of it yet.', 'warning')
  if (services.runs.underWay !== null) return control.notice(`Not now: ${underWayText(control.data)}.`, 'warning')
  const { broker, path, host, snapshot } = repair.reading
  const filled = fillCommand(control.data.place.repairCommands, name, { broker, host, logDir: path })
  if (filled.kind === 'none') {
    return control.notice(`The profile has no repair.commands.${name}: do it by hand, the step shows how.`, 'warning')
  }
  if (filled.kind === 'impossible') return control.notice(`${filled.reason}; nothing was run`, 'danger')
  const refusal = refusalOf(control.data, repair, name, state.oldDiskBack)
  if (refusal !== null) return control.notice(`${refusal}; nothing was run`, 'danger')
  const shown = wrapSentence(commandText(filled.argv), 58, '  ')
  if (shown.length > SHOWN_LINES) {
    return control.notice(
      `repair.commands.${name} is too long to be shown whole before it is confirmed: run it by hand; nothing was run`,
      'danger',
    )
  }
  const text = runConfirmation(name, broker, repair.way)
  const typed = await control.ask({
    label: `Type: ${text}`,
    expected: text,
    body: [
      ...sentence(`To be run on this machine, without a shell, for at most ${TIME_LIMIT_MS / 1000} s:`),
      ...shown.map((line): Line => [span('input', line)]),
      ...sentence(conditionOf(repair, name)),
    ],
  })
  if (typed === null) return
  // Whoever was asked may have taken minutes: it has to hold now.
  if (name !== 'checkDisk') {
    const fresh = await services.repairs.keeper.readNow(control, state)
    const now = control.data.repairs.get(repairKey(state))
    if (fresh === null || now === undefined) {
      return control.notice(`Nothing was run: ${now?.failure ?? 'it could not be read again'}`, 'danger')
    }
    const late = refusalOf(control.data, fresh, name, now.oldDiskBack)
    if (late !== null) return control.notice(`${late}; nothing was run`, 'danger')
    if (fresh.way !== repair.way) {
      return control.notice('The way has changed: look at the steps again; nothing was run', 'danger')
    }
  }
  if (services.runs.underWay !== null) return control.notice(`Not now: ${underWayText(control.data)}.`, 'warning')
  const run: CommandRun = {
    broker,
    path,
    name,
    argv: filled.argv,
    startedAt: new Date(),
    timeLimitMs: TIME_LIMIT_MS,
    lines: [],
    before: 0,
    stopping: null,
    result: null,
  }
  await carryOut(control, services, run, filled.argv, snapshot.clusterId)
}

async function carryOut(
  control: Control,
  services: ConsoleServices,
  run: CommandRun,
  argv: readonly [string, ...string[]],
  clusterId: string,
): Promise<void> {
  const { broker, name } = run
  const stop = new AbortController()
  control.update((data) => ({ ...data, command: run }), 'now')
  control.open(REPAIR_COMMAND_SCREEN, repairParams(run))
  // Many lines at once are one change.
  let waiting: string[] = []
  const flush = () => {
    const lines = waiting
    waiting = []
    if (lines.length > 0) change(control, (now) => withLines(now, lines), 'soon')
  }
  await services.runs.hold(async () => {
    const { result, notRecorded } = await runRepairCommand(
      name,
      argv,
      { ...run, clusterId },
      services.repairs.records,
      {
        timeLimitMs: run.timeLimitMs,
        signal: stop.signal,
        onLine: (line) => {
          if (waiting.length === 0) setImmediate(flush)
          waiting.push(line)
        },
      },
    )
    flush()
    const end = endText(result)
    const text = `${name} of broker ${broker}: ${end}. ${commandText(argv)}`
    const entry = { at: new Date(), text }
    control.update(
      (data) => ({
        ...data,
        command: data.command === null ? null : { ...data.command, result },
        ran: [...data.ran, entry],
      }),
      'now',
    )
    if (notRecorded !== null) control.notice(`This run cannot be recorded: ${notRecorded}`, 'warning')
    else control.notice(`${name}: ${end}`, succeeded(result) ? 'ok' : 'danger')
  }, stop)
  // What it did the cluster shows: read at once, whatever is on the screen.
  void services.live.readNow().catch(() => {})
  if (repairTarget(topView(control.ui)) !== null) void services.repairs.keeper.readNow(control, run)
}

function change(control: Control, to: (run: CommandRun) => CommandRun, when: 'now' | 'soon'): void {
  control.update((data) => (data.command === null ? data : { ...data, command: to(data.command) }), when)
}

/** The way is on the screen, and what has to be typed names the old disk: so it counts as said. */
function refusalOf(data: ConsoleData, repair: Repair, name: RepairCommandName, oldDiskBack: boolean): string | null {
  const words = {
    step: name,
    keep: '"keep the directory" (w)',
    replace: '"replace the disk" (w)',
    elect: 'elect the best of the others',
  }
  const { readOnly } = data.place
  return runRefusal(name, {
    reading: repair.reading,
    steps: repair.steps,
    way: repair.way,
    readOnly,
    oldDiskBack,
    words,
  })
}

function sentence(text: string): Line[] {
  return wrapSentence(text, 58)
}

/** What must be so on the broker's host, where nobody sees it from here; empty: nothing. The disk of other failed directories counts, too. */
export function conditionOf(
  {
    way,
    reading,
  }: {
    readonly way: Repair['way']
    readonly reading: Pick<Repair['reading'], 'path' | 'otherFailed' | 'seenEmptiedAt'>
  },
  name: RepairCommandName,
): string {
  const { path } = reading
  if (name !== 'start' && name !== 'restart') return ''
  if (keepsDisk(name, way)) {
    const shut = reading.otherFailed.flatMap((other) => (other.holds > 0 ? [other.path] : []))
    return `Only with the OLD contents of ${[path, ...shut].join(' and ')} in place: with an empty directory the others may be wiped.`
  }
  if (way === 'replace' && reading.seenEmptiedAt !== null) {
    return `${path} was seen with an EMPTY log: it starts with that, as a follower, since the gate is open.`
  }
  return way === 'replace'
    ? `Only once the new disk is at ${path}, and formatted: those steps are done by hand, and are not seen from here.`
    : `Only once ${path} is out of log.dirs: that step is done by hand, and is not seen from here.`
}
