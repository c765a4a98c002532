import { describe, expect, it } from 'vitest'
import { lookFor } from '../../../src/console/components/look.js'
import { plainText } from '../../../src/console/layout/line.js'
import { kafkaText } from '../../../src/console/screens/compare/compare-lines.js'
import { epochSigns } from '../../../src/console/screens/compare/epoch-signs.js'
import { rulerLines } from '../../../src/console/screens/compare/ruler-lines.js'
import { whatIfLines } from '../../../src/console/screens/compare/what-if-lines.js'
import { type Comparison, comparePartition } from '../../../src/recovery/comparison/comparison.js'
import type { EpochSegment } from '../../../src/recovery/comparison/ruler.js'
import { planningContext } from '../../recovery/scenario-evidence.js'

// The ruler and the losses of the comparison, as console.md sketches them.

const look = lookFor({ colours: false, attributes: false, unicode: true, addressable: true, screenReader: false })

/** console.md's example: 8 led last and is down; 2 and 3 part at 1,199,870. */
function sketch(): Comparison {
  const log = (broker: number, end: number, epochs: [number, number][]) => ({
    kind: 'read' as const,
    broker,
    logStartOffset: 0,
    logEndOffset: end,
    lastWrittenEpoch: { kind: 'epoch' as const, epoch: epochs.at(-1)![0] },
    epochs: epochs.map(([epoch, startOffset]) => ({ epoch, startOffset })),
    highWatermark: null,
    sizeBytes: null,
    logDir: null,
  })
  const brokers = [2, 3, 8].map((id) => ({
    id,
    host: `kafka-${id}.eu`,
    port: 9092,
    rack: null,
    state: id === 8 ? ('down' as const) : ('up' as const),
    error: null,
  }))
  return comparePartition(
    {
      state: {
        topic: 'orders-eu',
        topicId: null,
        partition: 12,
        leader: null,
        leaderEpoch: 8,
        replicas: [8, 2, 3],
        isr: [],
        elr: [],
        lastKnownElr: [8],
        offlineReplicas: [8],
      },
      replicas: [
        { kind: 'notRead', broker: 8, cause: 'down', reason: 'broker 8 is down' },
        log(2, 1_204_331, [
          [5, 0],
          [7, 1_199_870],
        ]),
        log(3, 1_200_231, [
          [5, 0],
          [6, 1_199_870],
        ]),
      ],
      readAt: new Date(0),
    },
    planningContext(new Map(brokers.map(({ id, state }) => [id, state]))),
    { brokers },
  )
}

describe('the ruler', () => {
  it('is a sentence where somebody listens', () => {
    const spoken = lookFor({ colours: false, attributes: false, unicode: true, addressable: false, screenReader: true })
    expect(rulerLines(sketch(), 80, spoken).map(plainText)).toEqual([
      ' The logs that were read: same up to 1,199,870; the furthest ends at 1,204,331.',
    ])
  })

  it('begins where the logs part, and shows the same offset in the same column', () => {
    const [caption, ...rows] = rulerLines(sketch(), 80, look).map(plainText)
    expect(caption).toMatch(/^ {3}same up to 1,199,870; from there \(digits: leader epoch\) +1,204,331 $/)
    expect(rows[0]).toMatch(/^ {3}8 {2}\?{73}$/)
    expect(rows[1]).toMatch(/^ {3}2 {2}7{72}\|$/)
    expect(rows[2]).toMatch(/^ {3}3 {2}6{6}\|$/)
    expect(rows).toHaveLength(3)
  })

  it('has a letter for each epoch above 9, told below, and none twice', () => {
    const segments: EpochSegment[] = [9, 10, 11, 12, 1_000].map((epoch, index) => ({
      epoch,
      from: index,
      to: index + 1,
    }))
    const signs = epochSigns({ from: 0, to: 5, rows: [{ broker: 1, segments }] })
    expect(segments.map(({ epoch }) => signs.sign(epoch))).toEqual(['9', 'a', 'b', 'c', 'd'])
    expect(signs.legend).toBe('a = epoch 10, b = epoch 11, c = epoch 12, d = epoch 1000')
  })

  it('says so where epochs are not known', () => {
    const signs = epochSigns({ from: 0, to: 5, rows: [{ broker: 1, segments: [{ epoch: null, from: 0, to: 5 }] }] })
    expect(signs.sign(null)).toBe('-')
    expect(signs.legend).toBe('- = epoch unknown')
  })
})

describe('what each choice loses', () => {
  it('is there for every candidate, and for every start, before anything is chosen', () => {
    const lines = whatIfLines(sketch(), 2, 80, look.glyphs).map((line) => plainText(line).replace(/ +/g, ' ').trim())
    expect(lines).toContain('> 2 (rank) 3: 1,199,870-1,200,230 (361); 8: ? 361 + ?')
    expect(lines).toContain('3 (by hand) 2: 1,199,870-1,204,330 (4,461); 8: ? 4,461 + ?')
    expect(lines).toContain('IF 8 STARTS old disk 8 may lead by itself; 2, 3 follow ?')
    expect(lines).toContain('IF 8 STARTS new disk 2 AND 3 MAY BE WIPED: elect before all')
  })

  it('marks the one that was chosen by hand, and says the same of Kafka only where something is chosen', () => {
    const lines = whatIfLines(sketch(), 2, 80, look.glyphs, 3).map((line) => plainText(line).replace(/ +/g, ' ').trim())
    expect(lines.filter((line) => line.includes('(CHOSEN)'))).toEqual([expect.stringMatching(/^3 \(CHOSEN\)/)])
    const takes = { kind: 'broker', broker: 1, by: 'order' } as const
    expect(kafkaText(takes, 1)).toMatch(/the same as chosen\.$/)
    expect(kafkaText(takes, 1, true)).toMatch(/the first by rank, too; nothing is chosen yet\.$/)
  })
})
