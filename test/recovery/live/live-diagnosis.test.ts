import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../../src/recovery/diagnosis/diagnosis.js'
import { evidenceReadAt } from '../../../src/recovery/diagnosis/diagnosis.js'
import type { LiveDiagnosis } from '../../../src/recovery/use-cases/live-diagnosis.js'
import { held, settled, WatchedNight } from './watched-night.js'

/** 9 is down; a-0 can be elected, a-1 waits for 9, which led last; b-0 is contested; c-0 has a leader. */
function night() {
  return new WatchedNight({ 1: 'up', 2: 'up', 9: 'down' })
    .add('a', 0, { 1: 100, 2: 90 })
    .add('a', 1, { 1: 100, 9: 120 }, { elr: [9], lastKnownElr: [9] })
    .add('b', 0, { 1: 0, 2: 50 }, { isr: [1] })
    .add('c', 0, { 1: 10, 2: 10 }, { leader: 2, isr: [1, 2] })
}

function inGroups({ groups }: Diagnosis): Record<string, string[]> {
  return Object.fromEntries(
    groups.map(({ id, partitions }) => [id, partitions.map(({ topic, partition }) => `${topic}-${partition}`)]),
  )
}

async function diagnosed(cluster: WatchedNight): Promise<LiveDiagnosis> {
  const live = cluster.diagnose()
  cluster.show()
  await settled(() => live.current()?.progress.notRead === 0)
  await settled()
  return live
}

describe('a live diagnosis', () => {
  it('shows what is offline at once, and decides when the logs are there', async () => {
    const cluster = night()
    const { promise, release } = held()
    cluster.hold = promise
    const live = cluster.diagnose()
    expect(live.current()).toBeNull()
    cluster.show()
    await settled()
    expect(inGroups(live.current()!)).toEqual({ A: [], B: [], C: [], D: [], reading: ['a-0', 'a-1', 'b-0'] })
    expect(live.current()).toMatchObject({
      overview: { offline: 3, partitions: 4, offlineTopics: 2, toBeRead: 3 },
      progress: { notRead: 3, reading: { partitions: 3, done: 1, brokers: 2 } },
      evidenceReadAt: null,
    })
    release()
    await settled()
    expect(inGroups(live.current()!)).toEqual({ A: ['a-0'], B: ['a-1'], C: [], D: ['b-0'] })
    expect(live.current()).toMatchObject({ overview: { toBeRead: 0 }, progress: { notRead: 0, reading: null } })
    expect(live.current()?.plan.partitions.map(({ designatedLeader }) => designatedLeader)).toEqual([1, 1])
    live.stop()
  })

  it('publishes nothing, and reads no log, when a snapshot shows nothing new', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const before = live.current()
    let told = 0
    live.subscribe(() => (told += 1))
    for (let i = 0; i < 5; i += 1) {
      cluster.show()
      await settled()
    }
    expect(live.current()).toBe(before)
    expect([told, cluster.logReads.length]).toEqual([0, 1])
    live.stop()
  })

  it.each([
    ['leader epoch', { leaderEpoch: 5 }],
    ['ISR', { isr: [2] }],
    ['ELR', { elr: [2] }],
    ['last known ELR', { lastKnownElr: [2] }],
    ['offline replicas', { offlineReplicas: [2] }],
    ['assignment', { replicas: [2, 1] }],
  ])('reads the logs again of a partition whose %s changed, and of no other', async (_, state) => {
    const cluster = night()
    const live = await diagnosed(cluster)
    cluster.alter('a-0', state).show()
    await settled()
    expect(cluster.logReads.slice(1)).toEqual([['a-0']])
    expect(live.current()?.partitions[0]?.state).toMatchObject(state)
    expect(live.current()?.partitions[0]?.decided?.evidence?.state).toMatchObject(state)
    live.stop()
  })

  it('reads again what is on a broker that came or went, and tells of it', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    cluster.brokers.set(9, 'up')
    cluster.show(true)
    await settled()
    expect(cluster.logReads[1]).toEqual(['a-1'])
    expect(live.notices()).toContainEqual({
      at: expect.any(Date),
      kind: 'broker',
      broker: 9,
      from: 'down',
      to: 'up',
    })
    live.stop()
  })

  it('drops a partition that got a leader at once, also while logs are being read, and says whose', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const { promise, release } = held()
    cluster.hold = promise
    cluster.alter('b-0', { leaderEpoch: 9 }).show()
    await settled()
    const end = live.electing([{ topic: 'a', partition: 1 }])
    cluster.alter('a-0', { leader: 2 }).alter('a-1', { leader: 1 }).alter('b-0', { leader: 2 }).show()
    await settled()
    expect(live.current()?.partitions).toEqual([])
    expect(live.current()?.changes.gotLeader.map(({ topic, leader }) => `${topic} ${leader}`)).toEqual([
      'a 2',
      'a 1',
      'b 2',
    ])
    expect(live.notices().filter(({ kind }) => kind === 'leadersCameBack')).toMatchObject([
      {
        leader: 2,
        byItself: true,
        partitions: [
          { topic: 'a', partition: 0 },
          { topic: 'b', partition: 0 },
        ],
      },
      { leader: 1, byItself: false, partitions: [{ topic: 'a', partition: 1 }] },
    ])
    end()
    release()
    await settled()
    expect(live.current()?.partitions).toEqual([])
    live.stop()
  })

  it('never has two log reads under way; what changes meanwhile is read after', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const { promise, release } = held()
    cluster.hold = promise
    cluster.alter('a-0', { leaderEpoch: 5 }).show()
    await settled()
    cluster.alter('a-0', { leaderEpoch: 6 }).add('a', 2, { 1: 5, 2: 5 }).show()
    await settled()
    expect(live.current()?.progress).toMatchObject({ notRead: 1, outdated: 1 })
    release()
    await settled()
    expect(cluster.logReads.slice(1)).toEqual([['a-0'], ['a-0', 'a-2']])
    expect(cluster.mostReadsUnderWay).toBe(1)
    expect(live.current()?.progress).toMatchObject({ notRead: 0, outdated: 0 })
    expect(live.current()?.partitions[0]?.decided?.evidence?.state.leaderEpoch).toBe(6)
    live.stop()
  })

  it('knows since when each has been offline: before the first read, or since it was seen so', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const opened = cluster.clock.now()
    cluster.alter('c-0', { leader: null }).show()
    await settled()
    expect(live.current()?.partitions.map(({ topic, since }) => [topic, since])).toEqual([
      ['a', { kind: 'before', at: opened }],
      ['a', { kind: 'before', at: opened }],
      ['b', { kind: 'before', at: opened }],
      ['c', { kind: 'at', at: cluster.clock.now() }],
    ])
    expect(live.notices().at(-1)).toMatchObject({ kind: 'wentOffline', partitions: [{ topic: 'c', partition: 0 }] })
    expect(live.current()?.changes.appeared).toEqual([])
    live.stop()
  })

  it('reads all logs again with a full read, not too often, and is not changed by finding them as they were', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const before = live.current()!
    cluster.show(true)
    await settled()
    expect(cluster.logReads.length).toBe(1)
    cluster.clock.pass(30_000)
    cluster.show(true)
    await settled()
    const now = live.current()!
    expect(cluster.logReads[1]).toEqual(['a-0', 'a-1', 'b-0'])
    expect([now.partitions, now.groups, now.plan, now.overview]).toEqual([
      before.partitions,
      before.groups,
      before.plan,
      before.overview,
    ])
    expect(now.groups).toBe(before.groups)
    expect(now.evidenceReadAt).toEqual({ oldest: cluster.clock.now(), newest: cluster.clock.now() })
    expect(evidenceReadAt(now.partitions[0]!, now)).toEqual(cluster.clock.now())
    live.stop()
  })

  it('finds what changed in a log by itself', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    cluster.alter('a-0', {}, { 1: 100, 2: 140 })
    cluster.clock.pass(30_000)
    cluster.show(true)
    await settled()
    expect(live.current()?.plan.partitions[0]?.designatedLeader).toBe(2)
    live.stop()
  })

  it('says what could not be read, and asks again only after the next look at the cluster', async () => {
    const cluster = night()
    cluster.failLogs = 'out of order'
    const live = cluster.diagnose()
    cluster.show()
    await settled()
    expect(live.current()?.problems).toEqual(['replica logs: out of order'])
    expect(cluster.logReads.length).toBe(1)
    cluster.failLogs = null
    cluster.failCapabilities = 'not allowed'
    cluster.show()
    await settled()
    expect(live.current()?.problems).toEqual([])
    expect(live.current()?.progress.notRead).toBe(0)
    live.stop()
  })

  it('plans nothing while it does not know how elections are made', async () => {
    const cluster = night()
    cluster.failCapabilities = 'not allowed'
    const live = cluster.diagnose()
    cluster.show()
    await settled()
    expect(live.current()).toMatchObject({
      problems: ['what the brokers offer: not allowed'],
      progress: { notRead: 3 },
      plan: { partitions: [], skipped: [] },
    })
    expect(cluster.capabilityReads).toBe(1)
    cluster.failCapabilities = null
    cluster.show()
    await settled()
    expect(inGroups(live.current()!)).toMatchObject({ A: ['a-0'], B: ['a-1'] })
    expect(cluster.logReads.length).toBe(1)
    live.stop()
  })

  it('says that the method asked for by name is not offered', async () => {
    const cluster = night()
    const live = cluster.diagnose({ method: 'designated' })
    cluster.show()
    await settled()
    expect(live.current()?.problems).toEqual([expect.stringContaining('designated')])
    expect(live.current()?.plan.partitions).toEqual([])
    live.change({ method: 'auto' })
    await settled()
    expect(live.current()?.plan.partitions).toHaveLength(2)
    expect(live.current()?.problems).toEqual([])
    live.stop()
  })

  it('raises an alarm for a broker that would wipe others, replaces the start advice, and ends it with its cause', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    // 1 is alive with an empty log of b-0 and in its ISR.
    expect(live.current()?.alarms).toMatchObject([{ code: 'emptyLogMayLead', broker: 1 }])
    expect(live.current()?.alarms[0]?.text).toContain('Cost: 0 more offline')
    expect(live.current()?.overview.advice).toEqual({ kind: 'startNothing', becauseOf: [1] })
    cluster.alter('c-0', { leader: 1, isr: [1] }).show(true)
    await settled()
    expect(live.current()?.alarms[0]?.text).toContain('Cost: 1 more offline')
    cluster.alter('b-0', { isr: [] }).show()
    await settled()
    expect(live.current()?.overview).toMatchObject({
      alarms: [],
      advice: { kind: 'start', lines: [{ broker: 9, host: 'kafka-9.eu', bringsBack: [{ group: 'B', count: 1 }] }] },
    })
    expect(live.notices().map(({ kind }) => kind)).toEqual(['alarmRaised', 'alarmEnded'])
    live.stop()
  })

  it('puts what only waits for a broker that was stopped for a repair in a group of its own', async () => {
    const cluster = night().add('a', 3, { 1: 100, 9: 120 }, { elr: [9], lastKnownElr: [9] })
    const live = await diagnosed(cluster)
    // The log of a-3 was on the directory that failed.
    live.change({ stoppedForRepair: new Map([[9, new Set(['a-3'])]]) })
    await settled()
    expect(inGroups(live.current()!)).toEqual({ A: ['a-0', 'a-3'], B: [], C: [], D: ['b-0'], 'waits-9': ['a-1'] })
    expect(live.current()?.changes.regrouped).toEqual([
      { topic: 'a', partition: 1, from: 'B', to: 'waits-9' },
      { topic: 'a', partition: 3, from: 'B', to: 'A' },
    ])
    live.stop()
  })

  it('plans anew when the strategy or what is accepted changes', async () => {
    const cluster = night().add('d', 0, { 1: 10, 2: 100 }, { isr: [] })
    cluster.alter('d-0', {}, { 1: 10, 2: 100 })
    cluster.reassigning.add('d-0')
    const live = await diagnosed(cluster)
    expect(live.current()?.plan.skipped.map(({ topic, code }) => `${topic} ${code}`)).toEqual([
      'b blocked',
      'd reassigning',
    ])
    cluster.reassigning.clear()
    await live.readNow()
    const contested = live.current()?.plan.skipped.find(({ topic }) => topic === 'd')
    expect(contested).toBeUndefined()
    live.change({ strategy: 'longest-log' })
    await settled()
    expect(live.current()?.plan.strategy).toBe('longest-log')
    live.stop()
  })

  it('tells of log directories that fail and return, and of reads that fail and work again', async () => {
    const cluster = night()
    const dir = (state: 'online' | 'offline') => ({
      broker: 2,
      path: '/data/a',
      state,
      cordoned: false,
      error: null,
      totalBytes: null,
      usableBytes: null,
      replicas: null,
      replicaCount: null,
    })
    cluster.logDirs = [dir('online')]
    const live = await diagnosed(cluster)
    cluster.logDirs = [dir('offline')]
    cluster.show()
    await settled()
    expect(live.current()?.overview.failedLogDirs).toBe(1)
    cluster.logDirs = []
    cluster.show()
    await settled()
    cluster.failToRead('no broker could be reached')
    await settled()
    cluster.logDirs = [dir('online')]
    cluster.show()
    await settled()
    expect(live.notices().map((notice) => (notice.kind === 'logDir' ? notice.now : notice.kind))).toEqual([
      'alarmRaised',
      'failed',
      'readFailed',
      'readWorksAgain',
      'returned',
    ])
    live.stop()
  })

  it('takes a topic that was made anew for another one', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const { promise, release } = held()
    cluster.hold = promise
    cluster.alter('a-0', { topicId: 'another' }).show()
    await settled()
    expect(live.current()?.partitions[0]).toMatchObject({ decided: null, group: 'reading', since: { kind: 'at' } })
    release()
    await settled()
    expect(live.current()?.partitions[0]?.group).toBe('A')
    live.stop()
  })

  it('reads everything when told to, also while a log read is under way that began before', async () => {
    const cluster = night()
    const live = await diagnosed(cluster)
    const { promise, release } = held()
    cluster.hold = promise
    cluster.alter('a-0', { leaderEpoch: 5 }).show()
    await settled()
    let done = false
    const read = live.readNow().then(() => {
      done = true
    })
    await settled()
    expect(done).toBe(false)
    release()
    await read
    expect(cluster.logReads.slice(1)).toEqual([['a-0'], ['a-0', 'a-1', 'b-0']])
    expect(live.current()?.confirmedAt).not.toBeNull()
    live.stop()
  })

  it('is silent after stop, also about a read that was under way', async () => {
    const cluster = night()
    const { promise, release } = held()
    cluster.hold = promise
    const live = cluster.diagnose()
    cluster.show()
    await settled()
    const before = live.current()
    let told = 0
    live.subscribe(() => (told += 1))
    live.stop()
    release()
    cluster.alter('a-0', { leader: 1 }).show()
    await settled()
    expect([told, live.current()]).toEqual([0, before])
  })
})
