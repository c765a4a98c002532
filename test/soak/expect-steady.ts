import { expect } from 'vitest'
import { growthOf, listenersOf, resourcesOf, type Soaked } from './soak.js'

const MB = 1024 * 1024

/**
 * What must be true of every soak; `heapMb`: by how much the heap may grow from the second quarter to the last. Not 0: the console keeps the latest 2,000
 * notices for its Activity view, which take some 1.5 KB each and fill up in about 20 minutes here, and V8 goes on compiling (heap snapshots compared: nothing
 * else grew).
 */
export function expectSteady({ samples, exit, terminal, writes, events, keys }: Soaked, heapMb: number): void {
  const heap = growthOf(samples, ({ heapUsed, external }) => heapUsed + external)
  const resident = growthOf(samples, ({ rss }) => rss)
  const resources = growthOf(samples, resourcesOf)
  const listeners = growthOf(samples, listenersOf)
  const sockets = growthOf(samples, ({ socketListeners }) => socketListeners)
  const mb = ({ early, late }: { early: number; late: number }) =>
    `${(early / MB).toFixed(1)} -> ${(late / MB).toFixed(1)} MB`
  const last = samples.at(-1)
  console.log(
    `soak: ${events} events, ${keys} keys, ${samples.length} samples over ${Math.round(((last?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / 1000)} s; ` +
      `heap ${mb(heap)}, resident ${mb(resident)}, handles ${resources.early} -> ${resources.late}, ` +
      `listeners ${listeners.early} -> ${listeners.late}, of one socket ${sockets.early} -> ${sockets.late}`,
  )
  const eighths = Array.from({ length: 8 }, (_, n) => {
    const part = samples.slice((n * samples.length) / 8, ((n + 1) * samples.length) / 8)
    const heaps = part.map(({ heapUsed, external }) => heapUsed + external).sort((a, b) => a - b)
    return ((heaps[Math.floor(heaps.length / 2)] ?? 0) / MB).toFixed(1)
  })
  console.log(`soak: heap by eighths of the time, MB: ${eighths.join(' ')}`)
  expect(samples.length).toBeGreaterThanOrEqual(8)
  expect(last?.rejections).toEqual([])
  expect(last?.warnings).toEqual([])
  expect(heap.late - heap.early).toBeLessThan(heapMb * MB)
  // Brokers come and go, and each has a connection and a deadline or two.
  expect(resources.late - resources.early).toBeLessThanOrEqual(6)
  expect(listeners.late - listeners.early).toBeLessThanOrEqual(2)
  expect(sockets.late - sockets.early).toBeLessThanOrEqual(2)
  expect(exit).toBe(0)
  // The pty itself is gone by then: ways-out.test.ts looks at its modes from the shell behind.
  expect(terminal).toMatchObject({
    alternateScreen: false,
    cursorVisible: true,
    bracketedPaste: false,
    wraparound: true,
  })
  expect(writes).toBe(0)
}
