import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClusterSnapshot } from '../../src/cluster/snapshot.js'
import { heldPartitions } from '../../src/repair/held-partitions.js'
import { nodeSeenPlacementsStorage } from '../../src/repair/node-seen-placements-storage.js'
import { findSeen, NOTHING_SEEN, noteSeen, REPLICAS_KEPT, type SeenCluster } from '../../src/repair/seen-placements.js'
import { seenPlacementsOf, seenPlacementsText } from '../../src/repair/seen-placements-file.js'
import { failed, logDir, partition, snapshotOf } from './night.js'

const led = partition({ leader: 1, isr: [1, 2], elr: [], lastKnownElr: [] })
const lost = partition({ offlineReplicas: [1] })
const good = snapshotOf({ partitions: [led], logDirs: [logDir({ holds: [[0, 100]] })] })
const broken = snapshotOf({ partitions: [lost], logDirs: [failed()], at: 10 })
const stopped = snapshotOf({
  partitions: [lost],
  brokers: [
    [1, 'down'],
    [2, 'up'],
  ],
  at: 20,
})

const noted = (...looks: readonly ClusterSnapshot[]) =>
  looks.reduce((seen, snapshot) => noteSeen(seen, snapshot), NOTHING_SEEN)

describe('what a directory held', () => {
  test('is known after its broker was stopped, if anybody looked while it was up', () => {
    for (const looks of [[good], [broken], [good, broken]]) {
      const seen = noted(...looks)
      expect(heldPartitions(1, '/data/b', stopped, noteSeen(seen, stopped)).partitions).toEqual([lost])
    }
    expect(heldPartitions(1, '/data/b', stopped, NOTHING_SEEN).source).toBe('unknown')
  })

  test('stays noted until all of it is in sync again', () => {
    let seen = noted(good, broken, stopped)
    const back = (isr: readonly number[], leader: number | null, at: number) =>
      snapshotOf({
        partitions: [partition({ leader, isr, elr: [], lastKnownElr: [] })],
        logDirs: [logDir({ holds: [[0, 5]] })],
        at,
      })
    for (const not of [back([], null, 30), back([2], 2, 40)]) {
      seen = noteSeen(seen, not)
      expect(findSeen(seen, 1, '/data/b')!.lost!.replicas).toHaveLength(1)
    }
    expect(findSeen(noteSeen(seen, back([1, 2], 2, 50)), 1, '/data/b')!.lost).toBeNull()
  })

  test('stays noted where all looks healthy, but the log is shorter than others had; until it is written off', () => {
    const ends = (end: number) => ({ logEnds: new Map([['orders-0', end]]) })
    const seen = noteSeen(noteSeen(NOTHING_SEEN, good), broken, ends(900))
    const healthy = snapshotOf({ partitions: [led], logDirs: [logDir({ holds: [[0, 0]] })], at: 30 })
    const wiped = noteSeen(seen, healthy, ends(0))
    expect(findSeen(wiped, 1, '/data/b')!.lost!.replicas).toMatchObject([{ logEndOffset: 900 }])
    // Without reading logs either: the replica has no bytes.
    expect(findSeen(noteSeen(wiped, healthy), 1, '/data/b')!.lost).not.toBeNull()
    expect(findSeen(noteSeen(seen, healthy, ends(900)), 1, '/data/b')!.lost).toBeNull()
    const given = noteSeen(wiped, healthy, { ...ends(0), writtenOff: new Set(['orders-0']) })
    expect(findSeen(given, 1, '/data/b')!.lost).toBeNull()
  })

  test('of a topic that was deleted and created again nothing is taken over', () => {
    const seen = noteSeen(NOTHING_SEEN, broken)
    const anew = snapshotOf({ partitions: [partition({ topicId: 'another' })], brokers: [[1, 'down']] })
    expect(heldPartitions(1, '/data/b', anew, seen)).toMatchObject({ partitions: [], gone: [{ partition: 0 }] })
  })

  test('is kept in bounds: what failed directories held first', () => {
    const many = Array.from({ length: REPLICAS_KEPT }, (_, index): [number, number] => [index, 1])
    const before: SeenCluster = noteSeen(NOTHING_SEEN, broken)
    const seen = noteSeen(
      before,
      snapshotOf({ logDirs: [failed(), logDir({ path: '/data/c', holds: many })], partitions: [lost] }),
    )
    expect(findSeen(seen, 1, '/data/b')!.lost!.replicas).toHaveLength(1)
    expect(findSeen(seen, 1, '/data/c')!.replicas).toBeNull()
  })
})

const date = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
const replica = fc.record({
  topic: fc.stringMatching(/^[a-z.]{1,8}$/),
  topicId: fc.option(fc.constantFrom('x', 'y'), { nil: null }),
  partition: fc.nat(2 ** 31 - 1),
  sizeBytes: fc.option(fc.nat(), { nil: null }),
  logEndOffset: fc.option(fc.maxSafeNat(), { nil: null }),
})
const seenClusters: fc.Arbitrary<SeenCluster> = fc.record({
  brokers: fc.array(
    fc.record({
      broker: fc.nat(),
      seenAt: date,
      logDirs: fc.array(fc.string()),
      metadataLogDir: fc.option(fc.string(), { nil: null }),
      processRoles: fc.array(fc.string()),
    }),
  ),
  directories: fc.array(
    fc.record({
      broker: fc.nat(),
      path: fc.string(),
      seenAt: date,
      replicas: fc.option(fc.array(replica), { nil: null }),
      lost: fc.option(fc.record({ since: date, exact: fc.boolean(), replicas: fc.array(replica) }), { nil: null }),
    }),
  ),
})
const plain = (seen: SeenCluster) =>
  seen.directories.map(({ replicas, lost: gone, ...dir }) => ({
    ...dir,
    replicas: replicas?.map((one) => JSON.stringify(one)).sort(),
    lost: gone?.replicas.map((one) => JSON.stringify(one)).sort(),
  }))

describe('the file', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seen-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('any memory is read back as it was', () => {
    fc.assert(
      fc.property(seenClusters, (seen) => {
        const bytes = new TextEncoder().encode(seenPlacementsText('c', seen))
        expect(plain(seenPlacementsOf(bytes, 'c'))).toEqual(plain(seen))
        expect(seenPlacementsOf(bytes, 'c').brokers).toEqual(seen.brokers)
        expect(seenPlacementsOf(bytes, 'another')).toEqual(NOTHING_SEEN)
      }),
    )
  })

  test('is for its owner alone; a damaged one counts as nothing seen', async () => {
    const storage = nodeSeenPlacementsStorage(join(folder, 'seen'))
    expect(await storage.load('c')).toEqual(NOTHING_SEEN)
    const seen = noteSeen(NOTHING_SEEN, broken)
    await storage.save('c', seen)
    expect(await storage.load('c')).toEqual(seen)
    const [name] = await readdir(join(folder, 'seen'))
    expect((await stat(join(folder, 'seen', name!))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'seen'))).mode & 0o777).toBe(0o700)
    await writeFile(join(folder, 'seen', name!), '{"placementsVersion":1,')
    expect(await storage.load('c')).toEqual(NOTHING_SEEN)
  })

  test.each(['{"placementsVersion":1,', '{"placementsVersion":2,"clusterId":"c"}', '\u0000'])(
    '%j: one that cannot be understood is put aside, not written over',
    async (text) => {
      const place = await mkdtemp(join(folder, 'aside-'))
      const storage = nodeSeenPlacementsStorage(place)
      const seen = noteSeen(NOTHING_SEEN, broken)
      await storage.save('c', seen)
      const [name = ''] = await readdir(place)
      await writeFile(join(place, name), text)
      expect(await storage.load('c')).toEqual(NOTHING_SEEN)
      await storage.save('c', seen)
      expect(await readFile(join(place, `${name}.unreadable`), 'utf8')).toBe(text)
      expect(await nodeSeenPlacementsStorage(place).load('c')).toEqual(seen)
    },
  )
})
