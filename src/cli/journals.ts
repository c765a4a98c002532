import { stateFolders } from '../config/state-folder.js'
import { describeUnfinished, type FoundJournal, findUnfinished } from '../recovery/journal/found.js'
import type { JournalPlace } from '../recovery/journal/journal.js'
import { nodeJournalStorage } from '../recovery/journal/node-storage.js'
import { systemProcesses } from '../recovery/journal/process-table.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT, messageOf } from './exit.js'

/** Where this machine's journals lie. */
export function journalPlace(): Omit<JournalPlace, 'now'> {
  return { storage: nodeJournalStorage(stateFolders().journal), processes: systemProcesses }
}

export function unfinishedJournals(): Promise<FoundJournal[]> {
  const { storage, processes } = journalPlace()
  return findUnfinished(storage, processes)
}

/** After a crash every start says so; what only reads goes on. */
export async function noteUnfinishedJournals({ output }: CommandContext): Promise<void> {
  try {
    for (const journal of await unfinishedJournals()) output.note(`warning: ${describeUnfinished(journal)}`)
  } catch (error) {
    output.note(`warning: journals of earlier runs cannot be looked for: ${messageOf(error)}`)
  }
}

/** Nothing may be elected on a cluster on which an interrupted run has left assignments re-ordered. */
export async function refuseUnfinished(clusterId: string): Promise<void> {
  const left = (await unfinishedJournals()).find(({ contents }) => (contents?.clusterId ?? clusterId) === clusterId)
  if (left !== undefined) throw new CliError(EXIT.refused, describeUnfinished(left))
}
