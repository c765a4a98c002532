import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/recovery/journal/entry.js'
import { decodeLine, encodeLine, type JournalLine } from '../../../src/recovery/journal/line.js'

const partition = fc.record({ topic: fc.string({ unit: 'binary' }), partition: fc.nat() })
const brokers = fc.array(fc.nat(), { maxLength: 5 })
const anyEntry: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record({
    type: fc.constant('about-to-reorder' as const),
    clusterId: fc.string(),
    batch: fc.nat(),
    orders: fc.array(
      fc
        .tuple(partition, fc.option(fc.string()), brokers, brokers)
        .map(([one, topicId, original, election]) => ({ ...one, topicId, original, election })),
    ),
  }),
  fc.record({ type: fc.constant('put-back' as const), partitions: fc.array(partition) }),
  fc.constant<JournalEntry>({ type: 'closed' }),
)
const anyLine: fc.Arbitrary<JournalLine> = fc.record({
  seq: fc.nat(),
  at: fc.constant('2026-01-01T00:00:00.000Z'),
  entry: anyEntry,
})

test('what is encoded is decoded, on one line, as JSON', () => {
  fc.assert(
    fc.property(anyLine, (line) => {
      const bytes = encodeLine(line)
      expect(bytes.indexOf(10)).toBe(bytes.length - 1)
      expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ seq: line.seq })
      expect(decodeLine(bytes.subarray(0, -1))).toEqual({ kind: 'line', line })
    }),
  )
})

test('a line with a flipped bit, or cut short, is unreadable; it is never another line', () => {
  fc.assert(
    fc.property(anyLine, fc.nat(), fc.integer({ min: 0, max: 7 }), (line, at, bit) => {
      const bytes = encodeLine(line).slice(0, -1)
      const position = at % bytes.length
      expect(decodeLine(bytes.subarray(0, position))).toEqual({ kind: 'unreadable', intact: false })
      bytes[position] = bytes[position]! ^ (1 << bit)
      const decoded = decodeLine(bytes)
      expect(decoded.kind).toBe('unreadable')
    }),
    { numRuns: 500 },
  )
})

test('any bytes at all are read without an exception', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeLine(bytes).kind === 'unreadable'))
})
