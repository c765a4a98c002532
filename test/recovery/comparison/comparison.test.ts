import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { comparePartition } from '../../../src/recovery/comparison/comparison.js'
import { planPartition } from '../../../src/recovery/planning/plan-partition.js'
import { offlinePartitions } from '../evidences.js'
import { notRead, planningContext, replicaLog, scenarioCase, scenarioNames } from '../scenario-evidence.js'

/** The partition of the sketch in console.md: 8 is down and led last, 2 and 3 were read. */
const SKETCH: PartitionEvidence = {
  state: {
    topic: 'orders-eu',
    topicId: null,
    partition: 12,
    leader: null,
    leaderEpoch: 8,
    replicas: [2, 3, 8, 9],
    isr: [],
    elr: [],
    lastKnownElr: [8],
    offlineReplicas: [8, 9],
  },
  replicas: [
    replicaLog(2, {
      logStartOffset: 0,
      logEndOffset: 1_204_331,
      epochs: [
        [5, 0],
        [7, 1_199_870],
      ],
    }),
    replicaLog(3, {
      logStartOffset: 0,
      logEndOffset: 1_200_231,
      epochs: [
        [5, 0],
        [6, 1_199_870],
      ],
    }),
    notRead(8, 'down'),
    notRead(9, 'down'),
  ],
  readAt: new Date(0),
}
const CONTEXT = planningContext(
  new Map([
    [2, 'up'],
    [3, 'up'],
    [8, 'down'],
    [9, 'down'],
  ]),
)
const BROKERS = [
  { id: 8, host: 'kafka-8.eu-c1', port: 9092, rack: 'c', state: 'down' as const, error: null },
  { id: 2, host: 'kafka-2.eu-a1', port: 9092, rack: 'a', state: 'up' as const, error: null },
]

describe('one partition side by side', () => {
  it('is as the sketch shows it', () => {
    const compared = comparePartition(SKETCH, CONTEXT, { brokers: BROKERS })
    expect(
      compared.replicas.map(({ broker, host, rank, ledLast, versusBest }) => [broker, host, rank, ledLast, versusBest]),
    ).toEqual([
      [8, 'kafka-8.eu-c1', null, true, { kind: 'mayHaveMore' }],
      [2, 'kafka-2.eu-a1', 1, false, { kind: 'best' }],
      [3, null, 2, false, { kind: 'offsets', difference: -4_100 }],
      [9, null, null, false, { kind: 'unknown' }],
    ])
    expect(compared.parting).toEqual({ at: 1_199_870, sameFrom: 0, compared: [2, 3] })
    expect(compared.ruler).toEqual({
      from: 1_199_870,
      to: 1_204_331,
      rows: [
        { broker: 8, segments: null },
        { broker: 2, segments: [{ from: 1_199_870, to: 1_204_331, epoch: 7 }] },
        { broker: 3, segments: [{ from: 1_199_870, to: 1_200_231, epoch: 6 }] },
        { broker: 9, segments: null },
      ],
    })
    expect(compared.candidates.map(({ broker, by, loss, unread }) => [broker, by, loss, unread])).toEqual([
      [
        2,
        'rank',
        {
          known: null,
          atLeast: 361,
          perReplica: [{ broker: 3, offsets: 361, ranges: [{ from: 1_199_870, to: 1_200_230, epoch: 6 }] }],
        },
        [8, 9],
      ],
      [
        3,
        'hand',
        {
          known: null,
          atLeast: 4_461,
          perReplica: [{ broker: 2, offsets: 4_461, ranges: [{ from: 1_199_870, to: 1_204_330, epoch: 7 }] }],
        },
        [8, 9],
      ],
    ])
    expect(compared.kafkaTakes).toEqual({ kind: 'broker', broker: 2, by: 'order' })
    expect([compared.chosen, comparePartition(SKETCH, CONTEXT, { brokers: [], choice: 3 }).chosen]).toEqual([2, 3])
    expect(
      compared.ifStarted.map(({ broker, disk, text, lost, harmful }) => [broker, disk, text, lost.kind, harmful]),
    ).toEqual([
      [8, 'old', '8 may lead by itself; 2, 3 follow', 'unknown', false],
      [8, 'new', '2 AND 3 MAY BE WIPED: elect before', 'all', true],
      [9, 'old', 'stays offline: no leader comes of it', 'nothing', false],
      [9, 'new', 'stays offline: 9 will follow whoever is elected', 'nothing', false],
    ])
    expect(compared.ifStarted[1]?.lost).toEqual({ kind: 'all', atLeast: 1_204_331 + 361, open: true })
  })

  it('draws no ruler where nothing parts', () => {
    const [first] = SKETCH.replicas
    const same = { ...SKETCH, replicas: [first!, { ...first!, broker: 3 }, ...SKETCH.replicas.slice(2)] }
    const compared = comparePartition(same, CONTEXT, { brokers: [] })
    expect(compared.parting).toEqual({ at: 1_204_331, sameFrom: 0, compared: [2, 3] })
    expect(compared.ruler).toBeNull()
  })

  it.each(scenarioNames())('agrees with the right outcomes of %s', (name) => {
    const { evidences, context, expected } = scenarioCase(name)
    for (const outcome of expected) {
      const evidence = evidences.find(
        ({ state }) => state.topic === outcome.topic && state.partition === outcome.partition,
      )
      const compared = comparePartition(evidence!, context, { brokers: [] })
      expect(compared.candidates.map(({ broker }) => broker)).toEqual(outcome.order)
      const [first] = compared.candidates
      if (first !== undefined && outcome.lossAtLeast !== null && outcome.designatedLeader !== null) {
        expect(first.loss).toMatchObject({ atLeast: outcome.lossAtLeast, known: outcome.lossKnown })
      }
      const takes = compared.kafkaTakes.kind === 'broker' ? compared.kafkaTakes.broker : null
      expect(takes).toBe(outcome.kafkaWouldElect)
    }
  })

  it('works for any partition: every replica once, every candidate as planned by hand, losses before any choice', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const compared = comparePartition(evidence, context, { brokers: [] })
        const { replicas } = evidence.state
        expect(compared.replicas.map(({ broker }) => broker).sort()).toEqual([...replicas].sort())
        const ranks = compared.replicas.flatMap(({ rank }) => rank ?? [])
        expect(ranks).toEqual(ranks.map((_, index) => index + 1))
        for (const { broker, decided, loss, unread } of compared.candidates) {
          expect(decided).toEqual(planPartition(evidence, context, { designatedLeader: broker, by: 'hand' }))
          if (unread.length > 0) expect(loss.known).toBeNull()
        }
        const missing = replicas.filter((broker) => context.brokers.get(broker) !== 'up')
        expect(compared.ifStarted.map(({ broker, disk }) => `${broker} ${disk}`)).toEqual(
          missing.flatMap((broker) => [`${broker} old`, `${broker} new`]),
        )
        for (const { harmful, lost, effect } of compared.ifStarted) {
          if (effect.kind === 'staysOffline') expect(lost.kind).toBe('nothing')
          if (effect.kind !== 'leads') continue
          expect(lost.kind).not.toBe('nothing')
          // A bare number only where every other replica was read.
          const others = compared.replicas.filter(({ broker }) => broker !== effect.broker)
          if (others.some(({ rank }) => rank === null)) expect(lost).not.toMatchObject({ open: false })
          if (harmful) expect(lost).not.toMatchObject({ atLeast: 0, open: false })
        }
      }),
    )
  })
})
