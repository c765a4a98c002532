import { describe, expect, it } from 'vitest'
import type { ClusterSnapshot, LogDir } from '../../../src/cluster/snapshot.js'
import type { WatchedCluster } from '../../../src/cluster/watcher.js'
import {
  findSeen,
  NOTHING_SEEN,
  REPLICAS_KEPT,
  type SeenCluster,
  type SeenPlacementsStorage,
} from '../../../src/repair/seen-placements.js'
import { noteDirectories } from '../../../src/repair/use-cases/note-directories.js'
import { failed, logDir, partition, snapshotOf } from '../night.js'

// Proves that a console notes what lies in which directory in time, and that it asks a cluster for that no more than it must.

const MINUTE = 60_000

interface Night {
  /** Brokers asked for their directories, in order. */
  readonly asked: number[]
  readonly seen: () => SeenCluster
  readonly saves: () => number
  /** Another reading of the watcher; `full`: of everything. */
  read(snapshot: ClusterSnapshot, full?: boolean): Promise<void>
  pass(ms: number): void
  readonly notes: ReturnType<typeof noteDirectories>
}

/** `tell`: what a broker answers now; null: it does not. */
function night(first: ClusterSnapshot, tell: (broker: number) => readonly LogDir[] | null): Night {
  let now = 0
  let watched: WatchedCluster = {
    snapshot: first,
    fullReadAt: first.readAt,
    reading: false,
    failure: null,
    refreshMs: 2_000,
  }
  const listeners = new Set<() => void>()
  const asked: number[] = []
  let seen = NOTHING_SEEN
  let saves = 0
  let atOnce = 0
  const storage: SeenPlacementsStorage = {
    load: async () => seen,
    save: async (_, next) => {
      seen = next
      saves += 1
    },
  }
  const notes = noteDirectories(
    {
      async directories(broker) {
        asked.push(broker)
        atOnce += 1
        expect(atOnce).toBe(1)
        await new Promise((resolve) => setImmediate(resolve))
        atOnce -= 1
        const logDirs = tell(broker)
        if (logDirs === null) throw new Error('no answer')
        return { kind: 'read', logDirs, topics: new Set() }
      },
      brokerConfig: async (broker) => ({
        kind: 'read',
        config: {
          logDirs: ['/data/a', '/data/b'],
          metadataLogDir: '/meta',
          processRoles: broker === 1 ? [] : ['broker'],
        },
      }),
    },
    {
      current: () => watched,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    storage,
    { now: () => now, after: () => () => {} },
  )
  const settled = async () => {
    for (let turn = 0; turn < 50; turn += 1)
      await notes.settled.then(() => new Promise((resolve) => setImmediate(resolve)))
  }
  return {
    asked,
    notes,
    seen: () => seen,
    saves: () => saves,
    async read(snapshot, full = false) {
      watched = { ...watched, snapshot, fullReadAt: full ? snapshot.readAt : watched.fullReadAt }
      for (const listener of listeners) listener()
      await settled()
    },
    pass(ms) {
      now += ms
    },
  }
}

const led = partition({ leader: 1, isr: [1, 2], elr: [], lastKnownElr: [] })
const lost = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [], offlineReplicas: [1] })
const two = logDir({ broker: 2, path: '/data/a', holds: [[0, 100]] })
const goodDirs = [logDir({ holds: [[0, 100]] }), logDir({ path: '/data/a', holds: [[1, 7]] }), two]
/** As the watcher reads them: without which replicas lie where. */
const bare = (dirs: readonly LogDir[]) => dirs.map((dir) => ({ ...dir, replicas: null }))
const good = (at: number) => snapshotOf({ partitions: [led], logDirs: bare(goodDirs), at })
const failedDirs = [failed(), ...goodDirs.slice(1)]
const broken = (at: number) => snapshotOf({ partitions: [lost], logDirs: bare(failedDirs), at })
const of = (dirs: readonly LogDir[]) => (broker: number) => dirs.filter((dir) => dir.broker === broker)

describe('what lies in which directory', () => {
  it('is noted of each broker once, then every five minutes: a calm cluster is asked no more', async () => {
    const { asked, read, pass, seen, saves, notes } = night(good(0), of(goodDirs))
    await read(good(1))
    expect(asked).toEqual([1, 2])
    expect(findSeen(seen(), 1, '/data/b')!.replicas).toMatchObject([{ topic: 'orders', partition: 0 }])
    expect(seen().brokers).toMatchObject([{ broker: 1, metadataLogDir: '/meta' }, { broker: 2 }])
    expect(notes.current()).toMatchObject([
      { broker: 1, path: '/data/a', replicas: 1, lost: null },
      { broker: 1, path: '/data/b', replicas: 1, lost: null },
      { broker: 2, path: '/data/a' },
    ])
    for (let second = 2; second < 300; second += 2) {
      pass(2_000)
      await read(good(second * 1_000), second % 30 === 0)
    }
    expect(asked).toEqual([1, 2])
    expect(saves()).toBe(1)
    pass(2 * MINUTE)
    await read(good(400_000))
    expect(asked).toEqual([1, 2, 1, 2])
    notes.stop()
  })

  it('a directory that fails: its broker alone is asked, at once, and again with each full read until all is back', async () => {
    let dirs: readonly LogDir[] = goodDirs
    const { asked, read, seen, notes } = night(good(0), (broker) => of(dirs)(broker))
    await read(good(1))
    asked.length = 0
    dirs = failedDirs
    await read(broken(2_000))
    expect(asked).toEqual([1])
    expect(findSeen(seen(), 1, '/data/b')!.lost).toMatchObject({ replicas: [{ topic: 'orders', partition: 0 }] })
    expect(notes.current()!.find(({ path, broker }) => broker === 1 && path === '/data/b')!.lost).toMatchObject({
      replicas: 1,
    })
    await read(broken(4_000))
    expect(asked).toEqual([1])
    await read(broken(30_000), true)
    expect(asked).toEqual([1, 1])
    // The broker is stopped: nobody can be asked, and what was noted stays.
    const stopped = snapshotOf({
      partitions: [lost],
      logDirs: bare([two]),
      brokers: [
        [1, 'down'],
        [2, 'up'],
      ],
      at: 32_000,
    })
    await read(stopped, true)
    expect(asked).toEqual([1, 1])
    expect(findSeen(seen(), 1, '/data/b')!.lost).not.toBeNull()
    // It is back, with a new disk; once its replica is in sync nothing is waited for.
    dirs = goodDirs
    const back = (isr: readonly number[], at: number) =>
      snapshotOf({
        partitions: [partition({ leader: 2, isr, elr: [], lastKnownElr: [] })],
        logDirs: bare(goodDirs),
        at,
      })
    await read(back([2], 40_000), true)
    expect(asked).toEqual([1, 1, 1])
    await read(back([2, 1], 60_000), true)
    expect(asked).toEqual([1, 1, 1, 1])
    expect(findSeen(seen(), 1, '/data/b')!.lost).toBeNull()
    await read(back([2, 1], 90_000), true)
    expect(asked).toEqual([1, 1, 1, 1])
    notes.stop()
  })

  it('a broker that does not answer is not asked again before something changes, or five minutes are over', async () => {
    const { asked, read, pass, seen, notes } = night(good(0), (broker) => (broker === 1 ? null : of(goodDirs)(broker)))
    await read(good(1))
    await read(good(30_000), true)
    expect(asked).toEqual([1, 2])
    expect(seen().directories.map(({ broker }) => broker)).toEqual([2])
    pass(6 * MINUTE)
    await read(good(400_000), true)
    expect(asked).toEqual([1, 2, 1, 2])
    notes.stop()
  })

  it('more than can be kept is not asked for, but what fails is', async () => {
    const large = goodDirs.map((dir) => (dir === two ? { ...dir, replicaCount: REPLICAS_KEPT } : dir))
    const { asked, read, notes } = night(snapshotOf({ partitions: [led], logDirs: bare(large), at: 0 }), of(goodDirs))
    await read(snapshotOf({ partitions: [led], logDirs: bare(large), at: 1 }))
    expect(asked).toEqual([])
    await read(snapshotOf({ partitions: [lost], logDirs: bare([failed(), ...large.slice(1)]), at: 2 }))
    expect(asked).toEqual([1])
    notes.stop()
  })

  it('a folder that cannot be written is told, and what is known is there all the same', async () => {
    const storage = {
      load: async () => NOTHING_SEEN,
      save: async () => {
        throw new Error('EROFS: read-only file system')
      },
    }
    const watched: WatchedCluster = {
      snapshot: good(0),
      fullReadAt: new Date(0),
      reading: false,
      failure: null,
      refreshMs: 1,
    }
    const notes = noteDirectories(
      {
        directories: async (broker) => ({ kind: 'read', logDirs: of(goodDirs)(broker), topics: new Set() }),
        brokerConfig: async () => ({ kind: 'notRead', text: '' }) as never,
      },
      { current: () => watched, subscribe: () => () => {} },
      storage,
      { now: () => 0, after: () => () => {} },
    )
    await notes.settled
    expect(notes.problem()).toContain('EROFS')
    expect(notes.current()).toHaveLength(3)
    notes.stop()
  })
})
