import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ClusterSnapshot, PartitionState, TopicConfig } from '../../src/cluster/snapshot.js'
import { effectOfReturn, isHarmful } from '../../src/recovery/returns/return-effect.js'
import { affectedPartitions, rolesOf } from '../../src/repair/affected-partitions.js'
import { gateOf } from '../../src/repair/gate.js'
import { type HeldPartitions, heldPartitions } from '../../src/repair/held-partitions.js'
import { restartImpact } from '../../src/repair/impact.js'
import { returnProgress, shareCaughtUp } from '../../src/repair/progress.js'
import { fillCommand } from '../../src/repair/repair-commands.js'
import { onlyCopies, type StepsInput, toElect } from '../../src/repair/repair-step.js'
import { NOTHING_SEEN, noteSeen } from '../../src/repair/seen-placements.js'
import { repairSteps } from '../../src/repair/steps.js'
import { adviseWay } from '../../src/repair/way.js'
import { maybeWiped } from '../../src/repair/wiped.js'
import { offlinePartitions } from '../recovery/evidences.js'
import { evidenceOf, failed, logDir, partition, snapshotOf } from './night.js'

const ALL_KNOWN: Pick<HeldPartitions, 'source' | 'at' | 'exact' | 'before' | 'gone'> = {
  source: 'noted',
  at: new Date(0),
  exact: true,
  before: new Map(),
  gone: [],
}

describe('the gate', () => {
  test('where it is open, the broker started with nothing leads no partition of the directory over others that hold records', () => {
    fc.assert(
      fc.property(offlinePartitions(), fc.nat(3), ({ evidence, context }, choice) => {
        const broker = evidence.state.replicas[choice % evidence.state.replicas.length]!
        const away = { ...context, brokers: new Map([...context.brokers, [broker, 'down' as const]]) }
        const held = { ...ALL_KNOWN, partitions: [evidence.state] }
        const affected = affectedPartitions(broker, held, [evidence], away.brokers)
        const gate = gateOf({
          broker,
          held,
          affected,
          partitions: [evidence.state],
          context: away,
          alarms: [],
          writtenOff: new Set(),
          noGoAhead: null,
        })
        const wipes = (['clean', 'unclean'] as const).some((stop) => {
          const effect = effectOfReturn(evidence, { broker, stop, disk: 'emptied' }, away)
          return effect.kind === 'leads' && effect.broker === broker && isHarmful(effect, evidence)
        })
        if (gate.open) expect(wipes).toBe(false)
        // What names it keeps it shut, however harmless that may look today.
        if (rolesOf(evidence.state, broker).length > 0) expect(gate.open).toBe(false)
      }),
    )
  })

  const gateWith = (part: Partial<Parameters<typeof gateOf>[0]>, state = partition()) => {
    const held = { ...ALL_KNOWN, partitions: [state] }
    const context = {
      brokers: new Map([
        [1, 'down' as const],
        [2, 'up' as const],
      ]),
      topicConfigs: new Map(),
    }
    const affected = affectedPartitions(1, held, [evidenceOf(state, { 2: 90 })], context.brokers)
    return gateOf({
      broker: 1,
      held,
      affected,
      partitions: [state],
      context,
      alarms: [],
      writtenOff: new Set(),
      noGoAhead: null,
      ...part,
    })
  }

  test('shut by whatever names the broker, open once another leads, or by name', () => {
    expect(gateWith({}).holds).toMatchObject([
      { reason: 'named', namedIn: ['ELR', 'last known ELR'], otherCopies: 'yes' },
    ])
    expect(gateWith({ writtenOff: new Set(['orders-0']) })).toMatchObject({
      open: true,
      writtenOff: [{ topic: 'orders' }],
    })
    expect(gateWith({}, partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })).open).toBe(true)
    expect(gateWith({}, partition({ elr: null, lastKnownElr: null })).holds).toMatchObject([{ reason: 'rolesUnknown' }])
  })

  test('not noted what was in the directory: every leaderless partition of the broker counts', () => {
    const elsewhere = partition({ partition: 7, replicas: [2, 3] })
    const gate = gateWith({
      held: { ...ALL_KNOWN, source: 'unknown', partitions: [] },
      affected: [],
      partitions: [partition(), elsewhere],
    })
    expect(gate).toMatchObject({ open: false, heldUnknown: true, holds: [{ partition: 0 }] })
    expect(gate.holds).toHaveLength(1)
  })

  test('shut while an alarm stands about another broker, and without a go-ahead', () => {
    const alarm = {
      code: 'emptyLogMayLead' as const,
      text: 'x',
      broker: 2,
      partitions: [{ topic: 'orders', partition: 3 }],
    }
    const leads = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    expect(gateWith({ alarms: [alarm] }, leads).open).toBe(false)
    expect(gateWith({ alarms: [{ ...alarm, broker: 1 }] }, leads).open).toBe(true)
    expect(gateWith({ noGoAhead: 'no' }, leads).open).toBe(false)
  })
})

const config = (minInsyncReplicas: number): TopicConfig => ({
  minInsyncReplicas,
  uncleanLeaderElection: false,
  cleanupPolicy: 'delete',
  remoteStorage: false,
})

function impactOf(partitions: readonly PartitionState[], part: Partial<ClusterSnapshot> = {}, min: number | null = 2) {
  const snapshot = {
    ...snapshotOf({
      partitions,
      brokers: [
        [1, 'up'],
        [2, 'up'],
        [3, 'up'],
      ],
      logDirs: [
        failed(),
        logDir({
          path: '/data/a',
          holds: partitions.flatMap((one) => (one.offlineReplicas.includes(1) ? [] : [[one.partition, 1]])),
        }),
      ],
    }),
    ...part,
  }
  const held = heldPartitions(1, '/data/b', snapshot, NOTHING_SEEN)
  const brokers = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
  return restartImpact({
    broker: 1,
    path: '/data/b',
    snapshot,
    affected: affectedPartitions(1, held, [], brokers),
    topicConfigs: min === null ? new Map() : new Map([['orders', config(min)]]),
    config: {
      broker: 1,
      seenAt: new Date(0),
      logDirs: ['/data/a', '/data/b'],
      metadataLogDir: '/data/a',
      processRoles: ['broker'],
    },
  })
}

const led = (index: number, part: Partial<PartitionState>) =>
  partition({ partition: index, replicas: [1, 2, 3], leader: 1, elr: [], lastKnownElr: [], ...part })
const at = (list: readonly { partition: number }[]) => list.map((one) => one.partition)

describe('the impact of a restart', () => {
  test('by what each partition has: goes offline, changes its leader, comes under min ISR; not those on the failed directory', () => {
    const impact = impactOf([
      led(0, { isr: [1] }),
      led(1, { isr: [1, 2, 3] }),
      led(2, { isr: [1, 2] }),
      led(3, { leader: 2, isr: [2, 1] }),
      led(4, { isr: [2, 3], leader: 2, offlineReplicas: [1] }),
      led(5, { isr: [], leader: null, elr: [1], lastKnownElr: [1], offlineReplicas: [1] }),
      led(6, { replicas: [1], isr: [1] }),
      led(7, { replicas: [2, 3], leader: 2, isr: [2] }),
    ])
    expect(at(impact.goesOffline)).toEqual([0, 6])
    expect(at(impact.onlyCopy)).toEqual([0, 6])
    expect(at(impact.changesLeader)).toEqual([1, 2])
    expect(at(impact.underMinIsr)).toEqual([2, 3])
    expect(impact.minIsrUnknown).toEqual([])
    expect(impact.noGoAhead).toBeNull()
  })

  test('a directory that is back online (state Z), or taken out of log.dirs: what the broker serves from it counts, what has no leader does not', () => {
    const partitions = [
      led(0, { isr: [1] }),
      led(1, { isr: [1, 2, 3] }),
      led(2, { isr: [1, 2] }),
      led(3, { isr: [], leader: null, elr: [1], lastKnownElr: [1] }),
    ]
    const inB = logDir({ path: '/data/b', holds: partitions.map((one) => [one.partition, 1]) })
    const inA = logDir({ path: '/data/a', holds: partitions.map((one) => [one.partition, 1]) })
    for (const logDirs of [[inB], [inA]]) {
      const held = { ...ALL_KNOWN, partitions }
      const snapshot = snapshotOf({
        partitions,
        brokers: [
          [1, 'up'],
          [2, 'up'],
          [3, 'up'],
        ],
        logDirs,
      })
      const brokers = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
      const impact = restartImpact({
        broker: 1,
        path: '/data/b',
        snapshot,
        affected: affectedPartitions(1, held, [], brokers),
        topicConfigs: new Map([['orders', config(2)]]),
        config: null,
      })
      expect(at(impact.goesOffline)).toEqual([0])
      expect(at(impact.changesLeader)).toEqual([1, 2])
      expect(at(impact.underMinIsr)).toEqual([2])
    }
  })

  test('min ISR that was not read is unknown, not fine; of a broker that is away nothing is counted again', () => {
    expect(at(impactOf([led(0, { isr: [1, 2] })], {}, null).minIsrUnknown)).toEqual([0])
    const away = snapshotOf({
      brokers: [
        [1, 'down'],
        [2, 'up'],
      ],
    }).brokers
    expect(impactOf([led(0, { isr: [1], leader: 1 })], { brokers: away })).toMatchObject({
      away: true,
      goesOffline: [],
    })
  })

  test('no go-ahead where the quorum would fall, or the directory holds the metadata log', () => {
    const voter = (id: number, caughtUp: boolean) => ({ id, logEndOffset: 5, caughtUp })
    const quorum = (...voters: ReturnType<typeof voter>[]) => ({
      leader: 2,
      highWatermark: 5,
      voters,
      observers: new Map(),
    })
    const falls = impactOf([], { quorum: quorum(voter(1, true), voter(2, true), voter(3, false)) })
    expect(falls).toMatchObject({
      quorum: { kind: 'member', falls: true, needed: 2 },
      noGoAhead: expect.stringMatching(/No go-ahead/),
    })
    const holds = impactOf([], { quorum: quorum(voter(1, true), voter(2, true), voter(3, true)) })
    expect(holds).toMatchObject({ quorum: { falls: false }, noGoAhead: null })
    const metadata = restartImpact({
      broker: 1,
      path: '/data/a',
      snapshot: snapshotOf({}),
      affected: [],
      topicConfigs: new Map(),
      config: { broker: 1, seenAt: new Date(0), logDirs: [], metadataLogDir: '/data/a', processRoles: ['broker'] },
    })
    expect(metadata).toMatchObject({ metadataLog: true, noGoAhead: expect.stringMatching(/metadata log/) })
  })
})

describe('the steps', () => {
  function stepsFor(
    partitions: readonly PartitionState[],
    ends: Record<number, number | null>,
    part: Partial<StepsInput> = {},
  ) {
    const down = part.phase === 'away'
    const snapshot = snapshotOf({
      partitions,
      logDirs: [failed()],
      brokers: [
        [1, down ? 'down' : 'up'],
        [2, 'up'],
      ],
    })
    const held = down ? { ...ALL_KNOWN, partitions } : heldPartitions(1, '/data/b', snapshot, NOTHING_SEEN)
    const brokers = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
    const context = { brokers, topicConfigs: new Map<string, TopicConfig>() }
    const affected = affectedPartitions(
      1,
      held,
      partitions.map((state) => evidenceOf(state, ends)),
      brokers,
    )
    const gate = gateOf({
      broker: 1,
      held,
      affected,
      partitions,
      context,
      alarms: [],
      writtenOff: new Set(),
      noGoAhead: null,
    })
    const input: StepsInput = {
      broker: 1,
      path: '/data/b',
      way: 'replace',
      phase: 'failed',
      brokerState: down ? 'down' : 'up',
      directoryOnline: false,
      seenEmptiedAt: null,
      held,
      affected,
      impact: restartImpact({ broker: 1, path: '/data/b', snapshot, affected, topicConfigs: new Map(), config: null }),
      gate,
      progress: returnProgress(1, '/data/b', snapshot, held, [], null, new Set()),
      clusterId: 'id',
      mode: 'kraft',
      logDirs: ['/data/a', '/data/b'],
      ...part,
    }
    return { steps: repairSteps(input), affected, gate, input }
  }
  const offline = partition({ offlineReplicas: [1] })
  const statuses = (steps: ReturnType<typeof repairSteps>) =>
    Object.fromEntries(steps.map(({ id, status }) => [id, status]))

  test('what cannot be seen is not called done because no election was needed after it', () => {
    const served = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [], offlineReplicas: [1] })
    expect(statuses(stepsFor([served], { 2: 90 }).steps)).toMatchObject({
      readLog: 'byHand',
      checkDisk: 'byHand',
      stop: 'now',
      elect: 'done',
      gate: 'done',
    })
    expect(statuses(stepsFor([served], { 2: 90 }, { phase: 'away' }).steps)).toMatchObject({
      readLog: 'unseen',
      checkDisk: 'unseen',
      stop: 'done',
    })
  })

  test('the steps of one directory warn of another one of that broker that failed too', () => {
    const otherFailed = [{ path: '/data/c', holds: 3 }]
    const { steps } = stepsFor([offline], { 2: 90 }, { phase: 'away', otherFailed })
    for (const id of ['gate', 'start']) {
      expect(steps.find((step) => step.id === id)?.seen).toMatch(
        /\/data\/c of broker 1 failed too.* SHUT \(3 partitions\)/,
      )
    }
  })

  test('nothing that empties the directory, and no start, before the gate is open', () => {
    const before = stepsFor([offline], { 2: 90 })
    expect(statuses(before.steps)).toMatchObject({
      stop: 'now',
      elect: 'blocked',
      swapDisk: 'blocked',
      format: 'blocked',
      start: 'blocked',
    })
    const away = stepsFor([offline], { 2: 90 }, { phase: 'away' })
    expect(statuses(away.steps)).toMatchObject({ stop: 'done', elect: 'now', swapDisk: 'blocked', start: 'blocked' })
    expect(toElect(away.gate)).toEqual([{ topic: 'orders', partition: 0 }])
    const elected = stepsFor(
      [partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })],
      { 2: 90 },
      { phase: 'away' },
    )
    expect(statuses(elected.steps)).toMatchObject({
      elect: 'done',
      gate: 'done',
      swapDisk: 'byHand',
      format: 'byHand',
      start: 'now',
    })
  })

  test('where nobody else has a copy the old directory stays: that way is advised, and the other has nothing to elect', () => {
    const alone = stepsFor([partition({ replicas: [1], offlineReplicas: [1] })], {}, { phase: 'away' })
    expect(onlyCopies(alone.affected)).toHaveLength(1)
    expect(adviseWay({ ...alone.input, gone: false })).toEqual({ way: 'keep', reason: 'onlyCopies' })
    expect(statuses(alone.steps)).toMatchObject({ elect: 'done', gate: 'now', swapDisk: 'blocked', start: 'blocked' })
    // Known to be emptied already: there is no old directory to keep, and no start without the gate.
    expect(adviseWay({ ...alone.input, seenEmptiedAt: new Date(0), gone: false }).way).toBe('replace')
    const kept = stepsFor([offline], { 2: 90 }, { phase: 'away', way: 'keep', seenEmptiedAt: new Date(0) })
    expect(statuses(kept.steps).start).toBe('blocked')
  })

  test('taking a directory out names the others; the only one cannot be taken out', () => {
    const { steps } = stepsFor([], {}, { phase: 'away', way: 'remove' })
    expect(steps.find(({ id }) => id === 'editConfig')!.how).toEqual([{ kind: 'config', line: 'log.dirs=/data/a' }])
    const only = stepsFor([], {}, { phase: 'away', way: 'remove', logDirs: ['/data/b'] })
    expect(statuses(only.steps).editConfig).toBe('blocked')
  })

  test('ZooKeeper mode formats by itself; an emptied broker that is back is stopped first, and its disk not replaced again', () => {
    expect(statuses(stepsFor([], {}, { phase: 'away', mode: 'zookeeper' }).steps).format).toBeUndefined()
    const back = stepsFor([partition()], { 1: 0, 2: 90 }, { phase: 'emptyBack', directoryOnline: true })
    expect(statuses(back.steps)).toMatchObject({ stop: 'now', elect: 'blocked', start: 'blocked' })
    expect(back.steps.find(({ id }) => id === 'swapDisk')).toMatchObject({
      status: 'already',
      seen: 'its log was seen empty',
      seenAt: back.input.progress.at,
    })
  })

  test('what nobody can see is ticked off in no phase and by no way; a log that was seen empty is told as the evidence, with its time', () => {
    const behind = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    for (const way of ['keep', 'replace', 'remove'] as const) {
      for (const phase of ['failed', 'away', 'emptyBack', 'catchingUp'] as const) {
        for (const seenEmptiedAt of [null, new Date(5)]) {
          const { steps } = stepsFor(
            [behind],
            { 2: 90 },
            { way, phase, seenEmptiedAt, directoryOnline: phase === 'catchingUp' },
          )
          for (const step of steps) {
            if (['readLog', 'checkDisk', 'swapDisk', 'format', 'editConfig'].includes(step.id)) {
              expect(step.status, `${way} ${phase} ${step.id}`).not.toBe('done')
            }
            if (step.status === 'already')
              expect(step).toMatchObject({ seen: expect.any(String), seenAt: expect.any(Date) })
          }
        }
      }
    }
    const back = stepsFor([behind], { 2: 90 }, { phase: 'catchingUp', directoryOnline: true })
    expect(statuses(back.steps)).toMatchObject({ swapDisk: 'unseen', format: 'unseen', start: 'done' })
    const emptied = stepsFor([behind], { 2: 90 }, { phase: 'away', seenEmptiedAt: new Date(5) })
    expect(emptied.steps.find(({ id }) => id === 'swapDisk')).toMatchObject({ status: 'already', seenAt: new Date(5) })
    // Healthy: nothing was done, as far as anybody saw.
    expect(stepsFor([behind], { 2: 90 }, { phase: 'nothing', directoryOnline: true }).steps).toEqual([])
  })

  test('to keep what was seen emptied is refused until the operator says that the old disk is back, and then it goes through the gate', () => {
    const kept = { phase: 'away', way: 'keep', seenEmptiedAt: new Date(5) } as const
    const elected = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    const start = (states: readonly PartitionState[], part: Partial<StepsInput>) =>
      stepsFor(states, { 2: 90 }, { ...kept, ...part }).steps.find(({ id }) => id === 'start')!
    expect(start([elected], {})).toMatchObject({
      status: 'blocked',
      seen: expect.stringMatching(/EMPTY log.*not the old disk/),
    })
    expect(start([offline], { oldDiskBack: true }).status).toBe('blocked')
    expect(start([elected], { oldDiskBack: true }).status).toBe('now')
  })
})

describe('the way back', () => {
  test('rate, remaining time and share; done when all are in sync', () => {
    const behind = partition({ leader: 2, isr: [2], elr: [], lastKnownElr: [] })
    const held = { ...ALL_KNOWN, partitions: [behind] }
    const read = (end: number, ms: number, previous: ReturnType<typeof returnProgress> | null) =>
      returnProgress(
        1,
        '/data/b',
        snapshotOf({ partitions: [behind], logDirs: [logDir()], at: ms }),
        held,
        [evidenceOf(behind, { 1: end, 2: 1000 })],
        previous,
        new Set(),
      )
    const first = read(100, 0, null)
    expect(first.replicas[0]).toMatchObject({ state: 'catchingUp', offsetsPerSecond: null, remainingMs: null })
    const second = read(400, 2000, first)
    expect(second.replicas[0]).toMatchObject({ offsetsPerSecond: 150, remainingMs: 4000 })
    expect(shareCaughtUp(second.replicas[0]!)).toBeCloseTo(0.4)
    expect(second.done).toBe(false)
    // Cut in the meantime: no rate is made up.
    expect(read(50, 4000, second).replicas[0]).toMatchObject({ offsetsPerSecond: null, remainingMs: null })
    const inSync = partition({ leader: 2, isr: [2, 1], elr: [], lastKnownElr: [] })
    const last = returnProgress(
      1,
      '/data/b',
      snapshotOf({ partitions: [inSync], logDirs: [logDir()] }),
      { ...held, partitions: [inSync] },
      [],
      second,
      new Set(),
    )
    expect(last).toMatchObject({ done: true, inSync: 1 })
  })
})

describe('maybe wiped', () => {
  const wiped = (state: PartitionState, end: number, seen: { end: number | null; bytes: number | null }) => {
    const replica = { topic: 'orders', topicId: 'id', partition: 0, sizeBytes: seen.bytes, logEndOffset: seen.end }
    const held = { ...ALL_KNOWN, partitions: [state], before: new Map([['orders-0', replica]]) }
    const brokers = new Map([
      [1, 'up' as const],
      [2, 'down' as const],
    ])
    return maybeWiped(affectedPartitions(1, held, [evidenceOf(state, { 1: end })], brokers), brokers)
  }
  const leads = partition({ leader: 1, isr: [1], elr: [], lastKnownElr: [] })

  test('an empty leader at an epoch above 0, or one shorter than others were; not one that never had anything', () => {
    expect(wiped(leads, 0, { end: 900, bytes: null })).toMatchObject([
      { kind: 'empty', hadRecords: true, copiesAway: [2] },
    ])
    expect(wiped(leads, 0, { end: null, bytes: null })).toMatchObject([{ kind: 'empty', hadRecords: false }])
    expect(wiped(leads, 700, { end: 900, bytes: null })).toMatchObject([{ kind: 'shorter', logEndOffset: 700 }])
    expect(wiped(leads, 900, { end: 900, bytes: 5 })).toEqual([])
    expect(wiped(leads, 0, { end: 0, bytes: null })).toEqual([])
    expect(wiped({ ...leads, leaderEpoch: 0 }, 0, { end: null, bytes: null })).toEqual([])
  })
})

describe('a command of the profile', () => {
  const place = { broker: 3, host: 'kafka-3.example', logDir: '/data/b' }
  const stop = ['ssh', '{host}', 'stop-kafka', '{broker}', '{logDir}']

  test('is filled word by word; what a remote shell would act on is refused', () => {
    expect(fillCommand({ stop }, 'stop', place)).toEqual({
      kind: 'command',
      argv: ['ssh', 'kafka-3.example', 'stop-kafka', '3', '/data/b'],
    })
    expect(fillCommand({ stop }, 'start', place)).toEqual({ kind: 'none' })
    expect(fillCommand(null, 'stop', place)).toEqual({ kind: 'none' })
    expect(fillCommand({ stop }, 'stop', { ...place, host: null }).kind).toBe('impossible')
    for (const logDir of ['/data/$(reboot)', '/data/b; rm -rf /', '/data/a b', "/data/'", '-rf']) {
      expect(fillCommand({ stop }, 'stop', { ...place, logDir }).kind).toBe('impossible')
    }
    for (const host of ['-oProxyCommand=reboot', 'a;b']) {
      expect(fillCommand({ stop }, 'stop', { ...place, host }).kind).toBe('impossible')
    }
  })

  test('a placeholder is filled once: what was filled in is not looked at again', () => {
    expect(fillCommand({ stop: ['x', '{logDir}'] }, 'stop', { ...place, logDir: '/data/b' })).toMatchObject({
      argv: ['x', '/data/b'],
    })
  })
})

test('what a failed directory held is known from the metadata alone where placements were not read', () => {
  const state = partition({ offlineReplicas: [1] })
  const snapshot = snapshotOf({
    partitions: [state],
    logDirs: [failed(), { ...logDir({ path: '/data/a' }), replicas: null }],
  })
  expect(heldPartitions(1, '/data/b', snapshot, noteSeen(NOTHING_SEEN, snapshot)).partitions).toEqual([state])
})
