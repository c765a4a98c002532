import { constants } from 'node:fs'
import { type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../folders/make-folder.js'
import type { JournalFile, JournalStorage } from './storage.js'

const NEWLINE = 10
const PIECE_BYTES = 1024 * 1024
/** Always the same: what a crash left of it is taken away by the next one. */
const PROBE = 'probe'

/** Journals in a folder of this machine. The folder is made when it is first written to, for its owner alone (0700). */
export function nodeJournalStorage(folder: string): JournalStorage {
  const path = (name: string) => join(folder, name)
  return {
    pathOf: path,
    async list() {
      try {
        return await readdir(folder)
      } catch (error) {
        if (isCode(error, 'ENOENT')) return []
        throw error
      }
    },
    async *read(name) {
      // Without blocking: a pipe in a journal's place would wait for somebody to write to it.
      const handle = await open(path(name), constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        await refuseNoFile(handle)
        for (;;) {
          const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES)
          if (bytesRead === 0) return
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await handle.close()
      }
    },
    async probe(bytes) {
      makeFolder(folder)
      const probe = path(PROBE)
      const flags = constants.O_CREAT | constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW
      const handle = await open(probe, flags, 0o600)
      try {
        // Before it is written: it takes up room until it is closed, and a crash leaves nothing of that behind.
        await unlink(probe).catch((error: unknown) => {
          // Another process was a moment faster: the file is open here all the same.
          if (!isCode(error, 'ENOENT')) throw error
        })
        await handle.writeFile(Buffer.alloc(bytes, 32))
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async create(name) {
      makeFolder(folder)
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
      // Not `a`: the last byte is read, and the file must exist already.
      const handle = await open(path(name), constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK)
      try {
        await refuseNoFile(handle)
        const { size } = await handle.stat()
        const last = Buffer.alloc(1)
        if (size > 0) await handle.read(last, 0, 1, size - 1)
        return new NodeJournalFile(handle, size, size > 0 && last[0] !== NEWLINE)
      } catch (error) {
        await handle.close()
        throw error
      }
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

async function refuseNoFile(handle: FileHandle): Promise<void> {
  const found = await handle.stat()
  if (found.isFile()) return
  throw new Error(found.isDirectory() ? 'it is a folder, not a file' : 'it is no regular file')
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
