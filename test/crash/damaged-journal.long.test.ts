import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import { JOURNAL_FORMAT, type JournalEntry } from '../../src/recovery/journal/entry.js'
import { encodeLine } from '../../src/recovery/journal/line.js'
import { ownFolder } from '../cli/harness.js'
import { toldByJournals } from './journal-lines.js'
import { type Night, startNight } from './night.js'
import { killedElecting, PATIENT, undisturbed } from './survive.js'

// Proves, with the real program: whatever lies in a journal's place is said in a line, never ends the program, keeps elections back where it may
// concern this cluster, and what can be read of it is put back.

const folder = ownFolder()
const PARTITIONS = 12
/** A journal of a run that was killed with the orders of all but every fourth partition changed. */
let journal: Buffer
let steps: readonly string[] = []

beforeAll(async () => {
  steps = await undisturbed(PARTITIONS, folder.path('plan.json'))
  await using night = await killedElecting(PARTITIONS, folder.path('plan.json'), steps)
  journal = readFileSync(join(night.home.journals, nameOf(night)))
}, 240_000)

const nameOf = (night: Night) => readdirSync(night.home.journals)[0] ?? ''
describe('in its place, with the real program', () => {
  const garbage = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7919) % 256))
  const of = (clusterId: string, format = JOURNAL_FORMAT): JournalEntry => ({
    type: 'opened',
    format,
    purpose: 'apply',
    planId: null,
    clusterId,
    startedAt: '2026-01-01T00:00:00.000Z',
    owner: { pid: 1, host: 'h', bootId: null, startTicks: null, pidNamespace: null },
  })
  const line = (entry: JournalEntry) => encodeLine({ seq: 0, at: '2026-01-01T00:00:00.000Z', entry })

  interface Case {
    /** Puts something in the place of the journal. */
    readonly put: (path: string) => void
    readonly said: RegExp
    /** restore: its exit code, and how many of the nine orders it puts back. */
    readonly restore: readonly [exit: number, restored: number]
    /** Nothing is elected before it is looked at; false: it is no concern of this cluster. */
    readonly refused?: boolean
  }
  const cases: Record<string, Case> = {
    'an empty file': {
      put: (path) => writeFileSync(path, ''),
      said: /^(?!.*unfinished)/s,
      restore: [0, 0],
      refused: false,
    },
    'binary garbage': { put: (path) => writeFileSync(path, garbage), said: /lines are damaged/, restore: [1, 0] },
    'the journal with its first line damaged': {
      put: (path) => writeFileSync(path, Buffer.concat([Buffer.from('x'), journal.subarray(1)])),
      said: /9 assignments may be re-ordered.*line 1 is damaged/,
      restore: [1, 9],
    },
    'the journal with garbage behind it': {
      put: (path) => writeFileSync(path, Buffer.concat([journal, garbage])),
      said: /9 assignments may be re-ordered.*lines are damaged/,
      restore: [1, 9],
    },
    'the journal cut in its last line': {
      put: (path) => truncateSync(path, journal.length - 10),
      said: /9 assignments may be re-ordered.*line 4 was cut off/,
      restore: [0, 9],
    },
    'a symbolic link to it': {
      put: (path) => {
        writeFileSync(`${path}.there`, journal)
        rmSync(path)
        symlinkSync(`${path}.there`, path)
      },
      said: /9 assignments may be re-ordered/,
      restore: [0, 9],
    },
    'a symbolic link to nothing': {
      put: (path) => {
        rmSync(path)
        symlinkSync(`${path}.nowhere`, path)
      },
      said: /cannot be read: ENOENT.*kafka-recovery restore/,
      restore: [1, 0],
    },
    'a symbolic link to itself': {
      put: (path) => {
        rmSync(path)
        symlinkSync(path, path)
      },
      said: /cannot be read: ELOOP/,
      restore: [1, 0],
    },
    'a folder': {
      put: (path) => {
        rmSync(path)
        mkdirSync(path)
      },
      said: /cannot be read: it is a folder, not a file/,
      restore: [1, 0],
    },
    'one of a newer version': {
      put: (path) => writeFileSync(path, Buffer.concat([line(of('SIMULATED-crash', JOURNAL_FORMAT + 1)), journal])),
      said: /restore it with the newer version/,
      restore: [1, 0],
    },
    'one of another cluster': {
      put: (path) =>
        writeFileSync(
          path,
          Buffer.concat([
            line(of('elsewhere')),
            encodeLine({
              seq: 1,
              at: '2026-01-01T00:00:00.000Z',
              entry: {
                type: 'about-to-reorder',
                clusterId: 'elsewhere',
                batch: 1,
                orders: [{ topic: 'orders', topicId: null, partition: 0, original: [1, 2, 3], election: [2, 1, 3] }],
              },
            }),
          ]),
        ),
      said: /of cluster elsewhere, 1 assignment may be re-ordered/,
      restore: [0, 0],
      refused: false,
    },
  }

  async function look(night: Night, { said, restore: [exit, restored], refused = true }: Case): Promise<void> {
    const { home } = night
    const status = await home.run(['status'])
    expect(status.exit).toBe(0)
    expect(status.stderr).toMatch(said)
    const lines = status.stderr.split('\n').filter((one) => one.includes('unfinished journal'))
    expect(lines.length).toBeLessThanOrEqual(1)
    for (const one of lines) expect(one.length).toBeLessThan(600)

    const orders = night.orders()
    const sent = night.writes.length
    // All lead already: where nothing stands in its way, it has nothing to do.
    const elect = await home.run(['elect', '--plan', folder.path('plan.json'), '--yes', ...PATIENT])
    expect(elect.exit, elect.stderr).toBe(refused ? 4 : 0)
    expect(night.writes).toHaveLength(sent)
    const ran = await home.run(['restore', '--yes', '--json'], { clockAheadMs: 80_000 })
    expect([ran.exit, JSON.parse(ran.stdout).restored.length], ran.stdout + ran.stderr).toEqual([exit, restored])
    expect(ran.stderr).not.toMatch(/^\s+at /m)
    if (restored === 0) {
      expect(night.orders()).toEqual(orders)
      expect(night.writes).toHaveLength(sent)
    }
  }

  test.each(Object.entries(cases))(
    '%s',
    async (_, one) => {
      await using night = await killedElecting(PARTITIONS, folder.path('plan.json'), steps)
      one.put(join(night.home.journals, nameOf(night)))
      await look(night, one)
    },
    60_000,
  )

  test('a pipe does not hang it', async () => {
    await using night = await killedElecting(PARTITIONS, folder.path('plan.json'), steps)
    const path = join(night.home.journals, nameOf(night))
    rmSync(path)
    await execa('mkfifo', [path])
    await look(night, { put: () => {}, said: /cannot be read: it is no regular file/, restore: [1, 0] })
  }, 240_000)

  test('what cannot be read keeps elections back, and is not touched', async () => {
    await using night = await startNight(PARTITIONS)
    mkdirSync(night.home.journals)
    const path = join(night.home.journals, '2026-01-01T000000.000Z-00000000.journal.jsonl')
    mkdirSync(path)
    const elect = ['elect', '--plan', folder.path('plan.json'), '--yes', ...PATIENT]
    const refused = await night.home.run(elect)
    expect(refused.exit).toBe(4)
    expect(refused.stderr).toMatch(
      /it is a folder, not a file; make it readable for: kafka-recovery restore, or move it away/,
    )
    expect(night.writes).toEqual([])
    rmSync(path, { recursive: true })
    expect((await night.home.run(elect)).exit).toBe(0)
    expect(toldByJournals(night.home.journals).left).toEqual(new Set())
  }, 240_000)
})
