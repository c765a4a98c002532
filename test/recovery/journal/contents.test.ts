import { expect, test } from 'vitest'
import { readContents } from '../../../src/recovery/journal/contents.js'
import type { JournalEntry, JournalledOrder } from '../../../src/recovery/journal/entry.js'
import { encodeLine } from '../../../src/recovery/journal/line.js'

const order = (partition: number): JournalledOrder => ({
  topic: 't',
  topicId: null,
  partition,
  original: [1, 2],
  election: [2, 1],
})
const named = (...partitions: number[]) => partitions.map((partition) => ({ topic: 't', partition }))
const OPENED: JournalEntry = {
  type: 'opened',
  format: 1,
  purpose: 'apply',
  planId: 'plan',
  clusterId: 'c',
  startedAt: '2026-01-01T00:00:00.000Z',
  owner: { pid: 7, host: 'h', bootId: null, startTicks: null, pidNamespace: null },
}
const ENTRIES: JournalEntry[] = [
  OPENED,
  { type: 'about-to-reorder', clusterId: 'c', batch: 1, orders: [order(0), order(1)] },
  { type: 'reordered', batch: 1, partitions: named(0, 1) },
  { type: 'about-to-elect', batch: 1, attempt: 1, kind: 'unclean', partitions: named(0, 1) },
  { type: 'about-to-put-back', partitions: named(0, 1) },
  { type: 'put-back', partitions: named(0) },
  { type: 'left', partitions: [{ topic: 't', partition: 1, reason: 'x' }] },
  { type: 'closed' },
]

const at = '2026-01-01T00:00:00.000Z'
const linesOf = (entries: readonly JournalEntry[], firstSeq = 0) =>
  entries.map((entry, index) => encodeLine({ seq: firstSeq + index, at, entry }))
const journal = (entries: readonly JournalEntry[]) => Buffer.concat(linesOf(entries))
const contentsIn = (bytes: Uint8Array) => readContents([bytes])
const leftIn = async (bytes: Uint8Array) => (await contentsIn(bytes)).left.map(({ partition }) => partition)

test('what is left re-ordered after each entry', async () => {
  const after = await Promise.all(ENTRIES.map((_, index) => leftIn(journal(ENTRIES.slice(0, index + 1)))))
  expect(after).toEqual([[], [0, 1], [0, 1], [0, 1], [0, 1], [1], [], []])
  expect(await contentsIn(journal(ENTRIES))).toMatchObject({
    state: 'closed',
    clusterId: 'c',
    planId: 'plan',
    damaged: false,
    notes: [],
  })
})

test('cut anywhere, the whole lines before the cut count, the cut one is said, and none of it is called damage', async () => {
  const bytes = journal(ENTRIES)
  const lines = linesOf(ENTRIES)
  for (let length = 0; length <= bytes.length; length += 1) {
    const contents = await contentsIn(bytes.subarray(0, length))
    expect(contents.damaged).toBe(false)
    let whole = 0
    for (let end = 0; end + lines[whole]!.length - 1 <= length; ) {
      end += lines[whole]!.length
      whole += 1
      if (whole === lines.length) break
    }
    expect(contents.left.map(({ partition }) => partition)).toEqual(await leftIn(journal(ENTRIES.slice(0, whole))))
    const starts = lines.slice(0, whole).reduce((sum, line) => sum + line.length, 0)
    expect(contents.notes).toHaveLength(length > starts ? 1 : 0)
  }
})

test('a damaged line in the middle is said, and the rest is used', async () => {
  for (const [damaged, left] of [
    [0, [1]],
    [1, []],
    [5, [0, 1]],
  ] as const) {
    const lines = linesOf(ENTRIES.slice(0, 6))
    lines[damaged]![30] = lines[damaged]![30]! ^ 1
    const contents = await contentsIn(Buffer.concat(lines))
    expect(contents).toMatchObject({ damaged: true, notes: [`line ${damaged + 1} is damaged`], state: 'open' })
    expect(contents.left.map(({ partition }) => partition)).toEqual(left)
    // The first line is not needed to know the cluster.
    expect(contents.clusterId).toBe('c')
  }
})

test('a lost line shows by its number', async () => {
  const lines = linesOf(ENTRIES.slice(0, 4))
  lines.splice(1, 1)
  expect(await contentsIn(Buffer.concat(lines))).toMatchObject({
    damaged: true,
    notes: ['lines are missing before entry 2'],
  })
})

test('a crash that cut a line is no damage after restore has written behind it', async () => {
  const cut = Buffer.concat([
    journal(ENTRIES.slice(0, 3)),
    linesOf([ENTRIES[3]!], 3)[0]!.subarray(0, 40),
    Buffer.of(10),
  ])
  const bytes = Buffer.concat([cut, ...linesOf([{ type: 'taken-over' }], 3)])
  expect(await contentsIn(bytes)).toMatchObject({
    damaged: false,
    notes: [expect.stringContaining('cut off')],
    nextSeq: 4,
  })
})

test('writes that failed, half done, are no damage: entries are numbered, and none is missing', async () => {
  const half = (entry: JournalEntry, seq: number) =>
    Buffer.concat([linesOf([entry], seq)[0]!.subarray(0, 50), Buffer.of(10)])
  const failed = [half(ENTRIES[3]!, 3), half(ENTRIES[4]!, 3)]
  const after = Buffer.concat([journal(ENTRIES.slice(0, 3)), ...failed, ...linesOf([ENTRIES[4]!], 3)])
  expect(await contentsIn(after)).toMatchObject({
    damaged: false,
    notes: [expect.stringMatching(/^2 lines were cut off/)],
  })
  // The same at the end of the file, where the last one was cut off by a crash.
  const atEnd = Buffer.concat([journal(ENTRIES.slice(0, 3)), ...failed]).subarray(0, -5)
  expect(await contentsIn(atEnd)).toMatchObject({ damaged: false, nextSeq: 3 })
  // A write whose sync failed may be there as a whole, and its number is used again.
  const twice = [...linesOf([ENTRIES[3]!], 3), Buffer.of(10), ...linesOf([ENTRIES[4]!], 3)]
  expect(await contentsIn(Buffer.concat([journal(ENTRIES.slice(0, 3)), ...twice]))).toMatchObject({ damaged: false })
  const cutAgain = Buffer.concat([journal(ENTRIES.slice(0, 3)), ...twice]).subarray(0, -20)
  expect(await contentsIn(cutAgain)).toMatchObject({ damaged: false })
  // But one that was there, and is not any more, is missed.
  const lost = Buffer.concat([journal(ENTRIES.slice(0, 3)), ...failed, ...linesOf([ENTRIES[4]!], 4)])
  expect(await contentsIn(lost)).toMatchObject({ damaged: true })
})

test('orders of another cluster in the same file are not used, and said; a newer version anywhere in it counts', async () => {
  const foreign: JournalEntry = { type: 'about-to-reorder', clusterId: 'd', batch: 1, orders: [order(7)] }
  const both = Buffer.concat([journal(ENTRIES.slice(0, 3)), ...linesOf([foreign], 3)])
  const contents = await contentsIn(both)
  expect(contents).toMatchObject({
    clusterId: 'c',
    damaged: true,
    notes: [expect.stringContaining('of another cluster')],
  })
  expect(contents.left.map(({ partition }) => partition)).toEqual([0, 1])
  expect(await contentsIn(journal([{ ...OPENED, format: 2 }, OPENED]))).toMatchObject({ newer: true })
})

test('what a newer version wrote is not understood, and known as such', async () => {
  expect((await contentsIn(journal([{ ...OPENED, format: 2 }]))).newer).toBe(true)
  const strange = linesOf([{ type: 'something-new' } as unknown as JournalEntry], 1)
  expect(await contentsIn(Buffer.concat([journal([OPENED]), ...strange]))).toMatchObject({
    newer: true,
    damaged: false,
  })
})

test('an empty file, from a crash right after it was made, leaves nothing', async () => {
  expect(await contentsIn(new Uint8Array())).toMatchObject({ left: [], damaged: false, newer: false, clusterId: null })
})
