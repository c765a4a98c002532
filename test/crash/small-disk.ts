import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from './run-program.js'

/** Whether a file system of a test's own can be mounted here: on Linux, as root, where nothing forbids it. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const place = mkdtempSync(join(tmpdir(), 'crash-test-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync('umount', [place], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmdirSync(place)
  }
}

/** A file system with these mount options in the place of the state folder, for as long as `act` takes. */
export async function onSmallDisk(home: Home, options: string, act: () => Promise<void>): Promise<void> {
  mkdirSync(home.path, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', home.path])
  try {
    await act()
  } finally {
    execFileSync('umount', [home.path])
  }
}
