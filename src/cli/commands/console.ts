import { join } from 'node:path'
import { stateFolders } from '../../config/state-folder.js'
import type { Place } from '../../console/console-data.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { CliError, EXIT } from '../exit.js'
import type { ConnectionOptions } from '../options/connection.js'
import { RECOVERY_DEFAULTS } from '../options/recovery.js'

export interface ConsoleOptions extends ConnectionOptions {
  readonly refreshMs?: number
  readonly ascii?: boolean
}

const REFRESH_MS = 2_000

/** The console, on a terminal. */
export const openConsoleCommand: CommandHandler<ConsoleOptions> = (context, options) =>
  withCluster(context, options, (connected) =>
    consoleOn(context, connected, options, {
      name: connected.name ?? options.bootstrapServer?.split(',')[0] ?? 'cluster',
      readOnly: connected.readOnly,
      connectionOptions: connectionOptionsText(options),
      lesson: null,
    }),
  )

/** Opens it on a cluster that is connected already. */
export async function consoleOn(
  { interruption }: CommandContext,
  { cluster, journals, requestTimeoutMs }: Connected,
  options: Pick<ConsoleOptions, 'refreshMs' | 'ascii'>,
  place: Place,
): Promise<number> {
  const [{ openTerminal }, { openConsole }] = await Promise.all([
    import('../../console/terminal/terminal.js'),
    import('../../console/open-console.js'),
  ])
  const opened = openTerminal({ ascii: options.ascii === true })
  if (opened.kind === 'refused') throw new CliError(EXIT.usage, `${opened.reason}: the console needs one; see --help`)
  // From here on signals are the console's: it gives the terminal back first.
  interruption.dispose()
  const end = await openConsole({
    terminal: opened.terminal,
    cluster,
    place,
    journals,
    draftFolder: join(stateFolders().reports, '..', 'drafts'),
    refreshMs: options.refreshMs ?? REFRESH_MS,
    requestTimeoutMs,
    recoveryDurationMs: RECOVERY_DEFAULTS.recoveryDurationMs,
  })
  if (end.kind === 'quit') return end.exit
  throw end.error
}

/** The connection's options as they were given, for lines that can be copied. */
function connectionOptionsText({ bootstrapServer, commandConfig, profile }: ConnectionOptions): string {
  const parts = [
    ['--bootstrap-server', bootstrapServer],
    ['--command-config', commandConfig],
    ['--profile', profile],
  ]
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])).join(' ')
}
