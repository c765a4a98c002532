import { randomBytes } from 'node:crypto'
import { access, constants, link, lstat, open, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InputFileError } from './input-file-error.js'

/**
 * Refuses a path that writeNewFile would refuse, before anything slow is done for it: it exists already (a dangling symbolic
 * link too), or nothing can be made in its folder.
 */
export async function checkNewFile(path: string): Promise<void> {
  if (
    await lstat(path).then(
      () => true,
      () => false,
    )
  )
    throw alreadyThere(path)
  if (path === '') throw new InputFileError('the name of the new file is empty')
  const folder = dirname(path)
  if (
    !(await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    ))
  )
    throw new InputFileError(`${path}: the folder ${folder} does not exist or may not be entered`)
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw new InputFileError(`${path}: no file may be made in the folder ${folder}`)
  })
}

/**
 * Writes a file that did not exist, readable by its owner alone. It appears whole or not at all: it is written and synced
 * under another name beside it, then given its name with link(2), which never replaces a file that is there.
 */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}`)
  try {
    await writeExclusively(draft, text)
    try {
      await link(draft, path)
    } catch (error) {
      // Folders without hard links (some network and FAT file systems): not whole-or-nothing there, but still never over another file.
      if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP' && codeOf(error) !== 'ENOSYS') throw error
      await writeExclusively(path, text)
    }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw alreadyThere(path)
    throw new InputFileError(`${path}: cannot be written (${code ?? 'unknown error'})`)
  } finally {
    await unlink(draft).catch(() => {})
  }
}

async function writeExclusively(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
}

function alreadyThere(path: string): InputFileError {
  return new InputFileError(`${path}: exists already and is never overwritten, name a new file`)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
