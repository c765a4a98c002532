import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { partitionName } from '../../../src/cluster/snapshot.js'
import { betterMissingBrokers, epochsBehind, groupPartitions } from '../../../src/recovery/diagnosis/decision-groups.js'
import { decisionRow } from '../../../src/recovery/diagnosis/decision-row.js'
import { lossOver, rollUpByTopic } from '../../../src/recovery/diagnosis/topic-roll-up.js'
import { isPlanned } from '../../../src/recovery/planning/plan-partition.js'
import { diagnosedPartitions } from '../diagnosed.js'
import { offlinePartitions } from '../evidences.js'
import { notRead, planningContext, replicaLog, scenarioCase, scenarioNames } from '../scenario-evidence.js'

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [2, 'up'],
    [7, 'down'],
  ]),
)

function partition(topic: string, number: number, lastEpoch: number, elr: readonly number[]): PartitionEvidence {
  return {
    state: {
      topic,
      topicId: null,
      partition: number,
      leader: null,
      leaderEpoch: 9,
      replicas: [7, 1, 2],
      isr: [],
      elr,
      lastKnownElr: elr,
      offlineReplicas: [7],
    },
    replicas: [
      notRead(7, 'down'),
      replicaLog(1, { logStartOffset: 0, logEndOffset: 100, epochs: [[lastEpoch, 0]] }),
      replicaLog(2, { logStartOffset: 0, logEndOffset: 90, epochs: [[lastEpoch, 0]] }),
    ],
    readAt: new Date(0),
  }
}

const names = (partitions: readonly { topic: string; partition: number }[]) => partitions.map(partitionName)

describe('groups by what can be decided', () => {
  it.each(scenarioNames())('put each offline partition of %s where its expected outcome belongs', (name) => {
    const { evidences, context, expected } = scenarioCase(name)
    const groups = groupPartitions(diagnosedPartitions(evidences, context), context.internalTopics)
    for (const { topic, partition: number, left, blockedBy } of expected) {
      const group = groups.find(({ partitions }) => names(partitions).includes(`${topic}-${number}`))
      if (left.length === 0) expect(['A', 'B']).toContain(group?.id)
      else expect(group?.id).toBe(blockedBy !== null && left.includes('blocked') ? 'D' : 'C')
    }
    expect(groups.flatMap(({ partitions }) => partitions)).toHaveLength(expected.length)
  })

  it('are A, B, C and D also where they are empty; internal topics come first, B by how far behind the best log is', () => {
    const evidences = [
      partition('__consumer_offsets', 3, 8, []),
      partition('__consumer_offsets', 4, 8, [7]),
      partition('orders', 0, 8, [7]),
      partition('orders', 1, 2, [7]),
      partition('orders', 2, 8, [7]),
      partition('a', 0, 8, []),
    ]
    const groups = groupPartitions(diagnosedPartitions(evidences, CONTEXT), new Set())
    expect(groups.map(({ id, partitions }) => [id, names(partitions)])).toEqual([
      ['A', ['__consumer_offsets-3', 'a-0']],
      ['B', ['__consumer_offsets-4', 'orders-1', 'orders-0', 'orders-2']],
      ['C', []],
      ['D', []],
    ])
    expect(groups.map(({ loss }) => loss)).toEqual([{ atLeast: 0, open: true }, { atLeast: 0, open: true }, null, null])
  })

  it('count why partitions were left to the operator', () => {
    const left = ['only-an-empty-replica-answered', 'diverged-both-ways', 'nobody-answers'].map(scenarioCase)
    for (const { evidences, context, name } of left) {
      const [, , c] = groupPartitions(diagnosedPartitions(evidences, context), new Set())
      expect(
        c?.codes.reduce((sum, { count }) => sum + count, 0),
        name,
      ).toBe(c?.partitions.length)
    }
  })

  it('wait for a broker that was stopped for a repair, but for those whose log it lost', () => {
    const evidences = [partition('a', 0, 8, [7]), partition('a', 1, 8, [7]), partition('a', 2, 8, [])]
    const stopped = new Map([[7, new Set(['a-1'])]])
    const groups = groupPartitions(diagnosedPartitions(evidences, CONTEXT, stopped), new Set())
    expect(groups.map(({ id, waitsFor, partitions }) => [id, waitsFor, names(partitions)])).toEqual([
      ['A', null, ['a-1', 'a-2']],
      ['B', null, []],
      ['C', null, []],
      ['D', null, []],
      ['waits-7', 7, ['a-0']],
    ])
  })

  it('hold each partition once, add up to the plan, and are rolled up without losing any', () => {
    fc.assert(
      fc.property(fc.array(offlinePartitions(), { minLength: 1, maxLength: 6 }), (arbitrary) => {
        // Each with brokers of its own, so that they stand in one cluster.
        const partitions = arbitrary.flatMap(({ evidence, context }, index) =>
          diagnosedPartitions([{ ...evidence, state: { ...evidence.state, partition: index } }], context),
        )
        const groups = groupPartitions(partitions, new Set())
        const grouped = groups.flatMap((group) => group.partitions)
        expect(names(grouped).sort()).toEqual(names(partitions).sort())
        const planned = partitions.flatMap(({ decided }) => (decided !== null && isPlanned(decided) ? [decided] : []))
        const sum = groups.reduce((total, { loss }) => total + (loss?.atLeast ?? 0), 0)
        expect(sum).toBe(planned.reduce((total, { loss }) => total + loss.atLeast, 0))
        for (const group of groups) {
          const rolled = rollUpByTopic(group)
          expect(rolled.flatMap((topic) => topic.partitions).length).toBe(group.partitions.length)
          if (group.loss !== null) expect(lossOver(group.partitions)).toEqual(group.loss)
          const behind = group.partitions.map(epochsBehind)
          if (group.id === 'B') expect(behind).toEqual([...behind].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
        }
        for (const one of planned) {
          const warned = one.warnings.some(({ code }) => code === 'betterMissing')
          expect(betterMissingBrokers(one).length > 0).toBe(warned)
        }
      }),
    )
  })
})

describe('a row of the list', () => {
  it('tells replicas, best read, its end and epoch, and what is lost at least', () => {
    const [one] = diagnosedPartitions([partition('orders', 31, 7, [7])], CONTEXT)
    expect(decisionRow(one!, new Set(['orders']))).toMatchObject({
      internal: true,
      group: 'B',
      replicas: [
        { broker: 7, standing: 'down' },
        { broker: 1, standing: 'read' },
        { broker: 2, standing: 'read' },
      ],
      best: { broker: 1, end: 100, epoch: { kind: 'epoch', epoch: 7 } },
      loss: { atLeast: 0, open: true },
      designatedLeader: 1,
      left: null,
    })
  })

  it('never has a bare number for a loss while a replica is unread, and none before anything was read', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const [one] = diagnosedPartitions([evidence], context)
        const row = decisionRow(one!, new Set())
        const unread = row.replicas.some(({ standing }) => standing !== 'read' && standing !== 'empty')
        if (unread && row.loss !== null) expect(row.loss.open).toBe(true)
        expect(row.loss === null).toBe(row.best === null)
        expect(row.designatedLeader === null).toBe(row.left !== null)
        const notYet = decisionRow({ ...one!, decided: null, group: 'reading' }, new Set())
        expect(notYet).toMatchObject({ best: null, loss: null, designatedLeader: null, left: null })
        expect(notYet.replicas.every(({ standing }) => standing === 'notYet')).toBe(true)
      }),
    )
  })
})
