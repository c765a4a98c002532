import { describe, expect, test } from 'vitest'
import { diagnoseDirectories, standingText } from '../../src/repair/diagnosis.js'
import { heldPartitions } from '../../src/repair/held-partitions.js'
import { NOTHING_SEEN, noteSeen } from '../../src/repair/seen-placements.js'
import { failed, logDir, partition, snapshotOf } from './night.js'

const good = logDir({ path: '/data/a', holds: [[9, 10]] })
const standings = (...given: Parameters<typeof diagnoseDirectories>) =>
  diagnoseDirectories(...given).map(({ broker, path, standing }) => [broker, path, standing.kind])

describe('cases that look alike are told apart', () => {
  test('failed, cordoned, answering another error', () => {
    const snapshot = snapshotOf({
      brokers: [[1, 'up']],
      logDirs: [
        good,
        failed(),
        logDir({ path: '/data/c', cordoned: true }),
        logDir({ path: '/data/d', state: 'unknown', error: 'UNKNOWN_SERVER_ERROR' }),
      ],
    })
    const found = diagnoseDirectories(snapshot, NOTHING_SEEN)
    expect(found.map(({ standing }) => standing)).toEqual([
      { kind: 'online', cordoned: false },
      { kind: 'failed' },
      { kind: 'online', cordoned: true },
      { kind: 'answersError', error: 'UNKNOWN_SERVER_ERROR' },
    ])
    // Never "broken": that is the broker's own log to tell.
    const texts = found.map(standingText)
    expect(texts[1]).toMatch(/broker 1 reports \/data\/b offline: read that broker's log first/)
    expect(texts[2]).toMatch(/no failure/)
    expect(texts.join()).not.toMatch(/broken/)
  })

  test('broker down, not allowed to ask, not told for another reason, with what was seen before', () => {
    const seen = noteSeen(NOTHING_SEEN, snapshotOf({ brokers: [[1, 'up']], logDirs: [good] }))
    expect(
      standings(
        snapshotOf({
          brokers: [
            [1, 'down'],
            [2, 'down'],
          ],
        }),
        seen,
      ),
    ).toEqual([
      [1, '/data/a', 'brokerDown'],
      [2, null, 'brokerDown'],
    ])
    const hidden = { code: 'permission' as const, broker: 1, text: 'hidden' }
    const silent = { code: 'unreadable' as const, broker: 2, text: 'broke off' }
    expect(standings(snapshotOf({ problems: [hidden, silent] }), seen)).toEqual([
      [1, '/data/a', 'notAllowed'],
      [2, null, 'notTold'],
    ])
  })

  test('a permission that hides something else does not hide directories that were told', () => {
    const unconfirmed = { code: 'permission' as const, broker: 1, text: 'who answers is not confirmed' }
    expect(
      standings(snapshotOf({ brokers: [[1, 'up']], logDirs: [good], problems: [unconfirmed] }), NOTHING_SEEN),
    ).toEqual([[1, '/data/a', 'online']])
  })

  test('a directory that its broker does not name any more', () => {
    const lost = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    const before = snapshotOf({ partitions: [lost], logDirs: [good, logDir({ holds: [[0, 100]] })] })
    const seen = noteSeen(NOTHING_SEEN, before)
    const now = snapshotOf({ partitions: [lost], logDirs: [logDir({ path: '/data/a', holds: [[0, 0]] })], at: 5 })
    const found = diagnoseDirectories(now, seen).filter(({ broker }) => broker === 1)
    expect(found.map(({ path, standing }) => [path, standing.kind])).toEqual([
      ['/data/a', 'online'],
      ['/data/b', 'missing'],
    ])
    expect(found[0]!.madeAnew).toEqual([{ topic: 'orders', partition: 0, from: '/data/b' }])
    expect(heldPartitions(1, '/data/b', now, seen)).toMatchObject({ source: 'noted', partitions: [lost] })
  })

  test('a leader still on failed storage although the metadata shows no error: it is on no good directory', () => {
    const led = partition({ leader: 1, isr: [1, 2], elr: [], lastKnownElr: [] })
    const snapshot = snapshotOf({ partitions: [led, partition({ partition: 9 })], logDirs: [good, failed()] })
    const [, dir] = diagnoseDirectories(snapshot, NOTHING_SEEN)
    expect(dir!.ledFromFailed).toEqual([{ topic: 'orders', partition: 0 }])
    expect(heldPartitions(1, '/data/b', snapshot, NOTHING_SEEN)).toMatchObject({ source: 'derived', partitions: [led] })
  })

  test('a follower that lags is not one that was made anew; one on a replaced disk is', () => {
    const behind = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    const seen = noteSeen(NOTHING_SEEN, snapshotOf({ partitions: [behind], logDirs: [logDir({ holds: [[0, 100]] })] }))
    const at = (bytes: number) =>
      snapshotOf({ partitions: [behind], logDirs: [logDir({ holds: [[0, bytes]] })], at: 1 })
    expect(diagnoseDirectories(at(90), seen)[0]!.madeAnew).toEqual([])
    expect(diagnoseDirectories(at(3), seen)[0]!.madeAnew).toEqual([{ topic: 'orders', partition: 0, from: '/data/b' }])
  })

  test('several failed directories: what was seen before divides them, the rest may be in either', () => {
    const states = [0, 1, 2].map((index) => partition({ partition: index, offlineReplicas: [1] }))
    const before = snapshotOf({
      partitions: states,
      logDirs: [logDir({ path: '/data/a', holds: [[0, 1]] }), logDir({ holds: [[1, 1]] })],
    })
    const seen = noteSeen(NOTHING_SEEN, before)
    const both = snapshotOf({ partitions: states, logDirs: [failed('/data/a'), failed()] })
    const held = heldPartitions(1, '/data/b', both, seen)
    expect(held.partitions.map((state) => state.partition)).toEqual([1, 2])
    expect(held.exact).toBe(false)
  })
})
