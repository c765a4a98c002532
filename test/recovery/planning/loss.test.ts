import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { committedLossAtLeast, distinctOffsets, lossOf, lossUnder } from '../../../src/recovery/planning/loss.js'
import type { LostRange } from '../../../src/recovery/planning/plan.js'
import { agreement } from '../../../src/recovery/planning/truncation.js'
import { histories, REPLICAS } from '../histories.js'
import { keptUnder, logEnd, lostUnder, partFrom, type SimulatedRecord, toldLog } from '../record-by-record.js'
import { replicaLog } from '../scenario-evidence.js'

const RUNS = { numRuns: 3_000 }
const pair = fc.tuple(fc.nat(REPLICAS - 1), fc.nat(REPLICAS - 1)).filter(([leader, follower]) => leader !== follower)

function records(ranges: readonly LostRange[]): SimulatedRecord[] {
  return ranges.flatMap(({ from, to, epoch }) =>
    Array.from({ length: to - from + 1 }, (_, i) => ({ offset: from + i, epoch: epoch! })),
  )
}

// Proves the interval arithmetic against logs that were really written, cut and copied, compared record by record.
describe('loss against a record-by-record comparison', () => {
  it('names exactly the records that a follower loses', () => {
    fc.assert(
      fc.property(histories(), pair, (logs, [l, f]) => {
        const loss = lossOf(toldLog(l, logs[l]!), toldLog(f, logs[f]!))
        const lost = lostUnder(logs[l]!, logs[f]!)
        expect(records(loss.ranges)).toEqual(lost)
        expect(loss.offsets).toBe(lost.length)
      }),
      RUNS,
    )
  })

  it('counts each lost record once, however many replicas hold it', () => {
    fc.assert(
      fc.property(histories(), fc.nat(REPLICAS - 1), (logs, l) => {
        const told = logs.map((log, broker) => toldLog(broker, log))
        const loss = lossUnder(told[l]!, told, [0, 1, 2])
        const distinct = new Set(
          logs.flatMap((log) => lostUnder(logs[l]!, log).map(({ offset, epoch }) => `${epoch}@${offset}`)),
        )
        expect(loss.atLeast).toBe(distinct.size)
        expect(loss.known).toBe(distinct.size)
        const sum = loss.perReplica.reduce((total, { offsets }) => total + offsets!, 0)
        expect(sum).toBeGreaterThanOrEqual(loss.atLeast)
      }),
      RUNS,
    )
  })

  it('agrees on the offset from which a follower is cut', () => {
    fc.assert(
      fc.property(histories(), pair, (logs, [l, f]) => {
        const kept = keptUnder(logs[l]!, logs[f]!)
        fc.pre(kept.size > 0)
        expect(agreement(toldLog(l, logs[l]!), toldLog(f, logs[f]!))).toBe(Math.max(...kept) + 1)
      }),
      RUNS,
    )
  })

  it('counts as committed what lies below the high watermark and after the cut, never too much', () => {
    fc.assert(
      fc.property(histories(), pair, fc.nat(30), (logs, [l, f], lag) => {
        const leader = logs[l]!
        const follower = logs[f]!
        const highWatermark = Math.max(0, logEnd(follower) - lag)
        const committed = follower.records.filter(({ offset }) => offset < highWatermark)
        // Where they part below the leader's log start, its epochs tell more than its records, but not all that it once held.
        const seen = lostUnder(leader, follower).filter(
          ({ offset }) => offset < highWatermark && offset >= leader.logStart,
        )
        const parted = committed.filter(({ offset }) => offset >= partFrom(leader, follower))
        const told = [toldLog(l, leader), toldLog(f, follower, highWatermark)]
        const atLeast = committedLossAtLeast(told[0]!, told)
        expect(atLeast).toBeLessThanOrEqual(parted.length)
        expect(atLeast).toBeGreaterThanOrEqual(seen.length)
      }),
      RUNS,
    )
  })
})

describe('loss', () => {
  it('is unknown where a log has records without epochs, and then the partition has no known loss', () => {
    const withEpochs = replicaLog(1, { logStartOffset: 0, logEndOffset: 10, epochs: [[0, 0]] })
    const without = replicaLog(2, { logStartOffset: 0, logEndOffset: 12, epochs: [] })
    expect(lossOf(withEpochs, without)).toEqual({ broker: 2, offsets: null, ranges: [] })
    expect(lossOf(without, withEpochs)).toEqual({ broker: 1, offsets: null, ranges: [] })
    expect(lossUnder(withEpochs, [withEpochs, without], [1, 2])).toMatchObject({ known: null, atLeast: 0 })
    expect(committedLossAtLeast(withEpochs, [withEpochs, without])).toBe(0)
  })

  it('is nothing for an empty replica, even under a leader without epochs', () => {
    const empty = replicaLog(1, { logStartOffset: 7, logEndOffset: 7, epochs: [] })
    const without = replicaLog(2, { logStartOffset: 0, logEndOffset: 12, epochs: [] })
    expect(lossOf(without, empty).offsets).toBe(0)
  })

  it('is a lower bound as soon as one replica was not read', () => {
    const leader = replicaLog(1, { logStartOffset: 0, logEndOffset: 10, epochs: [[0, 0]] })
    expect(lossUnder(leader, [leader], [1, 2])).toEqual({ known: null, atLeast: 0, perReplica: [] })
  })

  it('does not count offsets one by one', () => {
    const huge = 2 ** 52
    const leader = replicaLog(1, { logStartOffset: 0, logEndOffset: 1, epochs: [[0, 0]] })
    const follower = replicaLog(2, { logStartOffset: 0, logEndOffset: huge, epochs: [[0, 0]] })
    expect(lossOf(leader, follower).offsets).toBe(huge - 1)
  })

  it('merges overlapping ranges of one epoch, and keeps those of different epochs apart', () => {
    expect(
      distinctOffsets([
        { from: 0, to: 9, epoch: 1 },
        { from: 5, to: 14, epoch: 1 },
        { from: 15, to: 15, epoch: 1 },
        { from: 7, to: 8, epoch: 1 },
        { from: 0, to: 9, epoch: 2 },
      ]),
    ).toBe(26)
  })
})
