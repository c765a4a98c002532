import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findUnfinished } from '../../../src/recovery/journal/found.js'
import { startJournal, takeOverJournal } from '../../../src/recovery/journal/journal.js'
import { nodeJournalStorage } from '../../../src/recovery/journal/node-storage.js'
import { FakeProcesses } from './memory-storage.js'

let home: string
let folder: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'journal-'))
  folder = join(home, 'state', 'journal')
})
afterEach(() => rm(home, { recursive: true, force: true }))

const header = { purpose: 'apply', planId: 'p', clusterId: 'c', bytes: 10_000 } as const
const place = (processes = new FakeProcesses()) => ({
  storage: nodeJournalStorage(folder),
  processes,
  now: () => new Date(),
})
const order = { topic: 't', topicId: null, partition: 0, original: [1, 2], election: [2, 1] }

describe('on a real disk', () => {
  test('folder and file are for their owner alone; nothing of the probe stays; a closed journal is set aside', async () => {
    const here = place()
    const journal = await startJournal(here, header)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(journal.path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual([journal.name])
    await journal.append({ type: 'about-to-reorder', clusterId: 'c', batch: 1, orders: [order] })
    await journal.close()
    expect(await readdir(folder)).toEqual([journal.name.replace('.journal.', '.closed.')])
    expect(await findUnfinished(here.storage, here.processes)).toEqual([])
  })

  test('a folder that does not exist holds nothing', async () => {
    expect(await findUnfinished(nodeJournalStorage(folder), new FakeProcesses())).toEqual([])
  })

  test('where no folder can be made, it is refused with the way on', async () => {
    await writeFile(join(home, 'state'), 'a file')
    await expect(startJournal(place(), header)).rejects.toMatchObject({
      reason: 'journalUnavailable',
      message: expect.stringContaining('KAFKA_RECOVERY_HOME'),
    })
  })

  test('an interrupted journal with a cut line can be written on, and read after that', async () => {
    const processes = new FakeProcesses()
    const journal = await startJournal(place(processes), header)
    await journal.append({ type: 'about-to-reorder', clusterId: 'c', batch: 1, orders: [order] })
    await appendFile(journal.path, '{"crc":"00000000","seq":2,"at":')
    processes.restart()
    const here = place(processes)
    const [found] = await findUnfinished(here.storage, processes)
    expect(found?.contents).toMatchObject({ damaged: false, left: [{ partition: 0 }], nextSeq: 2 })
    const taken = await takeOverJournal(here, found!)
    expect(await findUnfinished(here.storage, processes)).toMatchObject([{ contents: { damaged: false } }])
    await taken.append({ type: 'put-back', partitions: [{ topic: 't', partition: 0 }] })
    await taken.close()
    expect(await findUnfinished(here.storage, processes)).toEqual([])
    const lines = (await readFile(join(folder, (await readdir(folder))[0]!), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(6)
  })
})
