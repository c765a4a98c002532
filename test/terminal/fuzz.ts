import { expect } from 'vitest'
import { calmNight } from './harness/calm-night.js'
import type { ScreenProgram } from './harness/screen-program.js'
import { simulatedConsoles } from './harness/simulated-console.js'

/** A small generator of its own (mulberry32): the same seed gives the same keys on every machine. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const NAMED_KEYS = [
  '\r',
  '\x1b',
  '\t',
  '\x7f',
  '\x1b[A',
  '\x1b[B',
  '\x1b[C',
  '\x1b[D',
  '\x1b[5~',
  '\x1b[6~',
  '\x1b[H',
  '\x1b[F',
  '\x12',
  '\x0c',
]
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
/** Keys that lead towards an election: pressed more often than by chance. */
const DANGEROUS = ['a', 'b', 'p', 'r', 'R', 'o', 'c', 'e', 'x', 'Y', '4', '1', ' ', '\r']
const COMMANDS = [
  ':apply this plan\r',
  ':take the changes over\r',
  ':restore what was left\r',
  ':put the orders\r',
  ':show the last\r',
]

/**
 * Presses so many random keys, commands and pastes, the confirmation itself among the pastes, in a console on a simulated cluster; starts
 * another one whenever one was left. The text that confirms is never typed. Expects that nothing was sent that writes.
 */
export async function pressRandomKeys(seed: number, number: number): Promise<void> {
  const random = generator(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const started = await simulatedConsoles(calmNight())
  try {
    const before = started.assignments()
    const place = started.simulator.bootstrapServers.split(',')[0] ?? ''
    const pastes = [
      `elect 13 ${place}\r`,
      `elect 12 ${place}\r`,
      'accept internal 1\r',
      'jjjq\r',
      `restore 13 ${place}\r`,
    ]
    // Nobody sits at an editor here.
    const open = () => started.open({ env: { EDITOR: 'true', VISUAL: 'true' } })
    let screen = await open()
    let left = false
    let asked = 0
    const watch = () => {
      left = false
      void screen.exited.then(() => {
        left = true
      })
    }
    watch()
    for (let pressed = 0; pressed < number; ) {
      if (left) {
        screen = await open()
        watch()
      }
      const chance = random()
      if (chance < 0.01) await march(screen, () => left)
      else if (chance < 0.03) screen.paste(pick(pastes))
      else if (chance < 0.06) screen.send(pick(COMMANDS))
      else screen.send(chance < 0.4 ? pick(DANGEROUS) : chance < 0.55 ? pick(NAMED_KEYS) : pick(PRINTABLE))
      pressed += 1
      // Now and then it is waited for, so that the keys meet every state, and not one long burst.
      if (pressed % 25 === 0 && !left) await settled(screen, () => left)
      if (screen.text().includes('Type: elect 1')) asked += 1
    }
    // It stood before the last question, often: else nothing would be proven.
    expect(asked).toBeGreaterThan(0)
    expect(started.writes()).toEqual([])
    expect(started.assignments()).toEqual(before)
  } finally {
    await started.stop()
  }
}

/** The shortest way up to the last question, as far as it leads from here: what is pressed next is pressed before that. */
async function march(screen: ScreenProgram, isLeft: () => boolean): Promise<void> {
  for (const keys of ['\x1b', '\x1b', '1', 'a', 'a', 'accept internal 1\r', 'a']) {
    if (isLeft() || screen.text().includes('Type: elect 1')) return
    screen.send(keys)
    await settled(screen, isLeft)
  }
}

/** Until it has nothing more to draw: what was sent so far has had its effect. */
async function settled(screen: { bytes: number }, isLeft: () => boolean): Promise<void> {
  for (let quiet = 0, bytes = -1; quiet < 2 && !isLeft(); ) {
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 5))
    quiet = screen.bytes === bytes ? quiet + 1 : 0
    bytes = screen.bytes
  }
}
