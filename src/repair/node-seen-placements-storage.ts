import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../folders/make-folder.js'
import { clusterFileName, readIfThere, replaceFile } from '../recovery/files/cluster-file.js'
import type { SeenCluster, SeenPlacementsStorage } from './seen-placements.js'
import { NOTHING_SEEN } from './seen-placements.js'
import { seenPlacementsIn, seenPlacementsPieces } from './seen-placements-file.js'

/** A file of ours is far smaller: whatever is larger is not read into memory. bytes */
const LARGEST_FILE = 64 * 1024 * 1024

/** In a folder of this machine, one file for each cluster, for its owner alone (folder 0700, file 0600). */
export function nodeSeenPlacementsStorage(folder: string): SeenPlacementsStorage {
  /** What was read last of each file, while that file is still the same: a console looks every few seconds. */
  const known = new Map<string, { readonly version: string; readonly seen: SeenCluster }>()
  const versionOf = (path: string) =>
    stat(path, { bigint: true }).then(
      ({ size, mtimeNs, ino }) => ({ size: Number(size), version: `${ino} ${size} ${mtimeNs}` }),
      () => ({ size: 0, version: '' }),
    )
  const pathOf = (clusterId: string) => join(folder, `seen-placements-${clusterFileName(clusterId)}.json`)
  return {
    async load(clusterId) {
      const path = pathOf(clusterId)
      const { size, version } = await versionOf(path)
      if (size > LARGEST_FILE) return NOTHING_SEEN
      const last = known.get(path)
      if (last !== undefined && last.version === version) return last.seen
      const bytes = await readIfThere(path)
      const seen = bytes === null ? NOTHING_SEEN : await inTurns(seenPlacementsIn(bytes, clusterId), () => {})
      // Damaged, or of a newer version: the next save would be the end of what nobody can see any more. Beside it, it can still be mended.
      if (bytes !== null && seen === NOTHING_SEEN) {
        if ((await versionOf(path)).version === version) await rename(path, `${path}.unreadable`).catch(() => {})
        return NOTHING_SEEN
      }
      known.set(path, { version, seen })
      return seen
    },
    async save(clusterId, seen) {
      makeFolder(folder)
      const path = pathOf(clusterId)
      const pieces: string[] = []
      await inTurns(seenPlacementsPieces(clusterId, seen), (piece) => pieces.push(piece))
      await replaceFile(path, pieces.join(''))
      const { version } = await versionOf(path)
      if (version !== '') known.set(path, { version, seen })
    },
  }
}

/** Runs it to its end, a step in each turn of the event loop: keys and frames come in between. */
async function inTurns<Step, Result>(work: Generator<Step, Result>, take: (step: Step) => void): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    take(step.value)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
