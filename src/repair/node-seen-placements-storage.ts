import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterFileName, readIfThere, replaceFile } from '../recovery/files/cluster-file.js'
import type { SeenPlacementsStorage } from './seen-placements.js'
import { NOTHING_SEEN } from './seen-placements.js'
import { seenPlacementsOf, seenPlacementsText } from './seen-placements-file.js'

/** A file of ours is far smaller: whatever is larger is not read into memory. bytes */
const LARGEST_FILE = 64 * 1024 * 1024

/** In a folder of this machine, one file for each cluster, for its owner alone (folder 0700, file 0600). */
export function nodeSeenPlacementsStorage(folder: string): SeenPlacementsStorage {
  const pathOf = (clusterId: string) => join(folder, `seen-placements-${clusterFileName(clusterId)}.json`)
  return {
    async load(clusterId) {
      const path = pathOf(clusterId)
      const size = await stat(path).then(
        (found) => found.size,
        () => 0,
      )
      if (size > LARGEST_FILE) return NOTHING_SEEN
      const bytes = await readIfThere(path)
      return bytes === null ? NOTHING_SEEN : seenPlacementsOf(bytes, clusterId)
    },
    async save(clusterId, seen) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await replaceFile(pathOf(clusterId), seenPlacementsText(clusterId, seen))
    },
  }
}
