import { errorText } from '../../text/error-text.js'
import { type JournalContents, readContents } from './contents.js'
import type { HolderState, ProcessTable } from './process-table.js'
import type { JournalStorage } from './storage.js'

/** Open journals end so; a closed one is renamed, so that a start need not read what is over. */
export const OPEN_SUFFIX = '.journal.jsonl'
export const CLOSED_SUFFIX = '.closed.jsonl'

/** A journal that nobody has closed. */
export interface FoundJournal {
  readonly name: string
  readonly path: string
  /** Null: the file could not be read at all; `problem` says why. */
  readonly contents: JournalContents | null
  readonly problem: string | null
  /** Who wrote it. `gone` also where a living process has given up on it. Unknown: no readable line names its writer. */
  readonly holder: HolderState | 'unknown'
}

/** Every journal in the folder that is not closed, oldest first. Rejects only if the folder cannot be listed. */
export async function openJournals(storage: JournalStorage, processes: ProcessTable): Promise<FoundJournal[]> {
  const names = (await storage.list()).filter((name) => name.endsWith(OPEN_SUFFIX)).sort()
  const found = await Promise.all(names.map((name) => readJournal(storage, processes, name)))
  return found.filter((journal) => journal !== null)
}

async function readJournal(
  storage: JournalStorage,
  processes: ProcessTable,
  name: string,
): Promise<FoundJournal | null> {
  const path = storage.pathOf(name)
  try {
    const contents = await readContents(storage.read(name))
    if (contents.state === 'closed') return null
    const holder =
      contents.state === 'suspended' ? 'gone' : contents.owner === null ? 'unknown' : processes.stateOf(contents.owner)
    return { name, path, contents, problem: null, holder }
  } catch (error) {
    // Closed (renamed) by its owner since the folder was listed.
    if (!(await storage.list()).includes(name)) return null
    const problem = errorText(error)
    return { name, path, contents: null, problem, holder: 'unknown' }
  }
}

/**
 * Whether an interrupted run may have left something behind that `restore` has to look at. A journal of a process that lives
 * is not unfinished; neither is one in which no re-ordering was announced, unless its writer may still be at work on another host.
 */
export function isUnfinished({ contents, holder }: FoundJournal): boolean {
  if (holder === 'running') return false
  if (holder === 'elsewhere') return true
  return contents === null || contents.left.length > 0 || contents.damaged || contents.newer
}

/** The journals that interrupted runs have left, of all clusters: `contents.clusterId` and `contents.left` tell what of. */
export async function findUnfinished(storage: JournalStorage, processes: ProcessTable): Promise<FoundJournal[]> {
  return (await openJournals(storage, processes)).filter(isUnfinished)
}

/** One line for stderr at every start: what was left, where, what to do. Paths and ids unescaped. */
export function describeUnfinished({ path, contents, problem, holder }: FoundJournal): string {
  const where = `unfinished journal ${path}`
  if (contents === null) {
    return `${where} cannot be read: ${problem ?? 'unknown reason'}; make it readable for: kafka-recovery restore, or move it away once no assignment is left re-ordered`
  }
  const of = contents.clusterId === null ? 'an unknown cluster' : `cluster ${contents.clusterId}`
  const left = contents.left.length
  const what = left === 1 ? '1 assignment may be re-ordered' : `${left} assignments may be re-ordered`
  const host =
    holder === 'elsewhere' ? `, written on host ${contents.owner?.host ?? 'unknown'}: make sure that run has ended` : ''
  const notes = contents.notes.length > 0 ? ` (${contents.notes.join('; ')})` : ''
  const way = contents.newer
    ? 'restore it with the newer version of this program that wrote it'
    : 'put them back with: kafka-recovery restore'
  return `${where}: of ${of}, ${what}${host}${notes}; ${way}`
}
