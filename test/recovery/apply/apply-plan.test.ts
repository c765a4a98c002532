import { describe, expect, test } from 'vitest'
import { runPlan } from '../../../src/recovery/apply/apply-plan.js'
import { applyPlan } from '../../../src/recovery/apply/events.js'
import type { RecoveryEvent } from '../../../src/recovery/apply/outcome.js'
import { exitCodeOf } from '../../../src/recovery/apply/report.js'
import { findUnfinished } from '../../../src/recovery/journal/found.js'
import { FakeProcesses, MemoryStorage } from '../journal/memory-storage.js'
import { FakeCluster, type Fault } from './fake-cluster.js'
import { OPTIONS, offlinePartition, outcomeFor, planOf, portsFor, run } from './recovery-bench.js'
import { VirtualClock } from './virtual-clock.js'

// Calls of a run of one batch, as the faults are numbered: 1 which cluster; 2, 3 states and reassignments; 4 logs; 5, 6 again;
// 7 re-order; 8, 9 again; 10 elect; 11 look for the leader; 12, 13 again; 14 put back; 15, 16 verify; 17 measure.
const REORDER = 7
const BEFORE_ELECT = 8
const ELECT = 10
const PUT_BACK = 14

function cluster(faults: [number, Fault][] = [], partitions = [offlinePartition(0)], lagMs = 0, up = [2, 3]) {
  return new FakeCluster(new VirtualClock(), new Set(up), partitions, new Map(faults), lagMs)
}

async function runWith(faults: [number, Fault][], lagMs = 0, electionAttempts = 3) {
  const fake = cluster(faults, undefined, lagMs)
  const storage = new MemoryStorage()
  const ran = await run(fake, await planOf(fake, ['t-0']), {
    ports: portsFor(fake, storage),
    options: { electionAttempts },
  })
  return { ...ran, fake, storage, outcome: outcomeFor(ran.report, 't-0') }
}

describe('when nothing goes wrong', () => {
  test('the best replica is elected, the order is as before, the loss is measured, the journal closed', async () => {
    const { report, fake, storage, outcome, events } = await runWith([])
    expect(outcome).toEqual({
      topic: 't',
      partition: 0,
      result: 'elected',
      code: null,
      error: null,
      leader: 3,
      designatedLeader: 3,
      attempts: 1,
      loss: { predicted: 0, measured: 0 },
    })
    expect(fake.partition('t-0')).toMatchObject({ leader: 3, replicas: [1, 2, 3] })
    expect(fake.writes.map(({ api }) => api)).toEqual(['reorder', 'elect', 'reorder'])
    expect(exitCodeOf(report)).toBe(0)
    expect(await findUnfinished(storage, new FakeProcesses())).toEqual([])
    const phases = events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []))
    expect(phases).toEqual(['read logs', 'journal', 're-order', 'elect', 'put back', 'verify'])
    expect(events.at(-1)).toEqual({ type: 'finished', report })
  })

  test('a view that lags behind changes nothing of it', async () => {
    const { outcome, fake } = await runWith([], 400)
    expect(outcome).toMatchObject({ result: 'elected', leader: 3, attempts: 1 })
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    expect(fake.violations).toEqual([])
    // It waits until a change shows, it does not send it again.
    expect(fake.writes.map(({ api }) => api)).toEqual(['reorder', 'elect', 'reorder'])
  })

  test('where the order is right already, nothing but the election is sent', async () => {
    const fake = cluster([], [offlinePartition(0, { replicas: [3, 2, 1] })])
    const { report } = await run(fake, await planOf(fake, ['t-0']))
    expect(outcomeFor(report, 't-0').result).toBe('elected')
    expect(fake.writes.map(({ api }) => api)).toEqual(['elect'])
  })

  test('a designated election needs no re-ordering', async () => {
    const fake = cluster()
    const { report } = await run(fake, await planOf(fake, ['t-0'], { elections: 'designated' }))
    expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'elected', leader: 3 })
    expect(fake.writes.map(({ api }) => api)).toEqual(['elect'])
  })

  test('batches: each is tidied up before the next one begins', async () => {
    const names = [0, 1, 2, 3, 4]
    const fake = cluster(
      [],
      names.map((n) => offlinePartition(n)),
    )
    const plan = await planOf(
      fake,
      names.map((n) => `t-${n}`),
    )
    const { report } = await run(fake, plan, { options: { batchSize: 2 } })
    expect(report.summary).toEqual({ elected: 5 })
    expect(fake.writes.map(({ api, partitions }) => `${api} ${partitions.length}`)).toEqual(
      [2, 2, 1].flatMap((n) => [`reorder ${n}`, `elect ${n}`, `reorder ${n}`]),
    )
  })
})

describe('what changed since the plan', () => {
  const changes: [string, (fake: FakeCluster) => void, string][] = [
    ['the last leader came back', (fake) => fake.brokerUp(1), 'alreadyHasLeader'],
    ['it got a leader by itself', (fake) => fake.leaderAppears('t-0', 2), 'alreadyHasLeader'],
    [
      'the topic was made anew',
      (fake) => fake.change(fake.partition('t-0'), { topicId: 'BBBBBBBBBBBBBBBBBBBBBB' }),
      'stale',
    ],
    ['the topic is gone', (fake) => fake.remove('t-0'), 'stale'],
    ['the epoch moved', (fake) => fake.change(fake.partition('t-0'), { leaderEpoch: 6 }), 'stale'],
    ['a reassignment began', (fake) => fake.change(fake.partition('t-0'), { reassigning: true }), 'stale'],
    ['a replica was replaced', (fake) => fake.change(fake.partition('t-0'), { replicas: [4, 2, 3] }), 'stale'],
    ['someone re-ordered it', (fake) => fake.change(fake.partition('t-0'), { replicas: [2, 1, 3] }), 'stale'],
    ['the chosen broker went away', (fake) => fake.brokerDown(3), 'stale'],
    ['it fell into state Z', (fake) => fake.change(fake.partition('t-0'), { elr: [], lastKnownElr: [2] }), 'stale'],
  ]
  test.each(changes)('%s: nothing is sent', async (_, happen, result) => {
    const fake = cluster()
    const plan = await planOf(fake, ['t-0'])
    happen(fake)
    const { report } = await run(fake, plan)
    expect(outcomeFor(report, 't-0').result).toBe(result)
    expect(fake.writes).toEqual([])
  })

  test.each(changes)('%s, after the logs were read: nothing is sent', async (_, happen, result) => {
    const { outcome, fake } = await runWith([[5, { kind: 'event', happen }]])
    expect(outcome.result).toBe(result)
    expect(fake.writes).toEqual([])
  })
})

// The states are read, then the logs: what comes in between shows in the logs alone, and is to be told for what it is.
describe('what happens between reading the states and reading the logs', () => {
  const grown = { logStartOffset: 0, logEndOffset: 130, epochs: [{ epoch: 6, startOffset: 120 }] }
  const happenings: [string, (fake: FakeCluster) => void, object][] = [
    ['the last leader comes back', (fake) => fake.brokerUp(1), { result: 'alreadyHasLeader', leader: 1 }],
    ['it gets a leader', (fake) => fake.leaderAppears('t-0', 2), { result: 'alreadyHasLeader', leader: 2 }],
    [
      'it gets a leader that writes',
      (fake) => {
        fake.leaderAppears('t-0', 2)
        Object.assign(fake.partition('t-0'), { logs: new Map([[2, grown]]) })
      },
      { result: 'alreadyHasLeader', leader: 2 },
    ],
    ['the topic is gone', (fake) => fake.remove('t-0'), { result: 'stale', leader: null }],
    ['the chosen broker goes away', (fake) => fake.brokerDown(3), { result: 'stale', leader: null }],
  ]
  test.each(happenings)('%s: told for what it is, nothing is sent', async (_, happen, outcome) => {
    const { outcome: told, fake } = await runWith([[4, { kind: 'event', happen }]])
    expect(told).toMatchObject(outcome)
    expect(fake.writes).toEqual([])
  })

  // Brokers tell a new leader some 100 ms late (measured on 4.4.0), and its log tells it before.
  test.each(happenings.filter(([what]) => /comes back|writes/.test(what)))(
    '%s, and shows late',
    async (_, happen, outcome) => {
      const { outcome: told, fake } = await runWith([[4, { kind: 'event', happen }]], 150)
      expect(told).toMatchObject(outcome)
      expect(fake.writes).toEqual([])
    },
  )
})

describe('between re-ordering and electing', () => {
  test('a broker that returns and leads is named, as a failure, and the order is put back', async () => {
    const { outcome, fake } = await runWith([[BEFORE_ELECT, { kind: 'event', happen: (it) => it.brokerUp(1) }]])
    expect(outcome).toMatchObject({ result: 'failed', code: 'otherLeader', leader: 1, attempts: 0 })
    expect(outcome.error).toContain('broker 1')
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
  })

  test('one that the re-ordering itself makes leader is named, too', async () => {
    const { outcome, fake } = await runWith([[REORDER, { kind: 'event', happen: (it) => it.brokersUp.add(1) }]])
    expect(fake.leaders.get('t-0')).toEqual([{ broker: 1, by: 'reorder' }])
    expect(outcome).toMatchObject({ result: 'failed', code: 'otherLeader', leader: 1 })
  })

  test('in state Z no election is sent, and the order stays: putting it back would set the bomb off', async () => {
    const happen = (it: FakeCluster) => it.change(it.partition('t-0'), { elr: [], lastKnownElr: [2] })
    const { outcome, fake, report, storage } = await runWith([[BEFORE_ELECT, { kind: 'event', happen }]])
    expect(outcome).toMatchObject({ result: 'stale', leader: null })
    expect(outcome.error).toContain('broker 2')
    expect(fake.partition('t-0')).toMatchObject({ leader: null, replicas: [3, 2, 1] })
    expect(report.ordersLeft).toHaveLength(1)
    expect(JSON.parse(report.ordersLeft[0]!.reassignmentJson!)).toEqual({
      version: 1,
      partitions: [{ topic: 't', partition: 0, replicas: [1, 2, 3] }],
    })
    expect(exitCodeOf(report)).toBe(1)
    // Reported, so the next election need not wait for a restore.
    expect(await findUnfinished(storage, new FakeProcesses())).toEqual([])
  })
})

describe('answers', () => {
  test('error 0 with nothing done is found out and tried again', async () => {
    const { outcome } = await runWith([[ELECT, { kind: 'nothingDone', mask: 1 }]])
    expect(outcome).toMatchObject({ result: 'elected', leader: 3, attempts: 2 })
  })

  test('a lost answer to an election that was carried out counts as what it is', async () => {
    const { outcome } = await runWith([[ELECT, { kind: 'lostAnswer' }]])
    expect(outcome).toMatchObject({ result: 'elected', leader: 3, attempts: 1 })
  })

  test('an answer that leaves the partition out', async () => {
    const { outcome } = await runWith([
      [REORDER, { kind: 'omit', mask: 1 }],
      [ELECT + 2, { kind: 'omit', mask: 1 }],
    ])
    expect(outcome).toMatchObject({ result: 'elected', leader: 3 })
  })

  test('a time-out that is answered says nothing about what was done: it is looked for, not taken for a refusal', async () => {
    const { outcome, fake } = await runWith([
      [REORDER, { kind: 'doneButError', mask: 1, name: 'REQUEST_TIMED_OUT', retriable: true }],
    ])
    expect(outcome).toMatchObject({ result: 'elected', leader: 3 })
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    expect(fake.writes.filter(({ api }) => api === 'reorder')).toHaveLength(2)
    const last = await runWith([[ELECT, { kind: 'error', mask: 1, name: 'REQUEST_TIMED_OUT', retriable: true }]], 0, 0)
    expect(last.outcome).toMatchObject({ result: 'unknown', code: 'REQUEST_TIMED_OUT' })
    expect(last.fake.partition('t-0').replicas).toEqual([3, 2, 1])
    expect(last.report.openJournal).not.toBeNull()
  })

  test('an elected leader that is lost again before the end is not called elected', async () => {
    const { outcome } = await runWith([[PUT_BACK - 2, { kind: 'event', happen: (it) => it.brokerDown(3) }]])
    expect(outcome).toMatchObject({ result: 'failed', code: 'leaderLost', leader: null })
  })

  test('also where nothing had to be put back', async () => {
    const down: Fault = { kind: 'event', happen: (it) => it.brokerDown(3) }
    // Without re-ordering the election is call 7, the leader shows in 8.
    const fake = cluster([[9, down]], [offlinePartition(0, { replicas: [3, 2, 1] })])
    const { report } = await run(fake, await planOf(fake, ['t-0']))
    expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'failed', code: 'leaderLost' })
  })

  test('an error that will not go away ends it, by name, and the order is put back', async () => {
    const refusal: Fault = { kind: 'error', mask: 1, name: 'CLUSTER_AUTHORIZATION_FAILED', retriable: false }
    const { outcome, fake } = await runWith([[ELECT, refusal]])
    expect(outcome).toMatchObject({ result: 'failed', code: 'CLUSTER_AUTHORIZATION_FAILED', attempts: 1 })
    expect(fake.partition('t-0')).toMatchObject({ leader: null, replicas: [1, 2, 3] })
  })

  test('a transient error is retried as often as allowed, with growing pauses, and no oftener', async () => {
    const fake = cluster()
    const elect = fake.elect.bind(fake)
    const at: number[] = []
    fake.elect = async (election) => {
      at.push(fake.clock.monotonicMs())
      const answers = await elect({ kind: 'unclean', partitions: [] }).catch(() => [])
      expect(answers).toEqual([])
      return election.partitions.map(({ topic, partition }) => ({
        topic,
        partition,
        code: 41,
        name: 'NOT_CONTROLLER',
        message: null,
        retriable: true,
      }))
    }
    const { report } = await run(fake, await planOf(fake, ['t-0']), { options: { electionAttempts: 2 } })
    expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'failed', code: 'NOT_CONTROLLER', attempts: 3 })
    const [first, second] = at.slice(1).map((time, index) => time - at[index]!)
    expect(at).toHaveLength(3)
    expect(second).toBeGreaterThan(first! + 200)
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
  })
})

describe('putting back', () => {
  test('a lost answer is looked into', async () => {
    const { outcome, fake } = await runWith([[PUT_BACK, { kind: 'lostRequest' }]])
    expect(outcome.result).toBe('elected')
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
  })

  test('someone else has changed the assignment: it is left alone, and said', async () => {
    const happen = (it: FakeCluster) => it.change(it.partition('t-0'), { replicas: [2, 3, 1] })
    const { outcome, fake, report } = await runWith([[PUT_BACK - 2, { kind: 'event', happen }]])
    expect(outcome).toMatchObject({ result: 'elected', code: 'orderLeft' })
    expect(fake.partition('t-0').replicas).toEqual([2, 3, 1])
    expect(report.ordersLeft[0]!.reason).toContain('someone else')
    expect(exitCodeOf(report)).toBe(1)
  })
})

describe('the cluster is lost', () => {
  test('before anything was sent: not attempted', async () => {
    const { outcome, fake } = await runWith([[4, { kind: 'gone' }]])
    expect(outcome).toMatchObject({ result: 'notAttempted', code: 'clusterLost' })
    expect(fake.writes).toEqual([])
  })

  test('after a request was sent: unknown, and the journal stays open for restore', async () => {
    const { outcome, report, storage } = await runWith([[ELECT, { kind: 'gone' }]])
    expect(outcome).toMatchObject({ result: 'unknown', code: 'clusterLost' })
    expect(report.openJournal).not.toBeNull()
    const [journal] = await findUnfinished(storage, new FakeProcesses())
    expect(journal?.holder).toBe('gone')
    expect(journal?.contents?.left).toMatchObject([
      { topic: 't', partition: 0, original: [1, 2, 3], election: [3, 2, 1] },
    ])
    expect(exitCodeOf(report)).toBe(1)
  })

  test('no further batch is begun', async () => {
    const fake = cluster([[ELECT, { kind: 'gone' }]], [offlinePartition(0), offlinePartition(1)])
    const { report } = await run(fake, await planOf(fake, ['t-0', 't-1']), { options: { batchSize: 1 } })
    expect(report.outcome.map(({ result }) => result)).toEqual(['unknown', 'notAttempted'])
  })
})

describe('stopping', () => {
  test('the batch under way is finished and put back, the rest is not attempted', async () => {
    const stop = new AbortController()
    const fake = cluster(
      [[ELECT, { kind: 'event', happen: () => stop.abort() }]],
      [offlinePartition(0), offlinePartition(1)],
    )
    const { report, events } = await run(fake, await planOf(fake, ['t-0', 't-1']), {
      options: { batchSize: 1, stop: stop.signal },
    })
    expect(report.outcome.map(({ result, code }) => [result, code])).toEqual([
      ['elected', null],
      ['notAttempted', 'stopped'],
    ])
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    expect(events.some(({ type }) => type === 'stopping')).toBe(true)
  })

  test('a batch that has sent nothing yet is dropped', async () => {
    const stop = new AbortController()
    const fake = cluster([[4, { kind: 'event', happen: () => stop.abort() }]])
    const { report } = await run(fake, await planOf(fake, ['t-0']), { options: { stop: stop.signal } })
    expect(outcomeFor(report, 't-0')).toMatchObject({ result: 'notAttempted', code: 'stopped' })
    expect(fake.writes).toEqual([])
  })

  test('no batch is begun after the time limit', async () => {
    const fake = cluster([], [offlinePartition(0), offlinePartition(1)])
    const { report } = await run(fake, await planOf(fake, ['t-0', 't-1']), {
      options: { batchSize: 1, timeLimitMs: 60 },
    })
    expect(report.outcome.map(({ result, code }) => [result, code])).toEqual([
      ['elected', null],
      ['notAttempted', 'timeLimit'],
    ])
  })

  test('a reader of the stream that goes away stops it, but only once everything is tidied up', async () => {
    const fake = cluster([], [offlinePartition(0), offlinePartition(1)])
    const plan = await planOf(fake, ['t-0', 't-1'])
    for await (const event of applyPlan(fake, plan, portsFor(fake), { ...OPTIONS, batchSize: 1 })) {
      if (event.type === 'phase' && event.phase === 're-order') break
    }
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    expect(fake.partition('t-1').replicas).toEqual([1, 2, 3])
    expect(fake.writes.filter(({ api }) => api === 'reorder').length % 2).toBe(0)
  })

  test('a front end that throws changes nothing', async () => {
    const fake = cluster()
    const plan = await planOf(fake, ['t-0'])
    const report = await runPlan(fake, plan, portsFor(fake), OPTIONS, () => {
      throw new Error('the terminal is gone')
    })
    expect(report.summary).toEqual({ elected: 1 })
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
  })

  test('the stream gives every event and then the report', async () => {
    const fake = cluster()
    const plan = await planOf(fake, ['t-0'])
    const stream = applyPlan(fake, plan, portsFor(fake), OPTIONS)
    const seen: RecoveryEvent['type'][] = []
    let step = await stream.next()
    for (; !step.done; step = await stream.next()) seen.push(step.value.type)
    expect(step.value.summary).toEqual({ elected: 1 })
    expect(seen[0]).toBe('started')
    expect(seen.at(-1)).toBe('finished')
  })
})

describe('the journal', () => {
  test.each([
    [2, 'journal', 0],
    [3, null, 3],
  ])('a disk that is full from entry %i on: nothing that was not journalled is sent', async (from, code, writes) => {
    const fake = cluster()
    const storage = new MemoryStorage()
    storage.failAppendsFrom = from
    const { report } = await run(fake, await planOf(fake, ['t-0']), { ports: portsFor(fake, storage) })
    const outcome = outcomeFor(report, 't-0')
    expect(fake.partition('t-0').replicas).toEqual([1, 2, 3])
    if (code === null) {
      // The re-ordering was journalled; the election is not, so it is not sent, and the order is put back all the same.
      expect(outcome).toMatchObject({ result: 'failed', code: 'journal', attempts: 0 })
      expect(fake.writes.map(({ api }) => api)).toEqual(['reorder', 'reorder'])
    } else {
      expect(outcome).toMatchObject({ result: 'failed', code })
      expect(fake.writes).toHaveLength(writes)
    }
  })
})

test.each([2, 3, 4, 5, 6])(
  'a journal that fails at entry %i, and never again: no further batch is begun, all orders are back, and it is said',
  async (entry) => {
    const fake = cluster(
      [],
      [0, 1, 2].map((n) => offlinePartition(n)),
    )
    const storage = new MemoryStorage()
    storage.failAppendsFrom = entry
    storage.failAppendsTo = entry
    const plan = await planOf(fake, ['t-0', 't-1', 't-2'])
    const { report, events } = await run(fake, plan, { ports: portsFor(fake, storage), options: { batchSize: 1 } })
    for (const name of ['t-1', 't-2']) {
      expect(outcomeFor(report, name)).toMatchObject({ result: 'notAttempted', code: 'journal' })
    }
    for (const n of [0, 1, 2]) expect(fake.partition(`t-${n}`).replicas).toEqual([1, 2, 3])
    expect(fake.writes.flatMap(({ partitions }) => partitions).filter((name) => name !== 't-0')).toEqual([])
    expect(events.filter(({ type }) => type === 'stopping')).toMatchObject([
      { reason: expect.stringMatching(/journal .* could not be written: ENOSPC/) },
    ])
  },
)

describe('refused as a whole', () => {
  test('read-only, a plan of another cluster, a full disk, a partition named twice: nothing is sent', async () => {
    const fake = cluster()
    const plan = await planOf(fake, ['t-0'])
    const full = new MemoryStorage()
    full.failProbe = true
    await expect(run(fake, plan, { options: { readOnly: true } })).rejects.toMatchObject({ reason: 'readOnly' })
    await expect(run(fake, { ...plan, clusterId: 'other' })).rejects.toMatchObject({ reason: 'otherCluster' })
    await expect(run(fake, plan, { ports: portsFor(fake, full) })).rejects.toMatchObject({
      reason: 'journalUnavailable',
    })
    const twice = { ...plan, partitions: [...plan.partitions, ...plan.partitions] }
    await expect(run(fake, twice)).rejects.toMatchObject({ reason: 'malformedPlan' })
    expect(fake.writes).toEqual([])
  })

  test('an interrupted run first, then a running one', async () => {
    const fake = cluster([[ELECT, { kind: 'gone' }]])
    const plan = await planOf(fake, ['t-0'])
    const storage = new MemoryStorage()
    await run(fake, plan, { ports: portsFor(fake, storage) })
    const again = cluster()
    await expect(run(again, plan, { ports: portsFor(again, storage) })).rejects.toMatchObject({
      reason: 'unfinishedJournal',
      message: expect.stringContaining('kafka-recovery restore'),
    })
    expect(again.writes).toEqual([])
  })

  test('a plan whose order does not fit its replicas fails that partition alone', async () => {
    const fake = cluster([], [offlinePartition(0), offlinePartition(1)])
    const plan = await planOf(fake, ['t-0', 't-1'])
    const [first, second] = plan.partitions
    const broken = { ...plan, partitions: [{ ...first!, electionOrder: [3, 2] }, second!] }
    const { report } = await run(fake, broken)
    expect(report.outcome.map(({ result }) => result)).toEqual(['stale', 'elected'])
    expect(fake.violations).toEqual([])
  })
})
