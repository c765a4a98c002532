import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import type { PartitionState, TopicConfig } from '../../../src/cluster/snapshot.js'
import { ACCEPTABLE_CODES, type PlannedPartition, type SkippedPartition } from '../../../src/recovery/planning/plan.js'
import { isPlanned, planPartition } from '../../../src/recovery/planning/plan-partition.js'
import { acceptableAsLeader, predictedWinner } from '../../../src/recovery/planning/predicted-winner.js'
import { rankReplicas } from '../../../src/recovery/planning/rank.js'
import { offlinePartitions } from '../evidences.js'
import { notRead, planningContext, replicaLog, scenarioCase } from '../scenario-evidence.js'

const ALL = new Set(ACCEPTABLE_CODES)

function planned(decided: PlannedPartition | SkippedPartition): PlannedPartition {
  if (!isPlanned(decided)) throw new Error(`skipped: ${decided.code}: ${decided.reason}`)
  return decided
}

function codesOf(decided: PlannedPartition | SkippedPartition): string[] {
  return planned(decided).warnings.map(({ code }) => code)
}

describe('planning any partition', () => {
  it('keeps the assignment to its members, the chosen one first where it re-orders', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const decided = planPartition(evidence, { ...context, accepted: ALL })
        fc.pre(isPlanned(decided))
        const { electionOrder, designatedLeader, method } = planned(decided)
        expect([...electionOrder].sort()).toEqual([...evidence.state.replicas].sort())
        if (method === 'reorder') expect(electionOrder[0]).toBe(designatedLeader)
        else expect(electionOrder).toEqual(evidence.state.replicas)
      }),
    )
  })

  it('never chooses a replica that another eligible one outranks, unless a person does', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const decided = planPartition(evidence, { ...context, accepted: ALL })
        fc.pre(isPlanned(decided))
        expect(planned(decided).designatedLeader).toBe(rankReplicas(evidence, context).eligible[0]?.broker)
      }),
    )
  })

  it('plans nothing that a stock controller would not do: re-ordering, election and whatever else touches it', () => {
    fc.assert(
      fc.property(offlinePartitions(), fc.constantFrom('stock', 'unclean'), ({ evidence, context }, elections) => {
        const decided = planPartition(evidence, { ...context, elections, accepted: ALL })
        fc.pre(isPlanned(decided))
        const { electionOrder, designatedLeader } = planned(decided)
        const acceptable = acceptableAsLeader(evidence.state, context.brokers)
        expect(predictedWinner(evidence.state, electionOrder, acceptable)).toMatchObject({ broker: designatedLeader })
        const touched = predictedWinner(evidence.state, electionOrder, acceptable, 'touch')
        if (touched.kind === 'broker') expect(touched.broker).toBe(designatedLeader)
      }),
    )
  })

  it('is blocked by nobody where the election names its leader', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const decided = planPartition(evidence, { ...context, elections: 'designated', accepted: ALL })
        if (!isPlanned(decided)) expect(decided.code).toBe('noCandidate')
      }),
    )
  })

  it('overrules by hand what may be overruled, and nothing else', () => {
    fc.assert(
      fc.property(offlinePartitions(), fc.nat(2), ({ evidence, context }, designatedLeader) => {
        const decided = planPartition(evidence, context, { designatedLeader, by: 'hand' })
        if (isPlanned(decided)) expect(decided).toMatchObject({ designatedLeader, byHand: true })
        else expect(['noCandidate', 'blocked']).toContain(decided.code)
      }),
    )
  })

  it('names every doubt that it was told to overrule', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const cautious = planPartition(evidence, context)
        const bold = planPartition(evidence, { ...context, accepted: ALL })
        fc.pre(isPlanned(bold) && !isPlanned(cautious))
        expect(planned(bold).warnings.map(({ overruled }) => overruled)).toContain((cautious as SkippedPartition).code)
      }),
    )
  })
})

const UP = planningContext(new Map([1, 2, 3].map((broker) => [broker, 'up'])))
const best = replicaLog(1, { logStartOffset: 0, logEndOffset: 100, epochs: [[2, 0]] })
const behind = replicaLog(2, { logStartOffset: 0, logEndOffset: 90, epochs: [[2, 0]] })

function partition(third: ReplicaRead, differing: Partial<PartitionState> = {}): PartitionEvidence {
  return {
    state: {
      topic: 'orders',
      topicId: 'id',
      partition: 0,
      leader: null,
      leaderEpoch: 4,
      replicas: [1, 2, 3],
      isr: [],
      elr: [],
      lastKnownElr: [],
      offlineReplicas: [],
      ...differing,
    },
    replicas: [best, behind, third],
    readAt: new Date(0),
  }
}

describe('what is left to the operator', () => {
  it.each(['permission', 'connection', 'error', 'wrongBroker', 'moving'] as const)(
    'a replica that is alive but was not read (%s)',
    (cause) => {
      expect(planPartition(partition(notRead(3, cause)), UP)).toMatchObject({ code: 'unread' })
    },
  )

  it('not one that answered too late: that is warned of', () => {
    const decided = planPartition(partition(notRead(3, 'late'), { isr: [2], elr: null, lastKnownElr: null }), UP)
    expect(decided).toMatchObject({ code: 'blocked', blockedBy: 2 })
    expect(codesOf(planPartition(partition(notRead(3, 'late')), UP))).toEqual(['late'])
  })

  it('a log without epochs that ends after the first by rank', () => {
    const longer = replicaLog(3, { logStartOffset: 0, logEndOffset: 101, epochs: [] })
    expect(planPartition(partition(longer), UP)).toMatchObject({ code: 'unknownEpoch' })
    const shorter = replicaLog(3, { logStartOffset: 0, logEndOffset: 99, epochs: [] })
    expect(planned(planPartition(partition(shorter), UP)).loss.known).toBeNull()
    expect(codesOf(planPartition(partition(shorter), UP))).toEqual(['loss'])
  })

  it('a reassignment under way, also by hand', () => {
    const context = { ...UP, reassigning: new Set(['orders-0']), accepted: ALL }
    const evidence = partition(replicaLog(3, { logStartOffset: 0, logEndOffset: 0, epochs: [] }))
    expect(planPartition(evidence, context, { designatedLeader: 1, by: 'hand' })).toMatchObject({ code: 'reassigning' })
  })

  it('a leader by hand outside the replicas, or whose log was not read', () => {
    const evidence = partition(notRead(3, 'late'))
    expect(planPartition(evidence, UP, { designatedLeader: 9, by: 'hand' })).toMatchObject({
      code: 'noCandidate',
      reason: 'broker 9 is not among its replicas (1, 2, 3)',
    })
    expect(planPartition(evidence, UP, { designatedLeader: 3, by: 'hand' })).toMatchObject({ code: 'noCandidate' })
  })

  it('state Z, with the advice what to stop, even when everything is accepted', () => {
    const { evidences, context } = scenarioCase('last-known-leader-alive-but-emptied')
    const decided = planPartition(evidences[0]!, { ...context, accepted: ALL })
    expect(decided).toMatchObject({ code: 'blocked', blockedBy: 1 })
    expect((decided as SkippedPartition).reason).toMatch(
      /alive and its last known leader, with an EMPTY log\. Stop broker 1 now, before any other broker is started/,
    )
  })

  it('does not tell to stop a broker that wins by role before it is known to hold less', () => {
    const reasonOf = (decided: PlannedPartition | SkippedPartition) => (isPlanned(decided) ? '' : decided.reason)
    const unread = partition(notRead(3, 'late'), { elr: [], lastKnownElr: [3] })
    expect(reasonOf(planPartition(unread, UP))).toMatch(
      /its log was not read\. Read again; only if it holds less: stop/,
    )
    const byHand = planPartition(partition(notRead(3, 'late'), { lastKnownElr: [1] }), UP, {
      designatedLeader: 2,
      by: 'hand',
    })
    expect(reasonOf(byHand)).toMatch(/broker 1 leader, not 2: .* has the better log: let it lead/)
  })

  it('what nobody can predict: no ISR, and no ELR told', () => {
    const evidence = partition(notRead(3, 'late'), { elr: null, lastKnownElr: null })
    expect(planPartition(evidence, UP)).toMatchObject({ code: 'blocked', blockedBy: null, kafkaWouldElect: null })
  })
})

describe('the method on stock brokers', () => {
  const third = replicaLog(3, { logStartOffset: 0, logEndOffset: 95, epochs: [[2, 0]] })

  it('re-orders as long as any eligible replica stands behind a worse one', () => {
    expect(planPartition(partition(third), UP)).toMatchObject({ method: 'reorder', electionOrder: [1, 3, 2] })
    const inOrder = { ...partition(third).state, replicas: [1, 3, 2] }
    expect(planPartition({ ...partition(third), state: inOrder }, UP)).toMatchObject({
      method: 'unclean',
      electionOrder: [1, 3, 2],
    })
  })

  it('sends the election alone where the chosen one wins by its role anyway', () => {
    expect(planPartition(partition(third, { isr: [1] }), UP)).toMatchObject({ method: 'unclean' })
  })

  it('puts what was not read before what is empty', () => {
    const empty = replicaLog(2, { logStartOffset: 0, logEndOffset: 0, epochs: [] })
    const evidence = { ...partition(notRead(3, 'late')), replicas: [empty, best, notRead(3, 'late')] }
    const state = { ...evidence.state, replicas: [2, 1, 3] }
    expect(planPartition({ ...evidence, state }, UP)).toMatchObject({ method: 'reorder', electionOrder: [1, 3, 2] })
  })

  it('under a forced unclean election is blocked where Kafka would take another', () => {
    const evidence = { ...partition(third), state: { ...partition(third).state, replicas: [3, 1, 2] } }
    expect(planPartition(evidence, { ...UP, elections: 'unclean' })).toMatchObject({
      code: 'blocked',
      blockedBy: 3,
      reason: 'an unclean election would take broker 3, not 1: use --election-method reorder',
    })
  })
})

describe('warnings', () => {
  const config = (differing: Partial<TopicConfig>): TopicConfig => ({
    minInsyncReplicas: 1,
    uncleanLeaderElection: false,
    cleanupPolicy: 'delete',
    remoteStorage: false,
    ...differing,
  })
  const quiet = partition(replicaLog(3, { logStartOffset: 0, logEndOffset: 80, epochs: [[2, 0]] }))

  it('are none where there is nothing to say', () => {
    expect(codesOf(planPartition(quiet, UP))).toEqual([])
  })

  it('name a missing replica that probably holds more', () => {
    const context = { ...UP, brokers: new Map([...UP.brokers, [3, 'down' as const]]) }
    const evidence = partition(notRead(3, 'down'), { elr: [3], offlineReplicas: [3] })
    expect(planned(planPartition(evidence, context)).warnings[0]).toMatchObject({
      code: 'betterMissing',
      text: 'broker 3 was not read and probably holds more: in ISR, ELR or last known ELR',
    })
  })

  it('name loss, committed loss and the longest log where it is not the first', () => {
    const older = replicaLog(3, {
      logStartOffset: 0,
      logEndOffset: 120,
      epochs: [
        [0, 0],
        [1, 110],
      ],
      highWatermark: 115,
    })
    const newest = replicaLog(1, {
      logStartOffset: 0,
      logEndOffset: 112,
      epochs: [
        [0, 0],
        [2, 110],
      ],
    })
    const evidence = { ...partition(older), replicas: [newest, older], state: { ...quiet.state, replicas: [1, 3] } }
    expect(codesOf(planPartition(evidence, UP))).toEqual(['committedLoss', 'loss', 'longestNotFirst'])
    expect(planned(planPartition(evidence, UP)).loss.perReplica).toEqual([
      { broker: 3, offsets: 10, ranges: [{ from: 110, to: 119, epoch: 1 }] },
    ])
  })

  it('say what the topic is', () => {
    const context = {
      ...UP,
      internalTopics: new Set(['orders']),
      topicConfigs: new Map([
        ['orders', config({ remoteStorage: true, cleanupPolicy: 'compact,delete', uncleanLeaderElection: true })],
      ]),
    }
    expect(codesOf(planPartition(quiet, context))).toEqual(['internalTopic', 'tiered', 'compacted', 'uncleanEnabled'])
  })
})
