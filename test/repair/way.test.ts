import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSeen, NOTHING_SEEN, noteSeen } from '../../src/repair/seen-placements.js'
import { seenPlacementsOf, seenPlacementsText } from '../../src/repair/seen-placements-file.js'
import { type TakenWay, takeWay, type WayFacts } from '../../src/repair/way.js'
import { logDir, partition, snapshotOf } from './night.js'

// Proves that the way of a repair stays what it is unless the operator, or a fact that is named, changes it; and that what it depends on most, that the
// directory was seen emptied, is not forgotten by the repair's own election.

const lonely = partition({ replicas: [1] })
const facts = fc.record({
  phase: fc.constantFrom<WayFacts['phase']>('nothing', 'failed', 'away', 'emptyBack', 'wiped', 'catchingUp', 'unknown'),
  seenEmptiedAt: fc.constantFrom(null, new Date(5)),
  gone: fc.boolean(),
  source: fc.constantFrom<WayFacts['held']['source']>('told', 'derived', 'noted', 'seen', 'unknown'),
  alone: fc.boolean(),
})
const factsOf = ({ source, alone, ...rest }: Parameters<Parameters<typeof facts.map>[0]>[0]): WayFacts => ({
  ...rest,
  held: { source, at: null, exact: true, partitions: [], before: new Map(), gone: [] },
  affected: alone
    ? [
        {
          state: lonely,
          kind: 'leaderless',
          leader: null,
          namedIn: [],
          otherCopies: 'no',
          bestOther: null,
          unread: [],
          before: null,
          evidence: null,
        },
      ]
    : [],
})

describe('the way of a repair', () => {
  test('whatever follows upon whatever: it changes only with what it was before, and never to keep what was seen emptied', () => {
    fc.assert(
      fc.property(fc.array(facts, { minLength: 1, maxLength: 8 }), (readings) => {
        let before: TakenWay | null = null
        let emptied = false
        for (const reading of readings.map(factsOf)) {
          const taken = takeWay(null, before, reading)
          emptied ||= taken.reason === 'emptied'
          if (before !== null && taken.way !== before.way) expect(taken.changedFrom).toBe(before.way)
          if (before === null) expect(taken.changedFrom).toBeNull()
          // Also once that was forgotten.
          if (emptied) expect(taken.way).not.toBe('keep')
          before = taken
        }
      }),
    )
  })

  test('what comes of the repair itself changes nothing: elected, started, catching up, back', () => {
    const of = (part: Partial<Parameters<typeof factsOf>[0]>) =>
      factsOf({ phase: 'away', seenEmptiedAt: null, gone: false, source: 'seen', alone: false, ...part })
    const kept = takeWay(null, null, of({}))
    expect(kept).toEqual({ way: 'keep', reason: 'notSeenToFail', changedFrom: null })
    expect(takeWay(null, kept, of({ phase: 'nothing' }))).toEqual(kept)
    expect(takeWay(null, kept, of({ phase: 'catchingUp' }))).toEqual(kept)
    const emptied = takeWay(null, null, of({ phase: 'emptyBack', seenEmptiedAt: new Date(5) }))
    expect(emptied).toMatchObject({ way: 'replace', reason: 'emptied' })
    expect(takeWay(null, emptied, of({}))).toEqual(emptied)
    expect(takeWay(null, kept, of({ phase: 'emptyBack' }))).toEqual({
      way: 'replace',
      reason: 'emptied',
      changedFrom: 'keep',
    })
  })

  test('the operator may change it; but not to keep a directory whose log is empty at this moment', () => {
    const away = factsOf({ phase: 'away', seenEmptiedAt: new Date(5), gone: false, source: 'seen', alone: false })
    const chosen = takeWay('keep', takeWay(null, null, away), away)
    expect(chosen).toEqual({ way: 'keep', reason: 'operator', changedFrom: null })
    expect(takeWay('keep', chosen, { ...away, phase: 'emptyBack' })).toEqual({
      way: 'replace',
      reason: 'emptied',
      changedFrom: 'keep',
    })
  })
})

describe('that a directory was seen emptied', () => {
  const dirs = [logDir({ holds: [[0, 0]] })]
  const emptied = [{ broker: 1, path: '/data/b' }]
  const offline = partition({ isr: [], elr: [], lastKnownElr: [1] })
  const led = (isr: readonly number[]) => partition({ leader: 2, leaderEpoch: 6, isr, elr: [], lastKnownElr: [] })
  const stopped = {
    brokers: [
      [1, 'down'],
      [2, 'up'],
    ],
  } as const
  const at = (seen: typeof NOTHING_SEEN) => findSeen(seen, 1, '/data/b')?.emptiedAt ?? null
  const first = noteSeen(NOTHING_SEEN, snapshotOf({ partitions: [offline], logDirs: dirs, at: 10 }), { emptied })

  test('outlives the stop, the election and the start, until all of it is in sync; and its file', () => {
    let seen = first
    expect(at(seen)).toEqual(new Date(10))
    for (const next of [
      snapshotOf({ partitions: [offline], logDirs: dirs, at: 20 }),
      snapshotOf({ partitions: [offline], ...stopped, at: 30 }),
      snapshotOf({ partitions: [led([2])], ...stopped, at: 40 }),
      snapshotOf({ partitions: [led([2])], logDirs: dirs, at: 50 }),
    ]) {
      seen = noteSeen(seen, next)
      seen = seenPlacementsOf(new TextEncoder().encode(seenPlacementsText('c', seen)), 'c')
      expect(at(seen), String(next.readAt.getTime())).toEqual(new Date(10))
    }
    expect(at(noteSeen(seen, snapshotOf({ partitions: [led([2, 1])], logDirs: dirs, at: 60 })))).toBeNull()
  })

  describe('and nobody looked until all was down again', () => {
    const both = [
      logDir({
        holds: [
          [0, 0],
          [1, 0],
        ],
      }),
    ]
    const twice = [offline, partition({ partition: 1, isr: [], elr: [], lastKnownElr: [1] })]
    const seen = noteSeen(NOTHING_SEEN, snapshotOf({ partitions: twice, logDirs: both, at: 10 }), { emptied })
    const later = (...epochs: readonly number[]) =>
      at(
        noteSeen(
          seen,
          snapshotOf({
            partitions: twice.map((one, index) => ({ ...one, leaderEpoch: epochs[index] ?? 0 })),
            ...stopped,
            at: 99,
          }),
        ),
      )

    test('ends where each that waited for it shows that it was in sync since', () => {
      expect(later(8, 9)).toBeNull()
    })
    test.each([
      ['one of them waits as before', [8, 5]],
      ['one may have been led by it as it was, empty', [8, 7]],
    ])('stays where %s', (_, epochs) => {
      expect(later(...epochs)).toEqual(new Date(10))
    })
    test('counts from when it was emptied last', () => {
      const again = twice.map((one) => ({ ...one, leaderEpoch: 9 }))
      const emptiedAgain = noteSeen(seen, snapshotOf({ partitions: again, logDirs: both, at: 50 }), { emptied })
      expect(at(noteSeen(emptiedAgain, snapshotOf({ partitions: again, ...stopped, at: 60 })))).toEqual(new Date(10))
    })
  })

  test('ends where its old disk is back: its log of what has no leader has records', () => {
    const back = snapshotOf({ partitions: [offline], logDirs: dirs, at: 30 })
    expect(at(noteSeen(first, back, { withRecords: new Set(['orders-1']) }))).toEqual(new Date(10))
    expect(at(noteSeen(first, back, { withRecords: new Set(['orders-0']) }))).toBeNull()
  })
})
