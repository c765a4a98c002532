import { describe, expect, test } from 'vitest'
import type { SeenEmpty } from '../../src/recovery/returns/seen-empty.js'
import { heldPartitions } from '../../src/repair/held-partitions.js'
import { showsEmptied } from '../../src/repair/phase.js'
import { seenEmptyUnplaced, withSeenEmpty } from '../../src/repair/seen-empty-held.js'
import { NOTHING_SEEN, noteSeen, type SeenCluster } from '../../src/repair/seen-placements.js'
import { logDir, partition, snapshotOf } from './night.js'

// Proves which directory of a broker that is away is taken for the one that was seen emptied: where its placements are known that one alone; else whatever
// may be it, so that no start is let through which has its empty log lead.

const PATHS = ['/data/a', '/data/b']
const partitions = [0, 1, 2].map((index) => partition({ partition: index, isr: [], elr: [], lastKnownElr: [1] }))
const away = snapshotOf({
  partitions,
  brokers: [
    [1, 'down'],
    [2, 'up'],
  ],
})
const seenEmpty = (index: number, as: 'partitions' | 'elected'): SeenEmpty[] => {
  const one = { topic: 'orders', topicId: 'id', partition: index, leaderEpoch: 5 }
  return [{ broker: 1, seenAt: new Date(5), partitions: [], elected: [], [as]: [one] }]
}
/** Noted as: 0 in the first, 1 in the second. */
const noted = noteSeen(
  NOTHING_SEEN,
  snapshotOf({
    partitions: partitions.slice(0, 2),
    logDirs: PATHS.map((path, index) => logDir({ path, holds: [[index, 10]] })),
  }),
)
/** The second had too many to be kept. */
const halfNoted: SeenCluster = {
  ...noted,
  directories: noted.directories.map((dir) => (dir.path === '/data/b' ? { ...dir, replicas: null } : dir)),
}

function emptied(seen: SeenEmpty[], placements: SeenCluster, broker = 1): string[] {
  const helds = new Map(PATHS.map((path) => [path, heldPartitions(broker, path, away, placements)]))
  const unplaced = seenEmptyUnplaced(broker, seen, [...helds.values()])
  const names = new Set(unplaced.map((one) => `orders-${one.partition}`))
  return PATHS.filter((path) => {
    const held = withSeenEmpty(helds.get(path)!, unplaced, away)
    expect(held.partitions.map((one) => one.partition)).toEqual([...held.before.values()].map((one) => one.partition))
    return showsEmptied(broker, held, [], seen, names)
  })
}

describe.each(['partitions', 'elected'] as const)('seen emptied (%s)', (as) => {
  test.each<[string, number, SeenCluster, string[]]>([
    ['noted in the first', 0, noted, ['/data/a']],
    ['noted in the second', 1, noted, ['/data/b']],
    ['noted in the first, the second is not known', 0, halfNoted, ['/data/a']],
    ['noted in none, the second is not known', 1, halfNoted, PATHS],
    ['made after both were noted', 2, noted, PATHS],
    ['nothing was ever noted', 0, NOTHING_SEEN, PATHS],
  ])('%s', (_, index, placements, paths) => {
    expect(emptied(seenEmpty(index, as), placements)).toEqual(paths)
    expect(emptied(seenEmpty(index, as), placements, 2)).toEqual([])
  })
})
