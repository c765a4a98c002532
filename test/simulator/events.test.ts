import { expect, test } from 'vitest'
import type { Clock } from '../../src/simulator/clock.js'
import { log, scenarioOf, start } from './client.js'

// A scenario's events happen at their times, in their order, while it runs: a directory fails, is replaced, is taken out of log.dirs.

/** Moves on only when told. */
class HandClock implements Clock {
  #now = 0
  #timers: { readonly at: number; readonly callback: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  to(ms: number): void {
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= ms).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#now = next.at
      next.callback()
    }
    this.#now = ms
  }
}

test('fail at 20 s, replace at 60 s, caught up at its rate, taken out at 200 s: each at its time and not before', async () => {
  const clock = new HandClock()
  const running = await start(
    scenarioOf({
      catchUpOffsetsPerSecond: 10,
      topics: [
        {
          name: 'foo',
          partitions: [
            {
              partition: 0,
              assignment: [1, 2],
              leader: 1,
              leaderEpoch: 0,
              isr: [1, 2],
              logs: { 1: log(0, 500, [[0, 0]], { logDir: '/data/b' }), 2: log(0, 500, [[0, 0]]) },
            },
          ],
        },
      ],
      // Not in their order: the times count.
      events: [
        { afterMs: 200_000, removeLogDir: { broker: 1, path: '/data/b' } },
        { afterMs: 20_000, failLogDir: { broker: 1, path: '/data/b' } },
        { afterMs: 60_000, replaceLogDir: { broker: 1, path: '/data/b' } },
      ],
    }),
    { clock },
  )
  const foo = () => running.inspect().partition('foo', 0)!
  const end = () => foo().logs.get(1)!.logEndOffset
  clock.to(19_999)
  expect(foo()).toMatchObject({ leader: 1, isr: [1, 2] })
  clock.to(20_000)
  await expect.poll(() => foo().leader).toBe(2)
  expect(foo()).toMatchObject({ isr: [2] })
  clock.to(59_999)
  expect(end()).toBe(500)
  clock.to(60_000)
  await expect.poll(end).toBe(0)
  // Ten offsets a second: half of it after 25 s, all of it and in sync after 50 s.
  await expect.poll(() => running.inspect().brokers.get(1)).toBe('up')
  clock.to(85_000)
  expect(Math.abs(end() - 250)).toBeLessThanOrEqual(10)
  expect(foo().isr).toEqual([2])
  clock.to(111_000)
  expect(end()).toBe(500)
  expect([...foo().isr].sort()).toEqual([1, 2])
  clock.to(199_999)
  expect(foo().logs.get(1)).toMatchObject({ logDir: '/data/b', logEndOffset: 500 })
  clock.to(200_000)
  await expect.poll(() => foo().logs.get(1)?.logDir).toBe('/data/a')
})
