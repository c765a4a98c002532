import { setTimeout as sleep } from 'node:timers/promises'
import { nodeSeenPlacementsStorage } from '../../repair/node-seen-placements-storage.js'
import type { ReturnProgress } from '../../repair/progress.js'
import { nothingText } from '../../repair/repair-lines.js'
import type { RepairWay } from '../../repair/repair-step.js'
import { nodeRunRecords } from '../../repair/run-records.js'
import type { RepairReading } from '../../repair/use-cases/read-repair.js'
import { type Repair, readRepairSteps } from '../../repair/use-cases/read-repair-steps.js'
import { nextLines } from '../command-line.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { CliError, EXIT, messageOf } from '../exit.js'
import { seenFolder } from '../journals.js'
import { progressToJson, repairToJson } from '../json/repair-json.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import { listRepairs } from '../repair-list.js'
import { electForRepair, runForRepair } from '../repairing.js'
import { partitionsNamed } from '../selection.js'
import { alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteProblems } from '../text/problems.js'
import { diagnosisText, progressText, stepsText } from '../text/repair-text.js'

/** What `--run` may name: the profile's commands, and the election that the safe order needs. */
export const RUNNABLE = ['checkDisk', 'stop', 'elect', 'start', 'restart'] as const

export interface RepairCommandOptions extends ConnectionOptions, JsonOption, AllOption {
  readonly broker: number
  readonly logDir: string
  readonly way?: RepairWay
  readonly run?: (typeof RUNNABLE)[number]
  readonly writeOff?: readonly string[]
  readonly dryRun?: boolean
  readonly watch?: boolean
  readonly yes?: boolean
  /** ms */
  readonly timeLimitMs: number
}

/** As given: without a directory the broker's are listed. */
export type RepairGiven = Omit<RepairCommandOptions, 'logDir'> & { readonly logDir?: string }

export const repair: CommandHandler<RepairGiven> = (context, { logDir, ...given }) => {
  if (given.watch === true && given.run !== undefined) {
    throw new CliError(EXIT.usage, 'give either --watch or --run STEP')
  }
  if (logDir === undefined) {
    const alone = given.watch === true ? '--watch' : given.run !== undefined ? '--run' : given.way && '--way'
    if (alone) throw new CliError(EXIT.usage, `${alone} goes with one directory: give --log-dir PATH`)
    return listRepairs(context, given)
  }
  const options = { ...given, logDir }
  const writtenOff = new Set(partitionsNamed(options.writeOff ?? [], '--write-off'))
  return withCluster(context, options, async (connected) => {
    if (options.watch === true) return watch(context, connected, options, writtenOff)
    const found = await read(context, connected, options, writtenOff, null)
    const { reading } = found
    if (options.run === undefined || reading.phase === 'nothing') {
      show(context, connected, found, options)
      return reading.impact.noGoAhead !== null && reading.phase !== 'nothing' ? EXIT.failed : EXIT.done
    }
    noteBeforeRun(context, reading)
    return options.run === 'elect'
      ? electForRepair(context, connected, found, options)
      : runForRepair(context, connected, found, options.run, options, () =>
          read(context, connected, options, writtenOff, found.reading.progress),
        )
  })
}

async function read(
  { output, interruption }: CommandContext,
  { cluster, memory, requestTimeoutMs }: Connected,
  options: RepairCommandOptions,
  writtenOff: ReadonlySet<string>,
  previous: ReturnProgress | null,
): Promise<Repair> {
  const { broker, logDir: path } = options
  const found = await interruption.whileReading(
    readRepairSteps(
      cluster,
      { broker, path },
      {
        durationMs: requestTimeoutMs,
        writtenOff,
        placements: nodeSeenPlacementsStorage(seenFolder()),
        records: nodeRunRecords(seenFolder()),
        way: options.way ?? null,
        memory,
        ...(previous === null ? {} : { previous }),
      },
    ),
  )
  const { reading } = found
  if (previous === null) {
    // A broker that is down is part of what is shown.
    noteProblems(
      output,
      reading.snapshot.problems.filter(({ code }) => code !== 'brokerDown'),
    )
    for (const problem of reading.problems) output.note(`warning: ${problem}`)
  }
  return found
}

function show(
  { output }: CommandContext,
  { name, readOnly, repairCommands }: Connected,
  { reading, taken, steps, runs }: Repair,
  options: RepairCommandOptions,
): void {
  const { phase, broker, path } = reading
  const nothing = phase === 'nothing' ? nothingText(reading) : null
  if (output.json) {
    if (nothing !== null) output.note(nothing)
    output.document({ repair: repairToJson(reading, taken, steps, runs) })
    return
  }
  const shown = { width: output.columns, all: options.all === true }
  const lines = [clusterHeading(reading.snapshot, name, readOnly), ...diagnosisText(reading, shown)]
  if (nothing !== null) {
    output.text([...lines, nothing])
    return
  }
  output.text([...lines, ...stepsText(steps, { taken, reading }, runs, options, shown)])
  const runnable = steps.find(
    ({ status, command }) => (status === 'now' || status === 'byHand') && command !== null && repairCommands?.[command],
  )
  if (runnable?.command == null) return
  output.text(
    nextLines(
      options,
      {
        why: `${runnable.title}: the profile has a command for it (it is shown and asks first)`,
        words: [
          'repair',
          '--broker',
          String(broker),
          '--log-dir',
          path,
          ...(options.way === undefined ? [] : ['--way', options.way]),
          '--run',
          runnable.command,
        ],
      },
      output.columns,
    ),
  )
}

/** Whoever runs a step gets to see alarms first. */
function noteBeforeRun({ output }: CommandContext, { situation }: RepairReading): void {
  for (const line of alarmText(situation.alarms)) output.note(line)
}

/** Between two readings; and at least so many times as long as one took: a sick cluster is not to be loaded. ms */
const WATCH_INTERVAL_MS = 2_000
const REST_FACTOR = 4

/** The way back as plain lines, when they say something new; one document a line as JSON. Ends when all is in sync. */
async function watch(
  context: CommandContext,
  connected: Connected,
  options: RepairCommandOptions,
  writtenOff: ReadonlySet<string>,
): Promise<number> {
  const { output, interruption } = context
  let previous: ReturnProgress | null = null
  let shown = ''
  for (;;) {
    const started = performance.now()
    const found = await readAgain(context, connected, options, writtenOff, previous)
    if (found !== null) {
      const { reading } = found
      const ended = reading.phase === 'nothing' || reading.phase === 'wiped'
      if (output.json) {
        const { phase, broker, path, wiped } = reading
        output.document({ broker, logDir: path, phase, progress: progressToJson(reading.progress), wiped })
      } else {
        const all = options.all === true
        const lines = [
          ...(reading.phase === 'emptyBack' ? alarmText(reading.situation.alarms) : []),
          ...progressText(reading.progress, { all }),
        ]
        const block = lines.join('\n')
        if (previous === null) output.text([clusterHeading(reading.snapshot, connected.name, connected.readOnly)])
        if (block !== shown) output.text(lines)
        shown = block
        if (reading.phase === 'wiped') output.text(diagnosisText(reading, { width: output.columns, all }))
        if (reading.phase === 'nothing') output.text([nothingText(reading)])
      }
      previous = reading.progress
      if (ended || output.closed) return reading.phase === 'wiped' ? EXIT.failed : EXIT.done
    }
    const rest = Math.max(WATCH_INTERVAL_MS, REST_FACTOR * (performance.now() - started))
    await interruption.whileReading(sleep(rest))
  }
}

/** Null: not read this time. A watch outlives a cluster that is away for a while; what was never right ends it. */
async function readAgain(
  context: CommandContext,
  connected: Connected,
  options: RepairCommandOptions,
  writtenOff: ReadonlySet<string>,
  previous: ReturnProgress | null,
): Promise<Repair | null> {
  try {
    return await read(context, connected, options, writtenOff, previous)
  } catch (error) {
    if (previous === null || context.interruption.exit !== null) throw error
    context.output.note(`not read: ${messageOf(error)}`)
    return null
  }
}
