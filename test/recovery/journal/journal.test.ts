import { expect, test } from 'vitest'
import { describeUnfinished, findUnfinished, openJournals } from '../../../src/recovery/journal/found.js'
import { type JournalHeader, startJournal } from '../../../src/recovery/journal/journal.js'
import { FakeProcesses, MemoryStorage } from './memory-storage.js'

const header: JournalHeader = { purpose: 'apply', planId: 'p', clusterId: 'c', bytes: 100 }
const order = { topic: 't', topicId: null, partition: 0, original: [1, 2], election: [2, 1] }

function here(processes = new FakeProcesses(), disk = new Map<string, Uint8Array>()) {
  return { storage: new MemoryStorage(disk), processes, now: () => new Date('2026-01-01T00:00:00Z') }
}

async function interrupted(place: ReturnType<typeof here>) {
  const journal = await startJournal(place, header)
  await journal.append({ type: 'about-to-reorder', clusterId: 'c', batch: 1, orders: [order] })
  return journal
}

test('a journal of a running process is no unfinished one, but keeps every other away from its cluster', async () => {
  const place = here()
  await interrupted(place)
  expect(await findUnfinished(place.storage, place.processes)).toEqual([])
  await expect(startJournal(place, header)).rejects.toMatchObject({ reason: 'running' })
  await expect(startJournal(place, { ...header, purpose: 'restore' })).rejects.toMatchObject({ reason: 'running' })
  await expect(startJournal(place, { ...header, clusterId: 'other' })).resolves.toBeDefined()
})

test('once that process has died, applying is refused and names restore, restoring is let through', async () => {
  const place = here()
  await interrupted(place)
  place.processes.restart()
  await expect(startJournal(place, header)).rejects.toMatchObject({
    reason: 'unfinishedJournal',
    message: expect.stringMatching(/of cluster c, 1 assignment may be re-ordered; .*kafka-recovery restore/),
  })
  await expect(startJournal(place, { ...header, purpose: 'restore' })).resolves.toBeDefined()
})

test('a process that gave up on it does not have to end first', async () => {
  const place = here()
  const journal = await interrupted(place)
  await journal.suspend('cluster lost')
  expect(await findUnfinished(place.storage, place.processes)).toMatchObject([{ holder: 'gone' }])
})

test('a journal from another host is told as such: nobody can say from here whether that run has ended', async () => {
  const disk = new Map<string, Uint8Array>()
  await interrupted(here(new FakeProcesses(1, 'bastion-2'), disk))
  const place = here(new FakeProcesses(), disk)
  const [found] = await findUnfinished(place.storage, place.processes)
  expect(describeUnfinished(found!)).toContain('bastion-2')
  await expect(startJournal(place, header)).rejects.toMatchObject({ reason: 'unfinishedJournal' })
})

test('one from another host that has announced nothing yet may be at work: nothing is begun beside it, restore sets it aside', async () => {
  const disk = new Map<string, Uint8Array>()
  await startJournal(here(new FakeProcesses(1, 'bastion-2'), disk), header)
  const place = here(new FakeProcesses(), disk)
  await expect(startJournal(place, header)).rejects.toMatchObject({
    reason: 'unfinishedJournal',
    message: expect.stringMatching(/host bastion-2: make sure that run has ended.*kafka-recovery restore/),
  })
})

test('a dead process that had announced nothing leaves nothing unfinished', async () => {
  const place = here()
  await startJournal(place, header)
  place.processes.restart()
  expect(await findUnfinished(place.storage, place.processes)).toEqual([])
  await expect(startJournal(place, header)).resolves.toBeDefined()
})

test('two that start at the same moment never both go on', async () => {
  const disk = new Map<string, Uint8Array>()
  const both = await Promise.allSettled([
    startJournal(here(new FakeProcesses(1), disk), header),
    startJournal(here(new FakeProcesses(2), disk), header),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'running' })
  // Whoever gave way has left nothing behind that would stop the next one.
  const place = here(new FakeProcesses(3), disk)
  const open = await openJournals(place.storage, place.processes)
  expect(open.length).toBe(both.filter(({ status }) => status === 'fulfilled').length)
})

test('a file that cannot be read stops whoever wants to write', async () => {
  const place = here()
  await interrupted(place)
  place.storage.read = () => {
    throw new Error('EACCES: permission denied')
  }
  await expect(startJournal(place, header)).rejects.toMatchObject({ message: expect.stringContaining('EACCES') })
})
