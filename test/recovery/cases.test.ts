import { describe, expect, it } from 'vitest'
import { makePlan } from '../../src/recovery/planning/make-plan.js'
import { ACCEPTABLE_CODES } from '../../src/recovery/planning/plan.js'
import { isPlanned, planPartition } from '../../src/recovery/planning/plan-partition.js'
import { rankReplicas } from '../../src/recovery/planning/rank.js'
import { scenarioCase, scenarioNames } from './scenario-evidence.js'

// Proves that each case of test/cases/scenarios gets the outcome written beside it.
describe.each(scenarioNames())('case %s', (name) => {
  const { evidences, expected, context, clusterId } = scenarioCase(name)
  const offline = evidences.filter(({ state }) => state.leader === null)

  it('names an outcome for each offline partition, and for no other', () => {
    expect(offline.map(({ state: { topic, partition } }) => ({ topic, partition }))).toEqual(
      expected.map(({ topic, partition }) => ({ topic, partition })),
    )
  })

  it.each(expected)('ranks and decides $topic-$partition', (wanted) => {
    const evidence = offline.find(({ state }) => state.topic === wanted.topic && state.partition === wanted.partition)!
    expect(rankReplicas(evidence, context).eligible.map(({ broker }) => broker)).toEqual(wanted.order)

    const decided = planPartition(evidence, context)
    expect(decided.kafkaWouldElect).toBe(wanted.kafkaWouldElect)
    if (isPlanned(decided)) {
      expect(wanted.left).toEqual([])
      expect(decided.designatedLeader).toBe(wanted.designatedLeader)
      expect(decided.method).toBe(wanted.method)
    } else {
      expect(wanted.left).toContain(decided.code)
      expect(decided.blockedBy).toBe(wanted.blockedBy)
    }
  })

  it.each(expected.filter(({ order }) => order.length > 0))('works out the loss of $topic-$partition', (wanted) => {
    const evidence = offline.find(({ state }) => state.topic === wanted.topic && state.partition === wanted.partition)!
    // An election that names its leader is never blocked; with all doubts overruled each one is planned.
    const decided = planPartition(evidence, {
      ...context,
      elections: 'designated',
      accepted: new Set(ACCEPTABLE_CODES),
    })
    expect(decided).toMatchObject({ designatedLeader: wanted.designatedLeader, method: 'designated' })
    if (!isPlanned(decided)) throw new Error('not planned')
    expect(Object.fromEntries(decided.loss.perReplica.map(({ broker, offsets }) => [broker, offsets]))).toEqual(
      wanted.loss,
    )
    expect(decided.loss).toMatchObject({ known: wanted.lossKnown, atLeast: wanted.lossAtLeast })
    expect(decided.committedAtLeast).toBe(wanted.committedAtLeast)
  })

  it('leaves partitions with a leader alone', () => {
    const plan = makePlan({
      clusterId,
      evidences,
      skippedAlready: [],
      context,
      now: new Date(0),
      planId: 'p',
    })
    const led = evidences.filter(({ state }) => state.leader !== null)
    expect(plan.skipped.filter(({ code }) => code === 'hasLeader')).toHaveLength(led.length)
    expect(plan.partitions.length + plan.skipped.length).toBe(evidences.length)
  })
})
