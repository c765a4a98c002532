import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EpochAnswer, EpochSearch } from '../../src/cluster/epoch-search.js'

/** A log as its broker keeps it: the leader epoch cache, with entries that may start at the log end. */
interface BrokerLog {
  start: number
  end: number
  cache: { epoch: number; startOffset: number }[]
}

/** What a broker answers to a diverging-epoch fetch, as measured on 4.4.0 (kafka-facts, "Epochs" and "Invented epochs"). */
function brokerAnswer(log: BrokerLog, asked: number): EpochAnswer {
  const last = log.cache.at(-1)
  const first = log.cache[0]
  if (last === undefined || first === undefined || asked > last.epoch) return { kind: 'above' }
  if (asked < first.epoch) return { kind: 'epoch', epoch: asked, endOffset: first.startOffset }
  const index = log.cache.findLastIndex((entry) => entry.epoch <= asked)
  return { kind: 'epoch', epoch: log.cache[index]!.epoch, endOffset: log.cache[index + 1]?.startOffset ?? log.end }
}

function run(log: BrokerLog, leaderEpoch: number, lastWritten?: number) {
  const search = new EpochSearch(log.start, log.end, leaderEpoch, lastWritten)
  let probes = 0
  for (let probe = search.probe(); probe !== null; probe = search.probe()) {
    probes += 1
    if (probes > 10_000) throw new Error('the search does not end')
    search.accept(brokerAnswer(log, probe))
  }
  return { ...search.result(), moved: search.moved, probes }
}

/** Logs as retention leaves them: the first entry rewritten to begin at the log start; perhaps an empty epoch at the end. */
const logs = fc
  .record({
    start: fc.integer({ min: 0, max: 1000 }),
    epochs: fc.array(fc.record({ step: fc.integer({ min: 1, max: 40 }), size: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: 12,
    }),
    emptyLast: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
    above: fc.integer({ min: 0, max: 200 }),
  })
  .map(({ start, epochs, emptyLast, above }) => {
    const cache: BrokerLog['cache'] = []
    let offset = start
    let epoch = -1
    for (const { step, size } of epochs) {
      epoch += step
      cache.push({ epoch, startOffset: offset })
      offset += size
    }
    const written = [...cache]
    if (emptyLast !== null) {
      epoch += emptyLast
      cache.push({ epoch, startOffset: offset })
    }
    return { log: { start, end: offset, cache }, written, leaderEpoch: Math.max(0, epoch) + above }
  })

describe('EpochSearch', () => {
  it('finds exactly the epochs that hold records, whatever retention left and whoever never wrote', () => {
    fc.assert(
      fc.property(logs, ({ log, written, leaderEpoch }) => {
        const found = run(log, leaderEpoch)
        expect(found.moved).toBe(false)
        expect(found.epochs).toEqual(written)
        expect(found.lastWrittenEpoch).toEqual(
          written.length === 0 ? { kind: 'none' } : { kind: 'epoch', epoch: written.at(-1)!.epoch },
        )
      }),
    )
  })

  it('needs one more answer for each epoch, and to find the last one no more than a search by strides and halves', () => {
    fc.assert(
      fc.property(logs, ({ log, leaderEpoch }) => {
        const distance = leaderEpoch - (log.cache.at(-1)?.epoch ?? 0) + 2
        expect(run(log, leaderEpoch).probes).toBeLessThanOrEqual(
          2 * Math.ceil(Math.log2(distance)) + 3 + log.cache.length,
        )
      }),
    )
  })

  it('skips the search where the broker named the last written epoch (KIP-1275), and does not depend on it being right', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 0, max: 300 }), ({ log, written, leaderEpoch }, wrong) => {
        const last = written.at(-1)?.epoch
        if (last !== undefined) {
          expect(run(log, leaderEpoch, last).epochs).toEqual(written)
          expect(run(log, leaderEpoch, last).probes).toBeLessThanOrEqual(1 + log.cache.length)
        }
        const misled = run(log, leaderEpoch, Math.min(wrong, leaderEpoch))
        expect(misled.epochs).toEqual(written)
      }),
    )
  })

  it('takes records without any epoch for an unknown epoch, not for an empty log', () => {
    const found = run({ start: 5, end: 90, cache: [] }, 7)
    expect(found).toMatchObject({ lastWrittenEpoch: { kind: 'unknown' }, epochs: [], moved: false })
  })

  it('leaves records below the first epoch without one (old message format) and invents no epochs for them', () => {
    const found = run({ start: 10, end: 90, cache: [{ epoch: 6, startOffset: 50 }] }, 9)
    expect(found.epochs).toEqual([{ epoch: 6, startOffset: 50 }])
  })

  it('says that the log moved when its newest epoch does not end at the log end that was read', () => {
    const log = { start: 0, end: 80, cache: [{ epoch: 2, startOffset: 0 }] }
    const search = new EpochSearch(0, 70, 3)
    for (let probe = search.probe(); probe !== null; probe = search.probe()) search.accept(brokerAnswer(log, probe))
    expect(search.moved).toBe(true)
  })
})
