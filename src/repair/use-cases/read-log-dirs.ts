import type { Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import { type DiagnosedDirectory, diagnoseDirectories } from '../diagnosis.js'
import { type HeldPartitions, heldPartitions } from '../held-partitions.js'
import { NOTHING_SEEN, noteSeen, type SeenPlacementsStorage } from '../seen-placements.js'

export interface LogDirsReading {
  readonly snapshot: ClusterSnapshot
  readonly directories: readonly (DiagnosedDirectory & {
    /** What it holds, or held; null: it has no path. */
    readonly held: HeldPartitions | null
  })[]
  /** What could not be read or kept, one line each. */
  readonly problems: readonly string[]
}

/** Every directory with how it stands; notes what was seen, for when nobody can tell any more. Sends nothing that writes. */
export async function readLogDirs(cluster: Cluster, placements: SeenPlacementsStorage): Promise<LogDirsReading> {
  const snapshot = await cluster.snapshot({ logDirs: true, placements: true, elr: true, configs: true, quorum: false })
  const problems: string[] = []
  const seen = await placements.load(snapshot.clusterId).catch((error: unknown) => {
    problems.push(`what was seen of the log directories before cannot be read: ${errorText(error)}`)
    return NOTHING_SEEN
  })
  const directories = diagnoseDirectories(snapshot, seen).map((dir) => ({
    ...dir,
    held: dir.path === null ? null : heldPartitions(dir.broker, dir.path, snapshot, seen),
  }))
  await placements.save(snapshot.clusterId, noteSeen(seen, snapshot)).catch((error: unknown) => {
    problems.push(`what was seen of the log directories cannot be kept: ${errorText(error)}`)
  })
  return { snapshot, directories, problems }
}
