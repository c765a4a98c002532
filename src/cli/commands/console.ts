import { dirname, join } from 'node:path'
import { type Profile, Profiles } from '../../config/profiles.js'
import { stateFolders } from '../../config/state-folder.js'
import type { Place } from '../../console/console-data.js'
import { commandLines, connectionWords, startedAs } from '../command-line.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { CliError, EXIT, messageOf } from '../exit.js'
import { seenFolder } from '../journals.js'
import type { ConnectionOptions } from '../options/connection.js'
import { type ElectionMethodOption, RECOVERY_DEFAULTS } from '../options/recovery.js'

export interface ScreenOptions {
  readonly refreshMs?: number
  readonly ascii?: boolean
}

export interface ConsoleOptions extends ConnectionOptions, ScreenOptions {
  readonly electionMethod?: ElectionMethodOption
}

/** Where a console keeps what outlives it. */
export interface ConsoleFolders {
  readonly drafts: string
  readonly reports: string
  /** What was seen of clusters before. */
  readonly seen: string
}

const REFRESH_MS = 2_000

/** The console, on a terminal. Told no cluster it offers the saved ones. */
export const openConsoleCommand: CommandHandler<ConsoleOptions> = async (context, options) => {
  const { bootstrapServer, commandConfig, profile: name } = options
  if (bootstrapServer === undefined && commandConfig === undefined && name === undefined) return pick(context, options)
  const profile = name === undefined ? null : await new Profiles(stateFolders().profiles).get(name)
  return withCluster(context, options, (connected) =>
    consoleOn(context, connected, options, placeOf(connected, options, profile)),
  )
}

/** Opens it on a cluster that is connected already. */
export async function consoleOn(
  { output, interruption }: CommandContext,
  { cluster, journals, memory, requestTimeoutMs }: Connected,
  options: ScreenOptions & Pick<ConsoleOptions, 'electionMethod'>,
  place: Place,
  folders: ConsoleFolders = ownFolders(),
): Promise<number> {
  const [terminal, { openConsole }] = await Promise.all([terminalOf(options), import('../../console/open-console.js')])
  // From here on signals are the console's: it gives the terminal back first.
  interruption.dispose()
  const end = await openConsole({
    terminal,
    cluster,
    place,
    journals,
    draftFolder: folders.drafts,
    reportsFolder: folders.reports,
    memory,
    seenFolder: folders.seen,
    method: options.electionMethod ?? RECOVERY_DEFAULTS.electionMethod,
    refreshMs: options.refreshMs ?? REFRESH_MS,
    requestTimeoutMs,
    recoveryDurationMs: RECOVERY_DEFAULTS.recoveryDurationMs,
  })
  output.text(end.farewell)
  if (end.kind === 'quit') return end.exit
  throw end.error
}

/** How this program was started and connected, for lines that can be copied. */
export function linesToCopy(connection: ConnectionOptions): Pick<Place, 'program' | 'connectionOptions'> {
  const oneLine = (words: readonly string[]) => commandLines(words, null).join(' ').trim()
  return { program: oneLine(startedAs('kafka-recovery')), connectionOptions: oneLine(connectionWords(connection)) }
}

function placeOf(
  { name, readOnly, repairCommands }: Connected,
  options: ConsoleOptions,
  profile: Profile | null,
): Place {
  return {
    name: name ?? options.bootstrapServer?.split(',')[0] ?? 'cluster',
    readOnly,
    colour: profile?.colour ?? null,
    ...linesToCopy(options),
    lesson: null,
    repairCommands,
  }
}

function ownFolders(): ConsoleFolders {
  const { reports } = stateFolders()
  return { drafts: join(dirname(reports), 'drafts'), reports, seen: seenFolder() }
}

async function terminalOf({ ascii }: ScreenOptions) {
  const { openTerminal } = await import('../../console/terminal/terminal.js')
  const opened = openTerminal({ ascii: ascii === true })
  if (opened.kind === 'refused') throw new CliError(EXIT.usage, `${opened.reason}: the console needs one; see --help`)
  return opened.terminal
}

/** The saved clusters on the screen; one that cannot be reached leads back to them, with the reason. */
async function pick(context: CommandContext, options: ConsoleOptions): Promise<number> {
  const profiles = await new Profiles(stateFolders().profiles).list()
  if (profiles.length === 0) {
    throw new CliError(
      EXIT.usage,
      'no servers to connect to: give --bootstrap-server, or save a cluster with: kafka-recovery profiles add NAME --bootstrap-server HOST:PORT',
    )
  }
  const [terminal, { pickCluster }] = await Promise.all([
    terminalOf(options),
    import('../../console/picker/pick-cluster.js'),
  ])
  context.interruption.dispose()
  let chosen: Opening | null = null
  const end = await pickCluster(terminal, profiles, async (profile) => {
    chosen = startOpening(context, { ...options, profile: profile.name }, profile)
    return chosen.reached
  })
  if (end.kind === 'failed') throw end.error
  if (end.kind === 'quit' || chosen === null) return end.kind === 'quit' ? end.exit : EXIT.done
  const { open, ended } = chosen as Opening
  open()
  return ended
}

/** A console that opens in two steps: first it is connected, then, when the screen is free, shown. */
interface Opening {
  /** Null: connected. Else why not, one line. */
  readonly reached: Promise<string | null>
  open(): void
  /** The console's exit code. */
  readonly ended: Promise<number>
}

function startOpening(context: CommandContext, options: ConsoleOptions, profile: Profile): Opening {
  let open = () => {}
  const screenIsFree = new Promise<void>((resolve) => {
    open = resolve
  })
  let tell: (problem: string | null) => void = () => {}
  const reached = new Promise<string | null>((resolve) => {
    tell = resolve
  })
  const ended = withCluster(context, options, async (connected) => {
    tell(null)
    await screenIsFree
    return consoleOn(context, connected, options, placeOf(connected, options, profile))
  })
  // Told on the screen; after that it is whoever waits for `ended` who hears of it.
  ended.catch((error: unknown) => tell(messageOf(error)))
  return { reached, open, ended }
}
