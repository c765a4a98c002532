import { describe, expect, test } from 'vitest'
import { type AssignmentOrder, RequestFailedError } from '../../../src/cluster/cluster.js'
import { runPlan } from '../../../src/recovery/apply/apply-plan.js'
import { findUnfinished } from '../../../src/recovery/journal/found.js'
import { planRestore, type RestoreOptions, restoreOrders } from '../../../src/recovery/restore/restore.js'
import { FakeCluster, type Fault } from '../apply/fake-cluster.js'
import {
  OPTIONS,
  offlinePartition,
  outcomeFor,
  planOf,
  portsFor,
  RESTORE_OPTIONS,
  run,
} from '../apply/recovery-bench.js'
import { VirtualClock } from '../apply/virtual-clock.js'
import { FakeProcesses, MemoryStorage, Power, PowerCut } from '../journal/memory-storage.js'

const ELECT = 10

/** A run that lost its cluster right after re-ordering; the cluster is back now, without a leader. */
async function interrupted(at = ELECT, fault: Fault = { kind: 'gone' }, attempts = 3) {
  const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0)], new Map([[at, fault]]))
  const storage = new MemoryStorage()
  const ports = portsFor(fake, storage)
  const { report } = await run(fake, await planOf(fake, ['t-0']), { ports, options: { electionAttempts: attempts } })
  fake.isGone = false
  fake.holdStill()
  const restore = async (options: Partial<RestoreOptions> = {}) =>
    restoreOrders(fake, await findUnfinished(storage, new FakeProcesses()), ports, { ...RESTORE_OPTIONS, ...options })
  const preview = async () =>
    planRestore(fake, await findUnfinished(storage, new FakeProcesses()), fake.clock, RESTORE_OPTIONS)
  const unfinished = () => findUnfinished(storage, new FakeProcesses())
  const journals = (read: Awaited<ReturnType<typeof unfinished>>) => restoreOrders(fake, read, ports, RESTORE_OPTIONS)
  return { fake, report, restore, preview, unfinished, journals }
}

describe('what is put back', () => {
  test('with a leader: at once, previewed word for word, and the journal is closed', async () => {
    const { fake, restore, preview, unfinished } = await interrupted()
    fake.leaderAppears('t-0', 3)
    expect((await preview()).toRestore).toEqual([{ topic: 't', partition: 0, present: [3, 2, 1], original: [1, 2, 3] }])
    expect(await restore()).toMatchObject({ restored: [{ topic: 't', partition: 0 }], left: [], unknown: [] })
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    expect(await unfinished()).toEqual([])
  })

  test('without a leader: after the time in which a lost election may still come, and it says that it waits', async () => {
    const { fake, restore } = await interrupted()
    const before = fake.clock.monotonicMs()
    const said: string[] = []
    const report = await restore({ onWait: (text) => said.push(text) })
    expect(report.restored).toHaveLength(1)
    expect(said).toHaveLength(1)
    expect(fake.clock.monotonicMs() - before).toBeGreaterThan(20_000)
    expect(fake.partition('t-0')).toMatchObject({ leader: null, replicas: [1, 2, 3] })
  })

  test('an election that comes late still finds its order: the chosen one leads, then the order is put back', async () => {
    const { fake, report, restore } = await interrupted(ELECT, { kind: 'late', ms: 50_000 }, 0)
    expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'unknown', attempts: 1 })
    expect(report.openJournal).not.toBeNull()
    expect(fake.partition('t-0').replicas).toEqual([3, 2, 1])
    expect((await restore()).restored).toHaveLength(1)
    expect(fake.partition('t-0')).toMatchObject({ leader: 3, replicas: [1, 2, 3] })
  })
})

test('what another restore has settled since the journals were read is not touched again', async () => {
  const { fake, restore, unfinished, journals } = await interrupted()
  fake.leaderAppears('t-0', 3)
  const read = await unfinished()
  await restore()
  const writes = fake.writes.length
  fake.change(fake.partition('t-0'), { replicas: [3, 2, 1] })
  expect(await journals(read)).toMatchObject({ restored: [], inPlace: [], left: [], unknown: [], complete: true })
  expect(fake.writes).toHaveLength(writes)
})

test('a re-ordering that comes after the process died is waited for, and undone', async () => {
  const faults: [number, Fault][] = [
    [7, { kind: 'late', ms: 30_000 }],
    [8, { kind: 'gone' }],
  ]
  const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0)], new Map(faults))
  const storage = new MemoryStorage()
  const ports = portsFor(fake, storage)
  await run(fake, await planOf(fake, ['t-0']), { ports, options: { electionAttempts: 0 } })
  fake.isGone = false
  fake.holdStill()
  const report = await restoreOrders(fake, await findUnfinished(storage, new FakeProcesses()), ports, RESTORE_OPTIONS)
  fake.finishLate()
  expect(report.restored).toHaveLength(1)
  expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
})

test('a putting back that comes after the process died is waited for: without a leader the next run would find it under its election', async () => {
  const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0)])
  const plan = await planOf(fake, ['t-0'])
  const disk = new Map<string, Uint8Array>()
  const processes = new FakeProcesses()
  // It dies when it has sent the second re-ordering, which is on its way for another minute.
  const power = new Power()
  const supplied = power.supply(fake)
  const dying = {
    ...supplied,
    elect: async () => {
      fake.clock.pass(70_000)
      throw new RequestFailedError('refused', true, 'errorCode', false)
    },
    reorder: async (orders: readonly AssignmentOrder[], timeoutMs: number) => {
      if (fake.writes.length === 0) return supplied.reorder(orders, timeoutMs)
      power.isOff = true
      fake.later(60_000, () => fake.reorder(orders))
      throw new PowerCut()
    },
  }
  const ports = portsFor(fake, new MemoryStorage(disk, power), processes)
  await runPlan(dying, plan, ports, OPTIONS, () => {}).catch(() => {})
  processes.restart()

  const storage = new MemoryStorage(disk)
  const place = portsFor(fake, storage, processes)
  const report = await restoreOrders(fake, await findUnfinished(storage, processes), place, RESTORE_OPTIONS)
  expect(report.restored).toHaveLength(1)
  expect(fake.late).toBe(0)
  expect(fake.partition('t-0')).toMatchObject({ leader: null, replicas: [1, 2, 3] })
})

test('one that is seen in place is put back without waiting for what cannot come any more', async () => {
  // The process dies after the re-ordering was carried out and before it knows: nothing else was sent.
  const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0)])
  const plan = await planOf(fake, ['t-0'])
  const disk = new Map<string, Uint8Array>()
  const processes = new FakeProcesses()
  let cutAt = 1
  for (; String(fake.partition('t-0').replicas) === '1,2,3'; cutAt += 1) {
    disk.clear()
    const power = new Power(cutAt, 'after')
    await runPlan(
      power.supply(fake),
      plan,
      portsFor(fake, new MemoryStorage(disk, power), processes),
      OPTIONS,
      () => {},
    ).catch(() => {})
    processes.restart()
  }
  const storage = new MemoryStorage(disk)
  const before = fake.clock.monotonicMs()
  const report = await restoreOrders(
    fake,
    await findUnfinished(storage, processes),
    portsFor(fake, storage, processes),
    RESTORE_OPTIONS,
  )
  expect(report.restored).toHaveLength(1)
  expect(fake.clock.monotonicMs() - before).toBeLessThan(1_000)
})

describe('what is left, and said', () => {
  const guards: [string, (fake: FakeCluster) => void, RegExp, boolean][] = [
    [
      'a broker would become leader at the touch',
      (fake) => fake.change(fake.partition('t-0'), { elr: [], lastKnownElr: [2] }),
      /broker 2 leader/,
      true,
    ],
    [
      'someone else changed it',
      (fake) => fake.change(fake.partition('t-0'), { replicas: [2, 3, 1] }),
      /someone else/,
      true,
    ],
    ['other members', (fake) => fake.change(fake.partition('t-0'), { replicas: [2, 3, 4] }), /someone else/, false],
    [
      'a reassignment is under way',
      (fake) => fake.change(fake.partition('t-0'), { reassigning: true }),
      /reassignment/,
      true,
    ],
    [
      'the topic was made anew',
      (fake) => fake.change(fake.partition('t-0'), { topicId: 'BBBBBBBBBBBBBBBBBBBBBB' }),
      /anew/,
      false,
    ],
    ['the topic is gone', (fake) => fake.remove('t-0'), /not there any more/, false],
  ]
  test.each(guards)('%s', async (_, happen, reason, byHand) => {
    const { fake, restore, preview, unfinished } = await interrupted()
    happen(fake)
    const writes = fake.writes.length
    expect((await preview()).left).toHaveLength(1)
    const { left, restored } = await restore()
    expect(restored).toEqual([])
    expect(left).toMatchObject([{ topic: 't', partition: 0, reason: expect.stringMatching(reason) }])
    expect(left[0]!.reassignmentJson !== null).toBe(byHand)
    if (byHand)
      expect(JSON.parse(left[0]!.reassignmentJson!).partitions).toEqual([
        { topic: 't', partition: 0, replicas: [1, 2, 3] },
      ])
    expect(fake.writes).toHaveLength(writes)
    // Reported: it does not stand in the way of the next election.
    expect(await unfinished()).toEqual([])
  })

  test('with unclean elections enabled any touch elects', async () => {
    const { restore } = await interrupted()
    const config = { minInsyncReplicas: 1, uncleanLeaderElection: true, cleanupPolicy: null, remoteStorage: null }
    const { left } = await restore({ topicConfigs: new Map([['t', config]]) })
    expect(left).toHaveLength(1)
  })

  test('nobody answers: not known, and the journal stays open', async () => {
    const { fake, restore, unfinished } = await interrupted()
    fake.isGone = true
    expect((await restore()).unknown).toMatchObject([{ topic: 't', partition: 0 }])
    expect(await unfinished()).toHaveLength(1)
  })

  test('a journal of another cluster is left alone, and said', async () => {
    const { fake, restore, unfinished } = await interrupted()
    const { notes, restored, complete } = await restore({ clusterId: 'other' })
    expect(restored).toEqual([])
    expect(notes).toMatchObject([expect.stringContaining('of cluster fake')])
    expect(complete).toBe(true)
    expect(fake.partition('t-0').replicas).toEqual([3, 2, 1])
    expect(await unfinished()).toHaveLength(1)
  })

  test('read-only is refused', async () => {
    const { restore } = await interrupted()
    await expect(restore({ readOnly: true })).rejects.toMatchObject({ reason: 'readOnly' })
  })
})
