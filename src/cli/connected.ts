import type { Cluster } from '../cluster/cluster.js'
import { connectCluster } from '../cluster/connect.js'
import { sessionOptions } from '../cluster/session-options.js'
import type { RepairCommands } from '../config/profiles.js'
import { resolveConnection } from '../config/resolve-connection.js'
import type { SeenEmptyStorage } from '../recovery/returns/seen-empty.js'
import type { CommandContext } from './context.js'
import { type Journals, journalsIn, noteUnfinishedJournals, seenEmptyIn } from './journals.js'
import type { ConnectionOptions } from './options/connection.js'

/** cli.md, --request-timeout-ms: a whole read by status and check takes at most so many of them. */
const WHOLE_READ_TIMEOUTS = 3

/** A cluster that a command works on. */
export interface Connected {
  readonly cluster: Cluster
  /** The cluster for one whole read by status or check, which takes at most three request timeouts; so does connecting with the first. */
  readonly forWholeRead: () => Cluster
  /** Label or name of the saved profile; null: connected without one. */
  readonly name: string | null
  readonly readOnly: boolean
  readonly requestTimeoutMs: number
  readonly journals: Journals
  /** Brokers that were seen with empty logs, from run to run. */
  readonly memory: SeenEmptyStorage
  /** The profile's commands for a broker's host; null: it has none. */
  readonly repairCommands: RepairCommands | null
  /** As given: for commands that can be copied. */
  readonly connection: ConnectionOptions
}

/** Connects as the options say, hands the cluster over, and disconnects whatever happens. */
export async function withCluster<T>(
  context: CommandContext,
  options: ConnectionOptions,
  use: (connected: Connected) => Promise<T>,
  journalFolder?: string,
): Promise<T> {
  const { output, interruption } = context
  const { settings, warnings, ignored, profile } = await resolveConnection({
    brokerEndpoints: options.brokerEndpoint ?? [],
    readOnly: options.readOnly === true,
    ...(options.bootstrapServer === undefined ? {} : { bootstrapServer: options.bootstrapServer }),
    ...(options.commandConfig === undefined ? {} : { commandConfigFile: options.commandConfig }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
  })
  for (const warning of warnings) output.note(`warning: ${warning}`)
  const verbose = options.verbose === true
  if (verbose && ignored.length > 0) output.note(`settings without meaning here: ${ignored.join(', ')}`)
  const journals = journalsIn(journalFolder)
  await noteUnfinishedJournals(context, journals, options)

  const startedAt = performance.now()
  const connecting = connectCluster(
    sessionOptions(settings, {
      ...(verbose
        ? {
            onExchange: ({ address, api, version, durationMs, error }) =>
              output.note(
                `${address} ${api} ${version} ${durationMs.toFixed(0)} ms${error === null ? '' : ` ${error}`}`,
              ),
          }
        : {}),
    }),
  )
  const cluster = await interruption.whileReading(connecting)
  const wholeReadMs = WHOLE_READ_TIMEOUTS * settings.requestTimeoutMs
  let withinMs = wholeReadMs - (performance.now() - startedAt)
  try {
    return await use({
      cluster,
      forWholeRead() {
        const bounded = cluster.within(withinMs)
        withinMs = wholeReadMs
        return bounded
      },
      name: profile?.label ?? profile?.name ?? null,
      readOnly: settings.readOnly,
      requestTimeoutMs: settings.requestTimeoutMs,
      journals,
      memory: seenEmptyIn(journalFolder),
      repairCommands: profile?.repair?.commands ?? null,
      connection: options,
    })
  } finally {
    await cluster.close()
  }
}
