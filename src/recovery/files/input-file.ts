import { open, stat } from 'node:fs/promises'
import { InputFileError } from './input-file-error.js'

/** More than a plan of 200,000 partitions takes. Bytes. */
const MAX_FILE_BYTES = 512 * 1024 * 1024
/** For what has no size of its own: pipes, and /dev/zero, which never ends. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024

/** Reads a whole file that the operator named. A missing, unreadable or far too large file, and a directory: InputFileError. */
export function readInputFile(path: string): Promise<Uint8Array> {
  return readUpTo(path, null)
}

/**
 * The same, of a file that has to be a regular one: for a program that lives on. A named pipe that nobody writes to would hold a thread of Node's
 * for ever, and the end of the process with it. `limit`: bytes.
 */
export async function readRegularFile(path: string, limit: number = MAX_FILE_BYTES): Promise<Uint8Array> {
  const found = await stat(path).catch(() => null)
  // What is missing or a directory is told by the reading.
  if (found !== null && !found.isFile() && !found.isDirectory()) {
    throw new InputFileError(`${path}: is no regular file, one is expected`)
  }
  return readUpTo(path, limit)
}

/** `most`: bytes; null: as it is usual for files and streams. */
async function readUpTo(path: string, most: number | null): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r')
    try {
      const limit = most ?? ((await file.stat()).isFile() ? MAX_FILE_BYTES : MAX_STREAM_BYTES)
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > limit) throw new InputFileError(`${path}: larger than ${limit} bytes, this is no such file`)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw error instanceof InputFileError ? error : new InputFileError(`${path}: ${causeText(error)}`)
  }
}

function causeText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  switch (code) {
    case 'ENOENT':
      return 'no such file'
    case 'EISDIR':
      return 'is a directory, a file is expected'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    default:
      return `cannot be read (${code ?? 'unknown error'})`
  }
}
