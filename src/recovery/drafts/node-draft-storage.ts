import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../folders/make-folder.js'
import { clusterFileName, readIfThere, replaceFile } from '../files/cluster-file.js'
import { draftFileText, draftOf } from '../files/draft-file.js'
import { InputFileError } from '../files/input-file-error.js'
import type { DraftStorage, LoadedDraft } from './draft-storage.js'

/** Drafts in a folder of this machine, one file for each cluster, for their owner alone (folder 0700, file 0600). */
export function nodeDraftStorage(folder: string): DraftStorage {
  const pathOf = (clusterId: string) => join(folder, `draft-${clusterFileName(clusterId)}.json`)
  return {
    async load(clusterId) {
      const path = pathOf(clusterId)
      const bytes = await readIfThere(path)
      if (bytes === null) return { kind: 'none' }
      const loaded = parsed(bytes, path, clusterId)
      if (loaded.kind !== 'damaged') return loaded
      // Out of the way of the next save, which would replace it.
      const kept = `${path}.damaged-${randomBytes(4).toString('hex')}`
      const moved = await rename(path, kept).then(
        () => true,
        () => false,
      )
      return moved ? { ...loaded, path: kept } : loaded
    },
    async save(draft, now) {
      const path = pathOf(draft.clusterId)
      if (draft.entries.size === 0) {
        await rm(path, { force: true })
        return
      }
      makeFolder(folder)
      await replaceFile(path, draftFileText(draft, now))
    },
  }
}

function parsed(bytes: Uint8Array, path: string, clusterId: string): LoadedDraft {
  try {
    const { draft, savedAt } = draftOf(bytes, path)
    if (draft.clusterId === clusterId) return { kind: 'draft', draft, savedAt }
    return {
      kind: 'damaged',
      path,
      problem: `${path}: is the draft of cluster ${draft.clusterId}, not of ${clusterId}`,
    }
  } catch (error) {
    if (!(error instanceof InputFileError)) throw error
    return { kind: 'damaged', path, problem: error.message }
  }
}
