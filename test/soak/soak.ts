import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generator } from '../terminal/fuzz.js'
import type { TerminalState } from '../terminal/harness/screen-program.js'
import { simulatedConsoles } from '../terminal/harness/simulated-console.js'
import { flap, flappingScenario } from './flapping-cluster.js'

/** One look into the program, garbage collected before (probe.mjs). */
export interface Sample {
  readonly atMs: number
  /** Bytes. */
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
  readonly rss: number
  /** What keeps the event loop busy, by Node's name of it. */
  readonly resources: Readonly<Record<string, number>>
  readonly listeners: Readonly<Record<'process' | 'stdin' | 'stdout', number>>
  /** The most that any socket has. */
  readonly socketListeners: number
  readonly rejections: readonly string[]
  readonly warnings: readonly string[]
}

export interface Soaked {
  readonly samples: readonly Sample[]
  readonly events: number
  readonly keys: number
  readonly exit: number
  /** How it left the terminal. */
  readonly terminal: TerminalState
  /** Requests that write; nobody confirmed one. */
  readonly writes: number
}

/** Keys that look around, mark and plan. None confirms, leaves, or opens an editor. */
const KEYS = [
  'j',
  'k',
  'j',
  'j',
  '\r',
  '\x1b',
  '\x1b',
  '\t',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  ' ',
  'p',
  '?',
  '\x1b[6~',
  '\x1b[5~',
]

/**
 * The real console in a pty for so long, on a simulated cluster that flaps all the time, keys pressed now and then, the window resized now and
 * then. Every 2 s (longer runs: a hundredth of the time) a sample.
 */
export async function soak(seconds: number, seed: number): Promise<Soaked> {
  const random = generator(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const consoles = await simulatedConsoles(flappingScenario())
  try {
    const file = join(consoles.home, 'samples.jsonl')
    const probe = fileURLToPath(new URL('probe.mjs', import.meta.url))
    const screen = await consoles.open({
      columns: 110,
      rows: 32,
      env: { NODE_OPTIONS: `--import ${probe}`, SOAK_PROBE_FILE: file, EDITOR: 'true', VISUAL: 'true' },
    })
    const end = performance.now() + seconds * 1000
    const everyMs = Math.max(2_000, seconds * 10)
    let nextSample = performance.now()
    let [events, keys] = [0, 0]
    let ended = false
    void screen.exited.then(() => {
      ended = true
    })
    while (performance.now() < end) {
      if (ended) throw new Error(`the console ended by itself after ${events} events:\n${screen.text()}`)
      await flap(consoles.simulator, random)
      events += 1
      if (random() < 0.6) {
        screen.send(pick(KEYS))
        keys += 1
      }
      if (random() < 0.02) screen.resize(pick([80, 110, 140]), pick([24, 32, 50]))
      if (performance.now() >= nextSample) {
        nextSample += everyMs
        await sampled(screen, file)
      }
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 500))
    }
    // As a person leaves: out of whatever is open, then q.
    for (let tries = 0; tries < 40 && !ended; tries += 1) {
      screen.send(tries % 2 === 0 ? '\x1b' : 'q')
      await Promise.race([screen.exited, new Promise((resolve) => setTimeout(resolve, 500))])
    }
    const { code } = await screen.exited
    return {
      samples: samplesIn(file),
      events,
      keys,
      exit: code,
      terminal: screen.state,
      writes: consoles.writes().length,
    }
  } finally {
    await consoles.stop()
  }
}

/** Asks for a sample and waits until it is there. */
async function sampled(screen: { readonly pid: number }, file: string): Promise<void> {
  const before = samplesIn(file).length
  process.kill(screen.pid, 'SIGUSR2')
  const limit = performance.now() + 60_000
  while (samplesIn(file).length === before) {
    if (performance.now() > limit) throw new Error('the console did not answer the probe within 60 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function samplesIn(file: string): Sample[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Sample)
}

export interface Growth {
  /** Medians of the second and of the last quarter: one point says nothing. */
  readonly early: number
  readonly late: number
}

/** How a figure of the samples moved, once the program was warm. */
export function growthOf(samples: readonly Sample[], figure: (sample: Sample) => number): Growth {
  const quarter = Math.floor(samples.length / 4)
  const medianOf = (some: readonly Sample[]) => some.map(figure).sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0
  return { early: medianOf(samples.slice(quarter, 2 * quarter)), late: medianOf(samples.slice(-quarter)) }
}

export const resourcesOf = ({ resources }: Sample): number =>
  Object.values(resources).reduce((sum, one) => sum + one, 0)
export const listenersOf = ({ listeners }: Sample): number => listeners.process + listeners.stdin + listeners.stdout
