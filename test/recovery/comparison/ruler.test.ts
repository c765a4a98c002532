import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplicaLog } from '../../../src/cluster/replica-log.js'
import {
  columnScale,
  cutsOf,
  type EpochSegment,
  epochSegments,
  partingOf,
  scaleSegments,
} from '../../../src/recovery/comparison/ruler.js'
import { histories } from '../histories.js'
import { toldLog } from '../record-by-record.js'
import { replicaLog } from '../scenario-evidence.js'

const log = (broker: number, start: number, end: number, epochs: [number, number][]) =>
  replicaLog(broker, { logStartOffset: start, logEndOffset: end, epochs })

/** The epoch of the record at an offset; undefined: it is not in this log. */
function epochAt({ logStartOffset, logEndOffset, epochs }: ReplicaLog, offset: number): number | null | undefined {
  if (offset < logStartOffset || offset >= logEndOffset) return undefined
  return epochs.findLast(({ startOffset }) => startOffset <= offset)?.epoch ?? null
}

describe('where logs part', () => {
  it('is the first offset with another epoch, or the shortest end', () => {
    const best = log(2, 0, 1_204_331, [
      [5, 0],
      [7, 1_199_870],
    ])
    const other = log(3, 0, 1_200_231, [
      [5, 0],
      [6, 1_199_870],
    ])
    expect(partingOf([best, other])).toEqual({ at: 1_199_870, sameFrom: 0, compared: [2, 3] })
    expect(partingOf([best, log(4, 0, 50, [[5, 0]])])?.at).toBe(50)
    expect(partingOf([best])?.at).toBe(1_204_331)
  })

  it('passes over empty logs and such without epochs, and retention at the head', () => {
    const best = log(1, 10, 100, [[3, 10]])
    expect(partingOf([best, log(2, 0, 0, []), log(3, 0, 100, [])])).toEqual({ at: 100, sameFrom: 10, compared: [1] })
    expect(partingOf([best, log(2, 40, 90, [[3, 40]])])).toEqual({ at: 90, sameFrom: 40, compared: [1, 2] })
    expect(partingOf([best, log(2, 100, 120, [[3, 100]])])).toEqual({ at: 100, sameFrom: null, compared: [1, 2] })
    expect(partingOf([log(2, 0, 0, [])])).toBeNull()
  })

  it('is found record by record', () => {
    fc.assert(
      fc.property(histories(), (simulated) => {
        const logs = simulated.map((one, broker) => toldLog(broker, one))
        const parting = partingOf(logs)
        if (parting === null) return
        const compared = logs.filter(({ broker }) => parting.compared.includes(broker))
        const same = (offset: number) => new Set(compared.map((one) => epochAt(one, offset))).size === 1
        if (parting.sameFrom !== null) {
          for (let offset = parting.sameFrom; offset < parting.at; offset += 1) expect(same(offset)).toBe(true)
          const longest = Math.max(...compared.map(({ logEndOffset }) => logEndOffset))
          if (parting.at < longest) expect(same(parting.at)).toBe(false)
        }
        for (const one of compared) {
          for (const { from, to, epoch } of epochSegments(one, parting.at)) {
            for (let offset = from; offset < to; offset += 1) expect(epochAt(one, offset)).toBe(epoch)
          }
        }
      }),
    )
  })
})

/** Ascending segments with and without gaps, small and huge. */
const segments: fc.Arbitrary<EpochSegment[]> = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 1, 5, 1_000_000), fc.constantFrom(1, 1, 3, 200, 2 ** 40), fc.nat(9)), {
    maxLength: 8,
  })
  .map((parts) => {
    let at = 100
    return parts.map(([gap, length, epoch]) => {
      const from = at + gap
      at = from + length
      return { from, to: at, epoch }
    })
  })

describe('segments on columns', () => {
  it('cover the columns exactly, keep their order, and none is lost while there is room', () => {
    fc.assert(
      fc.property(segments, fc.integer({ min: 1, max: 120 }), fc.nat(10), (row, columns, tail) => {
        const to = (row.at(-1)?.to ?? 100) + tail
        const scaled = scaleSegments(row, 100, to, columns)
        expect(scaled.reduce((sum, part) => sum + part.columns, 0)).toBe(columns)
        expect(scaled.every((part) => part.columns > 0)).toBe(true)
        const shown = scaled.filter(({ epoch }) => epoch !== undefined).map(({ epoch }) => epoch)
        const epochs = row.map(({ epoch }) => epoch)
        let next = 0
        for (const epoch of shown) {
          next = epochs.indexOf(epoch!, next)
          expect(next).toBeGreaterThanOrEqual(0)
          next += 1
        }
        const stretches = new Set([100, to, ...cutsOf([row])]).size - 1
        if (stretches <= columns && to > 100) expect(shown).toEqual(epochs)
      }),
    )
  })

  it('stand at the same column in each row for the same offset, in proportion where there is room', () => {
    fc.assert(
      fc.property(segments, segments, fc.integer({ min: 40, max: 120 }), (one, other, columns) => {
        const to = Math.max(101, one.at(-1)?.to ?? 0, other.at(-1)?.to ?? 0)
        const scale = columnScale(cutsOf([one, other]), 100, to, columns)
        for (const row of [one, other]) {
          let column = 0
          const starts = scaleSegments(row, 100, to, columns, scale).flatMap(({ epoch, columns: wide }) => {
            column += wide
            return epoch === undefined ? [] : [column - wide]
          })
          expect(starts).toEqual(row.map(({ from }) => scale(from)))
        }
      }),
    )
    expect(columnScale([50], 0, 100, 80)(50)).toBe(40)
  })

  it('shows one offset among a million', () => {
    const row = [
      { from: 0, to: 999_999, epoch: 7 },
      { from: 999_999, to: 1_000_000, epoch: 8 },
    ]
    expect(scaleSegments(row, 0, 1_000_000, 72)).toEqual([
      { epoch: 7, columns: 71 },
      { epoch: 8, columns: 1 },
    ])
  })
})
