import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Nothing may stay behind, however a test run ends. Three nets: dispose() in the ordinary case; this process's exit and the
// usual signals; and for a run that was killed outright: the brokers end with their standard input (KafkaNode.java), and the
// next run removes the folder.

const PREFIX = 'kafka-recovery-test-'
const folders = new Set<string>()
const processes = new Set<number>()
let watching = false

/** A folder of this run under the system's temp folder. Its name tells whose it is. */
export function temporaryFolder(): string {
  watch()
  sweepAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  folders.delete(folder)
}

export function noteStarted(pid: number): void {
  watch()
  processes.add(pid)
}

export function noteEnded(pid: number): void {
  processes.delete(pid)
}

function cleanUp(): void {
  for (const pid of processes) killIfThere(pid)
  processes.clear()
  for (const folder of [...folders]) removeFolder(folder)
}

function watch(): void {
  if (watching) return
  watching = true
  process.once('exit', cleanUp)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      cleanUp()
      process.kill(process.pid, signal)
    })
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // ended by itself
  }
}

function sweepAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const owner = Number.parseInt(name.slice(PREFIX.length), 10)
    if (Number.isInteger(owner) && !isAlive(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
