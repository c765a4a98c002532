import { createHash, randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'

/** Files of which there is one for each cluster: drafts, what was seen of a cluster before. */

/** A cluster id as part of a file name. Kafka's own are 22 characters of base64url; others may be anything. */
export function clusterFileName(clusterId: string): string {
  return /^[\w-]{1,100}$/.test(clusterId) ? clusterId : createHash('sha256').update(clusterId).digest('hex')
}

/** The bytes of a file; null: there is none. */
export async function readIfThere(path: string): Promise<Buffer | null> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
}

/** Replaces a file whole or not at all; for its owner alone. */
export async function replaceFile(path: string, text: string): Promise<void> {
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
