import { expect, vi } from 'vitest'
import type { BadNight } from './bad-night.js'
import { freshNetwork } from './memory-network.js'
import { expectPromisesKept } from './promises.js'
import { type NightRun, runNight, type World } from './run-night.js'
import { onVirtualTime } from './virtual-time.js'

let network = freshNetwork()

export const VIRTUAL_WORLD: World = {
  requestTimeoutMs: 2_000,
  visibleWithinMs: 3_000,
  logDurationMs: 3_000,
  responseDelayMs: 3,
  slackMs: 50,
  cut: (port, cut) => {
    if (cut) network.cutOff.add(port)
    else network.cutOff.delete(port)
  },
}

/** One night on a virtual clock, over a network in memory: the whole program from planning to report, and all that must hold of it. */
export async function spendNight(night: BadNight): Promise<NightRun> {
  network = freshNetwork()
  const { value: run, timersLeft } = await onVirtualTime(() => runNight(night, VIRTUAL_WORLD))
  expectPromisesKept(run, VIRTUAL_WORLD)
  // Nothing keeps the process alive: no timer, no socket.
  expect(timersLeft, 'timers left').toBe(0)
  expect(network.openEnds, 'sockets left').toBe(0)
  expect(vi.isFakeTimers()).toBe(false)
  return run
}
