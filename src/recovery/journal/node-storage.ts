import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { JournalFile, JournalStorage } from './storage.js'

const NEWLINE = 10

/** Journals in a folder of this machine. The folder is made when it is first written to, for its owner alone (0700). */
export function nodeJournalStorage(folder: string): JournalStorage {
  const path = (name: string) => join(folder, name)
  return {
    pathOf: path,
    async list() {
      try {
        const entries = await readdir(folder, { withFileTypes: true })
        return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return []
        throw error
      }
    },
    read: (name) => readFile(path(name)),
    async probe(bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const probe = path(`probe-${randomUUID()}`)
      const handle = await open(probe, 'wx', 0o600)
      try {
        await handle.writeFile(Buffer.alloc(bytes, 32))
        await handle.sync()
      } finally {
        await handle.close()
        await unlink(probe)
      }
    },
    async create(name) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const handle = await open(path(name), 'ax', 0o600)
      try {
        await syncFolder(folder)
      } catch (error) {
        await handle.close()
        throw error
      }
      return new NodeJournalFile(handle, 0)
    },
    async open(name) {
      // Not just `a`: the last byte is read, and the file must exist already.
      const present = await readFile(path(name))
      const handle = await open(path(name), 'a', 0o600)
      return new NodeJournalFile(handle, present.length, present.length > 0 && present.at(-1) !== NEWLINE)
    },
    async rename(from, to) {
      await rename(path(from), path(to))
      await syncFolder(folder)
    },
    async remove(name) {
      await unlink(path(name))
      await syncFolder(folder)
    },
  }
}

class NodeJournalFile implements JournalFile {
  constructor(
    private readonly handle: FileHandle,
    private length: number,
    private cut = false,
  ) {}

  async append(bytes: Uint8Array): Promise<void> {
    const whole = this.cut ? Buffer.concat([Buffer.of(NEWLINE), bytes]) : bytes
    try {
      await this.handle.appendFile(whole)
      await this.handle.sync()
    } catch (error) {
      // Half a line would look like damage later: take it away, or else begin a new line next time.
      this.cut = await this.handle.truncate(this.length).then(
        () => this.cut,
        () => true,
      )
      throw error
    }
    this.length += whole.length
    this.cut = false
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** A file's name is on the disk only when its folder has been synced, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems (and Windows) cannot sync a folder; there is nothing more that one could do on them.
    if (!isCode(error, 'EINVAL') && !isCode(error, 'EPERM') && !isCode(error, 'ENOTSUP')) throw error
  } finally {
    await handle.close()
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
