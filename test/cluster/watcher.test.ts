import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../src/cluster/cluster.js'
import type { ClusterSnapshot } from '../../src/cluster/snapshot.js'
import { type WatchClock, watchCluster } from '../../src/cluster/watcher.js'

/** Time that only goes on when a test says so. */
class VirtualClock implements WatchClock {
  #now = 0
  readonly #timers: { at: number; run: () => void }[] = []
  now = () => this.#now
  after(ms: number, run: () => void) {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => void this.#timers.splice(this.#timers.indexOf(timer), this.#timers.includes(timer) ? 1 : 0)
  }
  async pass(ms: number) {
    const until = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.#now = next.at
      next.run()
      await settled()
    }
    this.#now = until
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

const snapshotAt = (readAt: number) => ({ readAt: new Date(readAt) }) as ClusterSnapshot

function watched({ readTakesMs = 0, fullReadNeeded = (): boolean => false, fail = (): boolean => false } = {}) {
  const clock = new VirtualClock()
  const reads: { kind: 'all' | 'wrong'; at: number }[] = []
  const take = async (kind: 'all' | 'wrong') => {
    reads.push({ kind, at: clock.now() })
    if (readTakesMs > 0) await new Promise<void>((resolve) => clock.after(readTakesMs, resolve))
    if (fail()) throw new Error('no broker could be reached')
    return snapshotAt(clock.now())
  }
  const cluster = {
    snapshot: () => take('all'),
    refresh: async () => ({ snapshot: await take('wrong'), fullReadNeeded: fullReadNeeded() }),
  } as unknown as Cluster
  const watcher = watchCluster(cluster, { refreshMs: 2_000, fullReadMs: 30_000, clock })
  return { clock, reads, watcher }
}

describe('watchCluster', () => {
  it('reads what is wrong every 2 s and everything every 30 s', async () => {
    const { clock, reads, watcher } = watched()
    await settled()
    await clock.pass(61_000)
    watcher.stop()
    expect(reads.filter(({ kind }) => kind === 'all').map(({ at }) => at)).toEqual([0, 30_000, 60_000])
    expect(reads.length).toBe(31)
  })

  it('reads everything at once when the small read shows that more has changed', async () => {
    let changed = false
    const { clock, reads, watcher } = watched({ fullReadNeeded: () => changed })
    await settled()
    changed = true
    await clock.pass(2_000)
    watcher.stop()
    expect(reads.map(({ kind }) => kind)).toEqual(['all', 'wrong', 'all'])
  })

  it('asks a slow cluster less often: reading takes at most a fifth of the time', async () => {
    const { clock, reads, watcher } = watched({ readTakesMs: 3_000 })
    await clock.pass(120_000)
    watcher.stop()
    expect(watcher.current().refreshMs).toBe(15_000)
    expect(reads.length * 3_000).toBeLessThanOrEqual(120_000 * 0.3)
  })

  it('never has two reads under way, also when asked to read now', async () => {
    const { clock, reads, watcher } = watched({ readTakesMs: 1_000 })
    let done = 0
    void watcher.readNow().then(() => (done += 1))
    void watcher.readNow().then(() => (done += 1))
    await clock.pass(10_000)
    watcher.stop()
    expect(done).toBe(2)
    const starts = reads.map(({ at }) => at)
    for (let i = 1; i < starts.length; i++) expect(starts[i]! - starts[i - 1]!).toBeGreaterThanOrEqual(1_000)
  })

  it('keeps what was read when a read fails, says why, and goes on', async () => {
    let failing = false
    const { clock, watcher } = watched({ fail: () => failing })
    await settled()
    failing = true
    await clock.pass(2_000)
    expect(watcher.current()).toMatchObject({ failure: 'no broker could be reached', reading: false })
    expect(watcher.current().snapshot).not.toBeNull()
    failing = false
    await clock.pass(2_000)
    watcher.stop()
    expect(watcher.current().failure).toBeNull()
  })

  it('is silent after stop, also about a read that was under way', async () => {
    const { clock, watcher } = watched({ readTakesMs: 1_000 })
    let told = 0
    watcher.subscribe(() => (told += 1))
    watcher.stop()
    await clock.pass(60_000)
    expect(told).toBe(0)
    expect(watcher.current().snapshot).toBeNull()
  })
})
