import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DraftStorage, LoadedDraft } from './draft-storage.js'
import { draftFileText, draftOf } from './files/draft-file.js'
import { InputFileError } from './files/input-file-error.js'

/** Drafts in a folder of this machine, one file for each cluster, for their owner alone (folder 0700, file 0600). */
export function nodeDraftStorage(folder: string): DraftStorage {
  const pathOf = (clusterId: string) => join(folder, `draft-${nameOf(clusterId)}.json`)
  return {
    async load(clusterId) {
      const path = pathOf(clusterId)
      const bytes = await readFile(path).catch((error: unknown) => {
        if (isCode(error, 'ENOENT')) return null
        throw error
      })
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
      await mkdir(folder, { recursive: true, mode: 0o700 })
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

async function replaceFile(path: string, text: string): Promise<void> {
  const written = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(written, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(written, path)
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
}

/** A cluster id as part of a file name. Kafka's own are 22 characters of base64url; others may be anything. */
function nameOf(clusterId: string): string {
  return /^[\w-]{1,100}$/.test(clusterId) ? clusterId : createHash('sha256').update(clusterId).digest('hex')
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
