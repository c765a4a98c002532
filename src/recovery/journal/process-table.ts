import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessIdentity } from './entry.js'

/** running: that very process lives. elsewhere: another machine (or container), which cannot be asked from here. */
export type HolderState = 'running' | 'gone' | 'elsewhere'

/** Who we are, and whether another one still lives. A port: tests have no second process. */
export interface ProcessTable {
  self(): ProcessIdentity
  stateOf(owner: ProcessIdentity): HolderState
}

/** The processes of this machine; start times from /proc where there is one, else from ps; where neither tells, the pid has to do. */
export const systemProcesses: ProcessTable = {
  self: () => ({
    pid: process.pid,
    host: hostname(),
    bootId: bootId(),
    startTicks: startOf(process.pid),
    pidNamespace: pidNamespace(),
  }),
  stateOf(owner) {
    if (owner.host !== hostname()) return 'elsewhere'
    const boot = bootId()
    if (boot !== null && owner.bootId !== null && boot !== owner.bootId) return 'gone'
    // Containers may share host name and boot id, and never each other's pids.
    const namespace = pidNamespace()
    if (namespace !== null && owner.pidNamespace !== null && namespace !== owner.pidNamespace) return 'elsewhere'
    if (!isAlive(owner.pid)) return 'gone'
    const started = startOf(owner.pid)
    if (started !== null && owner.startTicks !== null && started !== owner.startTicks) return 'gone'
    return 'running'
  },
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function bootId(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null
}

function pidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return null
  }
}

function startOf(pid: number): string | null {
  return process.platform === 'linux' ? startTicks(pid) : startByPs(pid)
}

/** When a process was started, to the second, by POSIX systems without /proc (lstart: BSD, macOS, and procps). Null: not told. */
export function startByPs(pid: number): string | null {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 2_000,
  })
  return stdout?.trim() || null
}

/** proc(5): the second field, the command in parentheses, may itself hold spaces and parentheses; starttime is field 22. */
function startTicks(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? null
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
