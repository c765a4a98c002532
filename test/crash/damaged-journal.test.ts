import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { runPlan } from '../../src/recovery/apply/apply-plan.js'
import { readContents } from '../../src/recovery/journal/contents.js'
import { describeUnfinished, findUnfinished } from '../../src/recovery/journal/found.js'
import { nodeJournalStorage } from '../../src/recovery/journal/node-storage.js'
import { FakeCluster } from '../recovery/apply/fake-cluster.js'
import { OPTIONS, offlinePartition, planOf, portsFor } from '../recovery/apply/recovery-bench.js'
import { VirtualClock } from '../recovery/apply/virtual-clock.js'
import { FakeProcesses, MemoryStorage, Power } from '../recovery/journal/memory-storage.js'

// Proves: whatever became of a journal's bytes, and whatever lies in its place, is said in a line, and no order is told that was not written
// as it is told; so nothing is put back on the strength of a damaged line. With the real program: damaged-journal.long.test.ts.

const PARTITIONS = 9
/** `FC_RUNS=10`: longer. */
const RUNS = Number(process.env.FC_RUNS ?? 1)
const ALL_BITS = RUNS > 1
/** Of a run that died when it had re-ordered all of them, and announced their election. */
let journal: Buffer

beforeAll(async () => {
  for (let cutAt = 1; !journal?.includes('about-to-elect'); cutAt += 1) {
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => offlinePartition(partition))
    const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), partitions)
    const plan = await planOf(
      fake,
      partitions.map(({ partition }) => `t-${partition}`),
    )
    const power = new Power(cutAt, 'after')
    const disk = new Map<string, Uint8Array>()
    const ports = portsFor(fake, new MemoryStorage(disk, power))
    await runPlan(power.supply(fake), plan, ports, OPTIONS, () => {}).catch(() => {})
    journal = Buffer.from([...disk.values()][0] ?? [])
  }
})

const namesIn = (left: readonly { topic: string; partition: number; original: readonly number[] }[]) =>
  left.map(({ topic, partition, original }) => `${topic}-${partition} ${original.join()}`).sort()

describe('its bytes', () => {
  const whole = () => readContents([journal])

  test('cut at every byte: what is left is what the lines before the cut tell, and nothing is made up', async () => {
    const all = namesIn((await whole()).left)
    expect(all).toHaveLength(PARTITIONS)
    for (let length = 0; length <= journal.length; length += 1 + (RUNS > 1 ? 0 : length % 2)) {
      const { left, damaged, notes } = await readContents([journal.subarray(0, length)])
      expect(damaged).toBe(false)
      expect(notes.length).toBeLessThanOrEqual(1)
      expect([0, all.length]).toContain(left.length)
      expect(all).toEqual(expect.arrayContaining(namesIn(left)))
    }
  })

  test('every byte changed in a bit: said, and no order is told that was not written', async () => {
    const all = namesIn((await whole()).left)
    for (let at = 0; at < journal.length; at += 1) {
      for (const bit of ALL_BITS ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
        const bytes = Buffer.from(journal)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        const { left, damaged, newer, notes } = await readContents([bytes])
        expect(notes.length, `bit ${bit} of byte ${at}`).toBeGreaterThan(0)
        expect(newer).toBe(false)
        expect(all).toEqual(expect.arrayContaining(namesIn(left)))
        // What is missing is known to be missing.
        if (left.length < all.length) expect(damaged, `bit ${bit} of byte ${at}`).toBe(true)
      }
    }
  }, 240_000)

  test('cut out, doubled, moved, overwritten, mixed with garbage, in any pieces: never more than was written', async () => {
    const all = namesIn((await whole()).left)
    const place = fc.nat({ max: journal.length })
    const change = fc.oneof(
      fc.record({ kind: fc.constant('remove' as const), at: place, length: fc.nat({ max: 600 }) }),
      fc.record({ kind: fc.constant('double' as const), at: place, length: fc.nat({ max: 3_000 }) }),
      fc.record({ kind: fc.constant('insert' as const), at: place, bytes: fc.uint8Array({ maxLength: 200 }) }),
      fc.record({ kind: fc.constant('zeros' as const), at: place, length: fc.nat({ max: 600 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.integer({ min: 1, max: 500 }), async (changes, size) => {
        let bytes = journal
        for (const one of changes) {
          const [before, after] = [bytes.subarray(0, one.at), bytes.subarray(one.at)]
          if (one.kind === 'remove') bytes = Buffer.concat([before, after.subarray(one.length)])
          else if (one.kind === 'insert') bytes = Buffer.concat([before, one.bytes, after])
          else if (one.kind === 'double') bytes = Buffer.concat([before, after.subarray(0, one.length), after])
          else
            bytes = Buffer.concat([
              before,
              Buffer.alloc(Math.min(one.length, after.length)),
              after.subarray(one.length),
            ])
        }
        const pieces: Buffer[] = []
        for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
        const inPieces = await readContents(pieces)
        expect(inPieces).toEqual(await readContents([bytes]))
        expect(all).toEqual(expect.arrayContaining(namesIn(inPieces.left)))
      }),
      { numRuns: 300 * RUNS },
    )
  })

  test('a gigabyte is read in bounded memory and time: one line without end, nothing but newlines, garbage behind a journal', async () => {
    const piece = (fill: number) => Buffer.alloc(1024 * 1024, fill)
    function* times(count: number, bytes: Buffer, first: readonly Buffer[] = []) {
      yield* first
      for (let n = 0; n < count; n += 1) yield bytes
    }
    const before = process.memoryUsage().arrayBuffers
    const started = performance.now()
    for (const [pieces, left] of [
      [times(1024, piece(0x41)), 0],
      [times(1024, piece(10)), 0],
      [times(1024, piece(0), [journal]), PARTITIONS],
      // Beginnings of lines, as writes that failed leave them.
      [times(1024, Buffer.from('{"crc":"00000000","seq":0,\n'.repeat(40_000))), 0],
    ] as const) {
      const contents = await readContents(pieces)
      expect(contents.damaged).toBe(true)
      expect(contents.left).toHaveLength(left)
      expect(contents.notes.join().length).toBeLessThan(200)
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * 1024 * 1024)
    expect(performance.now() - started).toBeLessThan(20_000)
  }, 240_000)
})

describe('what lies in its place', () => {
  const NAME = '2026-01-01T000000.000Z-00000000.journal.jsonl'

  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    [
      'a folder',
      (path) => mkdir(path),
      /cannot be read: it is a folder, not a file; make it readable for: kafka-recovery restore/,
    ],
    ['a link to nothing', (path) => symlink(`${path}.nowhere`, path), /cannot be read: ENOENT/],
    ['a link to itself', (path) => symlink(path, path), /cannot be read: ELOOP/],
    ['a pipe, which nobody writes to', (path) => execa('mkfifo', [path]), /cannot be read: it is no regular file/],
    [
      'garbage',
      (path) => writeFile(path, Buffer.alloc(5_000, 7)),
      /of an unknown cluster, 0 assignments .*line 1 is damaged.*kafka-recovery restore/,
    ],
    [
      'a link to the journal',
      async (path) => {
        await writeFile(`${path}.there`, journal)
        await symlink(`${path}.there`, path)
      },
      /of cluster fake, 9 assignments may be re-ordered; put them back with: kafka-recovery restore/,
    ],
  ])('%s: found, and told in one line', async (_, put, told) => {
    const folder = await mkdtemp(join(tmpdir(), 'crash-test-'))
    try {
      await put(join(folder, NAME))
      const processes = new FakeProcesses()
      processes.restart()
      const [found, ...others] = await findUnfinished(nodeJournalStorage(folder), processes)
      expect(others).toEqual([])
      expect(describeUnfinished(found!)).toMatch(told)
      expect(describeUnfinished(found!)).not.toContain('\n')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
