import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PartitionState } from '../../../src/cluster/snapshot.js'
import type { Alarm } from '../../../src/recovery/returns/alarms.js'
import { nodeSeenEmptyStorage } from '../../../src/recovery/returns/node-seen-empty-storage.js'
import {
  rememberSeenEmpty,
  type SeenEmpty,
  seenEmptyAway,
  seenEmptyNow,
} from '../../../src/recovery/returns/seen-empty.js'

const state = (more: Partial<PartitionState> = {}): PartitionState => ({
  topic: 'ledger',
  topicId: 'id',
  partition: 0,
  leader: null,
  leaderEpoch: 5,
  replicas: [1, 2],
  isr: [],
  elr: [],
  lastKnownElr: [1],
  offlineReplicas: [],
  ...more,
})
const ALARM: Alarm = {
  code: 'emptyLogMayLead',
  text: 'text',
  broker: 1,
  partitions: [{ topic: 'ledger', partition: 0 }],
}
const SEEN: SeenEmpty = {
  broker: 1,
  seenAt: new Date(1000),
  partitions: [{ topic: 'ledger', topicId: 'id', partition: 0, leaderEpoch: 5 }],
  elected: [],
}
/** The same, once others lead. */
const ELECTED: SeenEmpty = { ...SEEN, partitions: [], elected: SEEN.partitions }
const never = () => false
const NOW = new Date(2000)

describe('a broker that was seen with an empty log', () => {
  it('is remembered from the alarm, and after it as long as nothing was elected', () => {
    expect(seenEmptyNow([], [ALARM], { partitions: [state()] }, never, NOW)).toEqual([{ ...SEEN, seenAt: NOW }])
    // Stopped, as the alarm says: no alarm any more.
    expect(seenEmptyNow([SEEN], [], { partitions: [state()] }, never, NOW)).toEqual([SEEN])
    expect(seenEmptyNow([SEEN], [ALARM], { partitions: [state()] }, never, NOW)).toEqual([{ ...SEEN, seenAt: NOW }])
  })

  it.each([
    ['it is in sync', [state({ leader: 2, isr: [2, 1] })], never],
    ['it is no replica any more', [state({ replicas: [2, 3] })], never],
    ['the topic was made anew', [state({ topicId: 'other' })], never],
    ['the partition is gone', [], never],
    ['its log was read, and has records: the old disk is back', [state()], () => true],
  ])('is forgotten once %s', (_, partitions, hasRecords) => {
    for (const before of [SEEN, ELECTED]) {
      expect(seenEmptyNow([before], [], { partitions }, hasRecords, NOW)).toEqual([])
    }
  })

  it.each([
    ['a leader was elected', state({ leader: 2, leaderEpoch: 6, isr: [2] })],
    ['one was elected, and is gone again', state({ leaderEpoch: 7, elr: [2], lastKnownElr: [2] })],
    [
      'one was elected that tells no ELR, and is gone again',
      state({ leaderEpoch: 7, isr: [2], elr: null, lastKnownElr: null }),
    ],
    // Its log has records again as soon as it copies: that is no old disk.
    ['it is back, and copies', state({ leader: 2, leaderEpoch: 6, isr: [2, 3], replicas: [1, 2, 3] })],
  ])('is no danger any more once %s; that its disk is not the old one is remembered', (_, now) => {
    for (const before of [SEEN, ELECTED]) {
      const hasRecords = () => now.leader !== null
      const seen = seenEmptyNow([before], [], { partitions: [now] }, hasRecords, NOW)
      expect(seen).toEqual([ELECTED])
      // Nothing is advised because of it.
      expect(seenEmptyAway(seen, { brokers: [] })).toEqual([])
    }
  })

  // Nobody may have looked for weeks: another was elected, it came back, was in sync, and was the last one. Its disk is the best then.
  it.each([
    ['it was the last leader', state({ leaderEpoch: 8, elr: [1], lastKnownElr: [1] })],
    [
      'it was the last leader, of brokers that tell no ELR',
      state({ leaderEpoch: 8, isr: [1], elr: null, lastKnownElr: null }),
    ],
    ['another was the last leader', state({ leaderEpoch: 7, elr: [1, 2], lastKnownElr: [2] })],
    ['nobody else was in sync at last', state({ leaderEpoch: 9, isr: [1], elr: [], lastKnownElr: [] })],
  ])('is forgotten once the cluster shows that it was in sync since, though everything is down again: %s', (_, now) => {
    for (const before of [SEEN, ELECTED])
      expect(seenEmptyNow([before], [], { partitions: [now] }, never, NOW)).toEqual([])
  })

  it('is not forgotten where its name only shows that nobody has led since', () => {
    const bumped = state({ leaderEpoch: 6, lastKnownElr: [1] })
    expect(seenEmptyNow([SEEN], [], { partitions: [bumped] }, never, NOW)).toEqual([ELECTED])
  })

  it.each([
    ['with ELR', state({ leaderEpoch: 7, elr: [], lastKnownElr: [1] })],
    ['without', state({ leaderEpoch: 7, isr: [1], elr: null, lastKnownElr: null })],
  ])('is not forgotten where it may have led as it was, empty, and been stopped: %s', (_, now) => {
    for (const before of [SEEN, ELECTED])
      expect(seenEmptyNow([before], [], { partitions: [now] }, never, NOW)).toEqual([ELECTED])
  })

  it('is remembered of the same topic, whether or not a broker tells its id', () => {
    const noId = state({ topicId: null })
    expect(seenEmptyNow([SEEN], [], { partitions: [noId] }, never, NOW)).toEqual([SEEN])
    const without = { ...SEEN, partitions: SEEN.partitions.map((one) => ({ ...one, topicId: null })) }
    expect(seenEmptyNow([without], [], { partitions: [state()] }, never, NOW)).toEqual([SEEN])
  })

  it('is a danger again where it is seen empty once more', () => {
    expect(seenEmptyNow([ELECTED], [ALARM], { partitions: [state()] }, never, NOW)).toEqual([{ ...SEEN, seenAt: NOW }])
  })

  it('is not remembered for having less than others, or for not being read', () => {
    for (const code of ['shorterLogMayLead', 'unreadLogMayLead'] as const) {
      expect(seenEmptyNow([], [{ ...ALARM, code }], { partitions: [state()] }, never, NOW)).toEqual([])
    }
  })
})

describe('a watch that remembers', () => {
  const reading = (part: Partial<PartitionState> = {}) => ({
    clusterId: 'a',
    partitions: [state(part)],
    readAt: NOW,
  })

  it('knows what it saw itself, also where that cannot be kept on a full disk', async () => {
    const full = { load: async () => [], save: () => Promise.reject(new Error('ENOSPC')) }
    const seen = await rememberSeenEmpty(full, [], [ALARM], reading(), never)
    expect(seen).toHaveLength(1)
    // Stopped, as the alarm says.
    expect(await rememberSeenEmpty(full, seen, [], reading(), never)).toEqual(seen)
    expect(await rememberSeenEmpty(full, seen, [], reading({ leader: 2, isr: [2, 1] }), never)).toEqual([])
  })

  it('keeps what others saw meanwhile, and does not write it again and again', async () => {
    let kept: readonly SeenEmpty[] = []
    let writes = 0
    const memory = {
      load: async () => kept,
      save: async (_: string, seen: readonly SeenEmpty[]) => {
        kept = seen
        writes += 1
      },
    }
    const newer: SeenEmpty = {
      ...SEEN,
      partitions: [1, 0].map((partition) => ({ topic: 'ledger', topicId: 'id', partition, leaderEpoch: 8 })),
    }
    kept = [newer]
    let last: readonly SeenEmpty[] = [SEEN]
    const partitions = [0, 1].map((partition) => state({ partition, leaderEpoch: 8 }))
    for (let look = 0; look < 5; look += 1) {
      last = await rememberSeenEmpty(memory, last, [], { clusterId: 'a', partitions, readAt: NOW }, never)
      expect(last).toMatchObject([{ broker: 1, elected: [] }])
      expect(last[0]!.partitions.map(({ leaderEpoch }) => leaderEpoch)).toEqual([8, 8])
    }
    expect(writes).toBeLessThanOrEqual(1)
  })
})

describe('on disk', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seen-empty-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('outlives the program, for its owner alone, one file for each cluster', async () => {
    const storage = nodeSeenEmptyStorage(join(folder, 'seen'))
    expect(await storage.load('a')).toEqual([])
    await storage.save('a', [SEEN])
    expect(await nodeSeenEmptyStorage(join(folder, 'seen')).load('a')).toEqual([SEEN])
    await storage.save('a', [ELECTED])
    expect(await storage.load('a')).toEqual([ELECTED])
    expect(await storage.load('b')).toEqual([])
    const [name = ''] = await readdir(join(folder, 'seen'))
    expect((await stat(join(folder, 'seen', name))).mode & 0o777).toBe(0o600)
    await storage.save('a', [])
    expect(await readdir(join(folder, 'seen'))).toEqual([])
  })

  it.each(['', '{', '[]', '{"clusterId":"b","seenEmpty":[]}', '{"clusterId":"a","seenEmpty":[{"broker":"1"},3]}'])(
    'what cannot be understood counts as nothing: %s',
    async (text) => {
      const storage = nodeSeenEmptyStorage(folder)
      await storage.save('a', [SEEN])
      const [name = ''] = await readdir(folder)
      await writeFile(join(folder, name), text)
      expect(await storage.load('a')).toEqual([])
    },
  )
})
