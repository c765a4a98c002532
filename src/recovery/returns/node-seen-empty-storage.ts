import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../folders/make-folder.js'
import { clusterFileName, readIfThere, replaceFile } from '../files/cluster-file.js'
import { seenEmptyOf, seenEmptyText } from '../files/seen-empty-file.js'
import type { SeenEmptyStorage } from './seen-empty.js'

/** In a folder of this machine, one file for each cluster, for its owner alone (folder 0700, file 0600). */
export function nodeSeenEmptyStorage(folder: string): SeenEmptyStorage {
  const pathOf = (clusterId: string) => join(folder, `seen-empty-${clusterFileName(clusterId)}.json`)
  return {
    async load(clusterId) {
      const path = pathOf(clusterId)
      const bytes = await readIfThere(path)
      return bytes === null ? [] : seenEmptyOf(bytes, path, clusterId)
    },
    async save(clusterId, seen) {
      const path = pathOf(clusterId)
      if (seen.length === 0) {
        await rm(path, { force: true })
        return
      }
      makeFolder(folder)
      await replaceFile(path, seenEmptyText(clusterId, seen))
    },
  }
}
