import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** For the owner alone: what is kept tells what a cluster looks like. */
export const FOLDER_MODE = 0o700

/**
 * Makes a folder for its owner alone (0700), and those above it that are missing; one that is there stays as it is. Not with Node's own
 * `recursive`: where the kernel answers that a part of the path is missing although it is there (/proc), that one never returns
 * (measured on Node 20.20).
 * @throws the system's error; ENOTDIR where a file stands in its place
 */
export function makeFolder(folder: string): void {
  if (made(folder)) return
  const parent = dirname(folder)
  if (parent !== folder && !isThere(parent)) {
    makeFolder(parent)
    if (made(folder)) return
  }
  mkdirSync(folder, { mode: FOLDER_MODE })
}

/** False: a part of the path is missing, says the kernel. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE })
    // The umask takes bits away from what mkdir is asked for.
    chmodSync(folder, FOLDER_MODE)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return false
    if (code !== 'EEXIST') throw error
    if (!statSync(folder).isDirectory()) {
      throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${folder}'`), { code: 'ENOTDIR' })
    }
    return true
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
