import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import type { PartitionState } from '../../../src/cluster/snapshot.js'
import { startAdvice } from '../../../src/recovery/returns/start-advice.js'
import { notRead, planningContext, replicaLog, scenarioCase } from '../scenario-evidence.js'

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [7, 'down'],
    [8, 'down'],
    [9, 'fenced'],
  ]),
)
const log = (broker: number, end: number) =>
  replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: end === 0 ? [] : [[2, 0]] })

function partition(
  number: number,
  replicas: readonly number[],
  roles: Pick<PartitionState, 'isr' | 'elr' | 'lastKnownElr'>,
  end = 50,
): PartitionEvidence {
  return {
    state: {
      topic: 'orders',
      topicId: null,
      partition: number,
      leader: null,
      leaderEpoch: 4,
      replicas,
      offlineReplicas: replicas.filter((broker) => broker !== 1),
      ...roles,
    },
    replicas: replicas.map((broker) =>
      broker === 1 ? log(1, end) : notRead(broker, broker === 9 ? 'fenced' : 'down'),
    ),
    readAt: new Date(0),
  }
}
const named = (...numbers: number[]) => numbers.map((number) => ({ topic: 'orders', partition: number }))

describe('which brokers to start first', () => {
  it('is whoever led last and brings back most; others once, or before', () => {
    const advice = startAdvice(
      [
        partition(0, [8, 1], { isr: [8], elr: null, lastKnownElr: null }),
        partition(1, [8, 1], { isr: [], elr: [8], lastKnownElr: [8] }),
        // Both killed: 7 leads only when 8 has come back, too.
        partition(2, [7, 8, 1], { isr: [], elr: [7, 8], lastKnownElr: [7] }),
        partition(3, [7, 1], { isr: [], elr: [7], lastKnownElr: [7] }),
        partition(4, [9, 7, 1], { isr: [], elr: [9, 7], lastKnownElr: [7] }),
      ],
      CONTEXT,
    )
    expect(advice.map(({ broker, state, order }) => [broker, state, order])).toEqual([
      [7, 'down', 1],
      [8, 'down', 2],
      [9, 'fenced', 3],
    ])
    const [seven, eight, nine] = advice
    expect(seven).toMatchObject({ bringsBack: named(2, 3, 4), before: [], harms: [] })
    expect(eight).toMatchObject({ bringsBack: named(0, 1), before: [{ broker: 7, partitions: named(2) }] })
    expect(nine).toMatchObject({ bringsBack: [], before: [{ broker: 7, partitions: named(4) }] })
  })

  it('says where one is only of use once another is up', () => {
    // The ELR names 8 alone, but 7 led last: 8 must come back and leave the ELR.
    const state = { isr: [], elr: [8], lastKnownElr: [7] }
    const seven = startAdvice([partition(0, [7, 8, 1], state)], CONTEXT).find(({ broker }) => broker === 7)
    expect(seven).toMatchObject({ bringsBack: [], once: [{ broker: 8, partitions: named(0) }] })
  })

  it('says what an emptied disk would wipe, unless nobody else can hold anything', () => {
    const roles = { isr: [8], elr: null, lastKnownElr: null }
    const [eight] = startAdvice([partition(0, [8, 1], roles), partition(1, [8, 1], roles, 0)], CONTEXT)
    expect(eight?.emptiedWipes).toEqual(named(0))
  })

  it('warns of a start that wakes state Z, and puts that broker last', () => {
    const { evidences, context } = scenarioCase('dead-elr-member-holds-the-designation')
    const [two] = startAdvice(evidences, context)
    expect(two).toMatchObject({ broker: 2, harms: [{ topic: 'bar', partition: 0, leader: 1, wipes: [3] }] })

    const quiet = partition(5, [8, 1], { isr: [8], elr: null, lastKnownElr: null })
    const stateZ = {
      ...partition(6, [1, 7], { isr: [], elr: [], lastKnownElr: [1] }, 0),
      replicas: [log(1, 0), notRead(7, 'down')],
    }
    const advice = startAdvice([stateZ, quiet], CONTEXT)
    expect(advice.map(({ broker }) => broker)).toEqual([8, 7])
    expect(advice[1]).toMatchObject({ harms: [{ leader: 1, wipes: [] }] })
  })

  it('is empty where no broker is missing', () => {
    const { evidences, context } = scenarioCase('never-written')
    expect(startAdvice(evidences, context)).toEqual([])
  })
})
