import type { Cluster } from '../../cluster/cluster.js'
import { SYSTEM_CLOCK, type Watcher } from '../../cluster/watcher.js'
import type { SeenEmptyStorage } from '../../recovery/returns/seen-empty.js'
import { nodeSeenPlacementsStorage } from '../../repair/node-seen-placements-storage.js'
import { nodeRunRecords, type RunRecords } from '../../repair/run-records.js'
import { type DirectoryNotes, noteDirectories } from '../../repair/use-cases/note-directories.js'
import { createRepairKeeper, type RepairKeeper } from './repair-keeper.js'

export interface OpenedRepairs {
  readonly keeper: RepairKeeper
  readonly records: RunRecords
  /** Runs as long as the console does: whatever fails, it is known what was in it. */
  readonly notes: DirectoryNotes
}

/** What repairs of this console are made of. */
export function openRepairs(
  cluster: Cluster,
  watcher: Watcher,
  options: {
    /** Where what was seen is kept from run to run. */
    readonly seenFolder: string
    readonly memory: SeenEmptyStorage
    readonly requestTimeoutMs: number
    readonly refreshMs: number
  },
): OpenedRepairs {
  const placements = nodeSeenPlacementsStorage(options.seenFolder)
  const records = nodeRunRecords(options.seenFolder)
  const { memory, requestTimeoutMs, refreshMs } = options
  const keeper = createRepairKeeper({ cluster, placements, records, memory, requestTimeoutMs, refreshMs })
  return { keeper, records, notes: noteDirectories(cluster, watcher, placements, SYSTEM_CLOCK) }
}
