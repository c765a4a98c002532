import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplicaRead } from '../../../src/cluster/replica-log.js'
import { comparePartition } from '../../../src/recovery/comparison/comparison.js'
import type { Strategy } from '../../../src/recovery/planning/plan.js'
import { planningContext, replicaLog } from '../scenario-evidence.js'

// Why one log ranks before another is told from what decided, in one sentence.

const CONTEXT = planningContext(new Map([1, 2, 3].map((broker) => [broker, 'up'])))

function log(broker: number, start: number, end: number, epochs: readonly (readonly [number, number])[]): ReplicaRead {
  return replicaLog(broker, { logStartOffset: start, logEndOffset: end, epochs: epochs.map(([a, b]) => [a, b]) })
}

function compared(replicas: readonly ReplicaRead[], strategy: Strategy = 'rank', isr: readonly number[] = []) {
  const state = {
    topic: 't',
    topicId: null,
    partition: 0,
    leader: null,
    leaderEpoch: 9,
    replicas: replicas.map(({ broker }) => broker),
    isr,
    elr: [],
    lastKnownElr: [],
    offlineReplicas: [],
  }
  return comparePartition({ state, replicas, readAt: new Date(0) }, { ...CONTEXT, strategy }, { brokers: [] })
}

describe('why the first by rank is the first', () => {
  it('the newer epoch goes before the smaller loss, and says so', () => {
    const comparison = compared([
      log(3, 0, 1750, [
        [5, 0],
        [6, 1000],
      ]),
      log(2, 0, 1410, [
        [5, 0],
        [7, 1000],
      ]),
    ])
    expect(comparison.candidates.map(({ broker, loss }) => [broker, loss.atLeast])).toEqual([
      [2, 750],
      [3, 410],
    ])
    expect(comparison.whyFirst).toBe(
      'Rank: 2 before 3, whatever either loses: its last records are of epoch 7, those of 3 of 6; what 3 holds past where they part, the leader of 7 did not have.',
    )
  })

  it('says nothing of what the second holds beyond where it holds nothing beyond', () => {
    expect(
      compared([
        log(1, 0, 10, [[5, 0]]),
        log(2, 0, 20, [
          [5, 0],
          [7, 10],
        ]),
      ]).whyFirst,
    ).toBe('Rank: 2 before 1: its last records are of epoch 7, those of 1 of 5.')
  })

  it('each of the other criteria has its own words', () => {
    const said = (a: ReplicaRead, b: ReplicaRead, strategy: Strategy = 'rank', isr: number[] = []) =>
      compared([a, b], strategy, isr).whyFirst
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 0, 0, []))).toMatch(/whose log is empty/)
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 0, 90, []))).toMatch(/carry no epochs/)
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 0, 9, [[1, 0]]))).toMatch(/goes further, in the same epoch/)
    expect(said(log(1, 0, 10, []), log(2, 0, 9, []))).toMatch(/goes further\.$/)
    expect(said(log(1, 0, 90, [[1, 0]]), log(2, 0, 9, [[2, 0]]), 'longest-log')).toMatch(/the longest was asked for/)
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 5, 10, [[1, 5]]))).toMatch(/begins earlier/)
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 0, 10, [[1, 0]]), 'rank', [2])).toMatch(/^Rank: 2 before 1: .*in sync/)
    expect(said(log(1, 0, 10, [[1, 0]]), log(2, 0, 10, [[1, 0]]))).toMatch(/first in the assignment/)
  })

  it('names the first two by rank, whatever the logs, and is silent where there is one', () => {
    const any = fc.record({ end: fc.nat(4), epoch: fc.option(fc.nat(2)), inIsr: fc.boolean() })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 3 }), (logs) => {
        const replicas = logs.map(({ end, epoch }, index) => log(index + 1, 0, end, epoch === null ? [] : [[epoch, 0]]))
        const isr = logs.flatMap(({ inIsr }, index) => (inIsr ? [index + 1] : []))
        const { candidates, whyFirst } = compared(replicas, 'rank', isr)
        const [first, second] = candidates
        if (second === undefined) expect(whyFirst).toBeNull()
        else expect(whyFirst).toMatch(new RegExp(`^Rank: ${first?.broker} before ${second.broker}[:,]`))
      }),
      { numRuns: 100 },
    )
  })
})
