import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { inject } from 'vitest'

const POWER = fileURLToPath(new URL('power.mjs', import.meta.url))

/** What is done to one process, by power.mjs in it. Steps are numbered from 1. */
export interface Power {
  /** The step in which it dies. */
  readonly cutAt?: number
  /**
   * before: the step never begins. torn: half of a write is there. sent: a request has left. answered: a request was answered, and
   * nothing else has happened since.
   */
  readonly mode?: CutMode
  /** The steps of the disk from `failFrom` up to and with `failTo` fail, half done, with `code` (ENOSPC). */
  readonly failFrom?: number
  readonly failTo?: number
  readonly code?: string
  /** Its wall clock, as if it had been started so much later. ms */
  readonly clockAheadMs?: number
}

export type CutMode = 'before' | 'torn' | 'sent' | 'answered'

export interface CutPoint {
  readonly step: number
  /** `write journal about-to-elect`, `sync journal`, `request reorder`. */
  readonly label: string
  readonly mode: CutMode
}

export interface ProgramRun {
  readonly exit: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
  /** What it came to, the step in which it died included. */
  readonly steps: readonly string[]
}

/** A state folder of its own, and the real program on it. */
export class Home {
  #runs = 0

  constructor(
    readonly path: string,
    readonly server: readonly string[],
  ) {
    mkdirSync(path, { recursive: true })
  }

  get journals(): string {
    return join(this.path, 'journal')
  }

  /** Starts kafka-recovery without a terminal; `power` null: nothing is loaded into it. */
  async run(args: readonly string[], power: Power | null = null): Promise<ProgramRun> {
    this.#runs += 1
    const log = join(this.path, `steps-${this.#runs}`)
    const started = await this.start(args, power === null ? null : { ...power, log })
    return { ...started, steps: power === null ? [] : stepsIn(log) }
  }

  /** The same, not waited for. */
  start(args: readonly string[], power: (Power & { readonly log?: string }) | null = null) {
    const program = join(inject('packageRoot'), 'bin/kafka-recovery.js')
    const loaded = power === null ? [] : ['--import', POWER]
    const child = execa(process.execPath, [...loaded, program, ...args, ...this.server], {
      reject: false,
      stdin: 'ignore',
      env: {
        KAFKA_RECOVERY_HOME: this.path,
        POWER: JSON.stringify({ ...power, folder: this.journals }),
      },
    })
    const ended = child.then(({ exitCode, signal, stdout, stderr }) => ({
      exit: exitCode ?? null,
      signal: signal ?? null,
      stdout,
      stderr,
      steps: [],
    }))
    return Object.assign(ended, { child })
  }
}

function stepsIn(log: string): string[] {
  try {
    return readFileSync(log, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [line.slice(line.indexOf(' ') + 1)]))
  } catch {
    return []
  }
}

/** Every way in which a run that came to these steps may have ended before its time. */
export function cutPointsOf(steps: readonly string[]): CutPoint[] {
  return steps.flatMap((label, index) => {
    const modes: CutMode[] = ['before']
    if (label.startsWith('write ')) modes.push('torn')
    if (label.startsWith('request ')) modes.push('sent', 'answered')
    return modes.map((mode) => ({ step: index + 1, label, mode }))
  })
}
