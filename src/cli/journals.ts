import { dirname, join } from 'node:path'
import { stateFolders } from '../config/state-folder.js'
import { describeUnfinished, type FoundJournal, findUnfinished } from '../recovery/journal/found.js'
import type { JournalPlace } from '../recovery/journal/journal.js'
import { nodeJournalStorage } from '../recovery/journal/node-storage.js'
import { systemProcesses } from '../recovery/journal/process-table.js'
import { nodeSeenEmptyStorage } from '../recovery/returns/node-seen-empty-storage.js'
import type { SeenEmptyStorage } from '../recovery/returns/seen-empty.js'
import { runLines } from './command-line.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT, messageOf } from './exit.js'
import type { ConnectionOptions } from './options/connection.js'

export type Journals = Omit<JournalPlace, 'now'>

/** The journals in a folder, by default this user's. */
export function journalsIn(folder: string = stateFolders().journal): Journals {
  return { storage: nodeJournalStorage(folder), processes: systemProcesses }
}

/** What is remembered of clusters from run to run lies beside the journals, or in the folder given for them. */
export function seenEmptyIn(journals?: string): SeenEmptyStorage {
  return nodeSeenEmptyStorage(journals ?? seenFolder())
}

export function seenFolder(): string {
  return join(dirname(stateFolders().journal), 'seen')
}

export function unfinishedJournals({ storage, processes }: Journals): Promise<FoundJournal[]> {
  return findUnfinished(storage, processes)
}

/** After a crash every start says so; what only reads goes on. */
export async function noteUnfinishedJournals(
  { output }: CommandContext,
  journals: Journals,
  connection: ConnectionOptions,
): Promise<void> {
  try {
    const found = await unfinishedJournals(journals)
    for (const journal of found) output.note(`warning: ${describeUnfinished(journal)}`)
    // Which cluster this is will be known only once it answers.
    const clusters = [...new Set(found.flatMap(({ contents }) => contents?.clusterId ?? []))]
    if (clusters.length === 0) return
    output.note(`if this is cluster ${clusters.join(' or ')}, that is:`)
    for (const line of runLines(connection, ['restore'], output.stderrColumns)) output.note(line)
  } catch (error) {
    output.note(`warning: journals of earlier runs cannot be looked for: ${messageOf(error)}`)
  }
}

/** Nothing may be elected on a cluster on which an interrupted run has left assignments re-ordered. */
export async function refuseUnfinished(journals: Journals, clusterId: string): Promise<void> {
  const found = await unfinishedJournals(journals).catch((error: unknown) => {
    throw new CliError(
      EXIT.refused,
      `journals of earlier runs cannot be looked for: ${messageOf(error)}; nothing was sent; set KAFKA_RECOVERY_HOME to a folder that can be read and written`,
    )
  })
  const left = found.find(({ contents }) => (contents?.clusterId ?? clusterId) === clusterId)
  if (left !== undefined) throw new CliError(EXIT.refused, describeUnfinished(left))
}
