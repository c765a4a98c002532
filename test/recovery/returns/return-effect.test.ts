import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import type { BrokerState, PartitionState } from '../../../src/cluster/snapshot.js'
import type { PlanningContext } from '../../../src/recovery/planning/planning-context.js'
import {
  effectOfReturn,
  effectOfTouch,
  isHarmful,
  lastLeader,
  type StopKind,
  stateAfterReturn,
} from '../../../src/recovery/returns/return-effect.js'
import { offlinePartitions } from '../evidences.js'
import { notRead, planningContext, replicaLog, scenarioCase } from '../scenario-evidence.js'

const log = (broker: number, end: number, epoch = 0) =>
  replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: end === 0 ? [] : [[epoch, 0]] })

/** Replicas 1, 2, 3; those in `read` are up. */
function outage(
  roles: Pick<PartitionState, 'isr' | 'elr' | 'lastKnownElr'>,
  read: readonly ReplicaRead[],
): { evidence: PartitionEvidence; context: PlanningContext } {
  const replicas = [1, 2, 3].map((broker) => read.find((one) => one.broker === broker) ?? notRead(broker, 'down'))
  const down = replicas.filter(({ kind }) => kind === 'notRead').map(({ broker }) => broker)
  const states = [1, 2, 3].map((broker): [number, BrokerState] => [broker, down.includes(broker) ? 'down' : 'up'])
  return {
    evidence: {
      state: {
        topic: 't',
        topicId: null,
        partition: 0,
        leader: null,
        leaderEpoch: 4,
        replicas: [1, 2, 3],
        offlineReplicas: down,
        ...roles,
      },
      replicas,
      readAt: new Date(0),
    },
    context: planningContext(new Map(states)),
  }
}

/** Brokers come back one after the other, with their old disks: who leads in the end, and the ELR. */
function bringBack(
  roles: Pick<PartitionState, 'isr' | 'elr' | 'lastKnownElr'>,
  ...returns: readonly (readonly [broker: number, stop: StopKind])[]
): { leader: number | null; elr: readonly number[] | null } {
  let { evidence, context } = outage(roles, [])
  for (const [broker, stop] of returns) {
    const effect = effectOfReturn(evidence, { broker, stop, disk: 'old' }, context)
    const state = stateAfterReturn(evidence.state, { broker, stop })
    if (effect.kind === 'leads') return { leader: effect.broker, elr: state.elr }
    evidence = { ...evidence, state }
    context = { ...context, brokers: new Map([...context.brokers, [broker, 'up']]) }
  }
  return { leader: null, elr: evidence.state.elr }
}

// The table "ELR over an outage" of kafka-facts: replicas 1, 2, 3 stopped in the order 3, 2, 1; measured on 4.4.0.
describe('ELR over an outage', () => {
  const one = { isr: [], elr: [1], lastKnownElr: [1] }
  const two = { isr: [], elr: [1, 2], lastKnownElr: [1] }

  it.each<[string, typeof one, (readonly [number, StopKind])[], number | null, number[]]>([
    ['min.insync 1: stale 3 back', one, [[3, 'clean']], null, [1]],
    ['min.insync 1: stale 3 back after a kill', one, [[3, 'unclean']], null, [1]],
    ['min.insync 1: 2 back after a kill', one, [[2, 'unclean']], null, [1]],
    ['min.insync 1: 2 back after a clean stop', one, [[2, 'clean']], null, [1]],
    [
      'min.insync 1: 1 back after a kill, others up',
      one,
      [
        [3, 'clean'],
        [2, 'clean'],
        [1, 'unclean'],
      ],
      1,
      [],
    ],
    ['min.insync 1: all killed, 1 back first', one, [[1, 'unclean']], 1, []],
    ['min.insync 2: stale 3 back', two, [[3, 'clean']], null, [1, 2]],
    ['min.insync 2: 2 back after a kill', two, [[2, 'unclean']], null, [1]],
    ['min.insync 2: 2 back after a clean stop', two, [[2, 'clean']], 2, [1, 2]],
    [
      'min.insync 2: 1 back after a kill, others up',
      two,
      [
        [3, 'unclean'],
        [2, 'unclean'],
        [1, 'unclean'],
      ],
      1,
      [],
    ],
    ['min.insync 2: all killed, 1 back first', two, [[1, 'unclean']], null, [2]],
    [
      'min.insync 2: all killed, 1 back first, then 2',
      two,
      [
        [1, 'unclean'],
        [2, 'unclean'],
      ],
      1,
      [],
    ],
  ])('%s', (_, roles, returns, leader, elr) => {
    expect(bringBack(roles, ...returns)).toEqual({ leader, elr })
  })

  it('without ELR the last leader stays in ISR and brings it back, however it stopped', () => {
    for (const none of [null, []]) {
      const without = { isr: [1], elr: none, lastKnownElr: none }
      for (const stop of ['clean', 'unclean'] as const) {
        expect(bringBack(without, [3, stop], [2, stop])).toEqual({ leader: null, elr: none })
        expect(bringBack(without, [3, stop], [1, stop])).toEqual({ leader: 1, elr: none })
      }
    }
  })
})

describe('the effect of a return', () => {
  it('of the last leader with its old disk: it leads, with what it had', () => {
    const { evidence, context } = outage({ isr: [1], elr: null, lastKnownElr: null }, [log(2, 90), log(3, 80)])
    const effect = effectOfReturn(evidence, { broker: 1, stop: 'unclean', disk: 'old' }, context)
    expect(effect).toEqual({ kind: 'leads', broker: 1, by: 'isr', holds: 'ledLast', mayLose: [] })
    expect(isHarmful(effect, evidence)).toBe(false)
  })

  it('of the last leader with an emptied disk: it wipes all that others hold', () => {
    for (const roles of [
      { isr: [1], elr: null, lastKnownElr: null },
      { isr: [1], elr: [], lastKnownElr: [] },
      { isr: [], elr: [1], lastKnownElr: [1] },
    ]) {
      const { evidence, context } = outage(roles, [log(2, 90), log(3, 0)])
      for (const stop of ['clean', 'unclean'] as const) {
        const effect = effectOfReturn(evidence, { broker: 1, stop, disk: 'emptied' }, context)
        expect(effect).toMatchObject({ broker: 1, holds: 'nothing', mayLose: [2] })
        expect(isHarmful(effect, evidence)).toBe(true)
      }
    }
  })

  it('of an ELR member after a clean stop: it leads, and whether another holds more is not known', () => {
    const { evidence, context } = outage({ isr: [], elr: [1, 2], lastKnownElr: [1] }, [log(3, 80)])
    expect(effectOfReturn(evidence, { broker: 2, stop: 'clean', disk: 'old' }, context)).toMatchObject({
      broker: 2,
      by: 'elr',
      holds: 'unknown',
    })
  })

  it('of any broker in state Z: the emptied last leader leads and wipes the others', () => {
    const { evidence, context } = outage({ isr: [], elr: [], lastKnownElr: [1] }, [log(1, 0), log(2, 90)])
    const effect = effectOfReturn(evidence, { broker: 3, stop: 'clean', disk: 'old' }, context)
    expect(effect).toMatchObject({ kind: 'leads', broker: 1, holds: 'nothing', mayLose: [2] })
    expect(effectOfTouch(evidence, context)).toEqual(effect)
  })

  it('of a killed ELR member: it leaves the ELR, which makes a last known leader with less the leader', () => {
    const { evidences, context } = scenarioCase('dead-elr-member-holds-the-designation')
    expect(effectOfTouch(evidences[0]!, context)).toEqual({ kind: 'staysOffline' })
    const effect = effectOfReturn(evidences[0]!, { broker: 2, stop: 'unclean', disk: 'old' }, context)
    expect(effect).toMatchObject({ broker: 1, by: 'lastKnownLeader', holds: 'less', mayLose: [3] })
    expect(isHarmful(effect, evidences[0]!)).toBe(true)
  })

  it('of a fenced broker counts what it showed', () => {
    const fenced: ReplicaRead = { kind: 'notRead', broker: 1, cause: 'fenced', reason: 'fenced', shown: log(1, 50) }
    const { evidence, context } = outage({ isr: [1], elr: null, lastKnownElr: null }, [log(2, 90), log(3, 50)])
    const replicas = [fenced, ...evidence.replicas.slice(1)]
    const effect = effectOfReturn({ ...evidence, replicas }, { broker: 1, stop: 'clean', disk: 'old' }, context)
    expect(effect).toMatchObject({ broker: 1, holds: 'less', mayLose: [2] })
  })

  it('of a last leader with the best log is no alarm, even where it ends a divergence', () => {
    const { evidence, context } = outage({ isr: [], elr: [], lastKnownElr: [1] }, [log(1, 50, 3), log(2, 90, 2)])
    const effect = effectOfTouch(evidence, context)
    expect(effect).toMatchObject({ broker: 1, holds: 'best', mayLose: [2] })
    expect(isHarmful(effect, evidence)).toBe(false)
  })

  it('elects by the list where the topic allows it, even one with less', () => {
    const { evidence, context } = outage({ isr: [], elr: [2], lastKnownElr: [2] }, [log(1, 50), log(3, 90)])
    const topicConfigs = new Map([
      ['t', { minInsyncReplicas: 1, uncleanLeaderElection: true, cleanupPolicy: 'delete', remoteStorage: false }],
    ])
    expect(effectOfTouch(evidence, { ...context, topicConfigs })).toMatchObject({
      broker: 1,
      by: 'order',
      holds: 'less',
    })
    expect(effectOfTouch(evidence, context)).toEqual({ kind: 'staysOffline' })
  })

  it('is nothing where a leader is, and unknown where no ELR was told', () => {
    const { evidence, context } = outage({ isr: [], elr: null, lastKnownElr: null }, [log(2, 90)])
    expect(effectOfTouch(evidence, context)).toEqual({ kind: 'unknown', among: [2] })
    const led = { ...evidence, state: { ...evidence.state, leader: 2 } }
    expect(effectOfTouch(led, context)).toEqual({ kind: 'hasLeader' })
  })

  it('is never an alarm for the best log, and always one for an empty log beside records', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const effect = effectOfTouch(evidence, context)
        fc.pre(effect.kind === 'leads')
        if (effect.kind !== 'leads') return
        if (effect.holds === 'best') expect(isHarmful(effect, evidence)).toBe(false)
        if (effect.holds === 'nothing' && effect.mayLose.length > 0) expect(isHarmful(effect, evidence)).toBe(true)
      }),
    )
  })
})

describe('the last leader', () => {
  it('is the last known one, or without ELR the only ISR member', () => {
    expect(lastLeader({ isr: [], lastKnownElr: [3] })).toBe(3)
    expect(lastLeader({ isr: [2], lastKnownElr: null })).toBe(2)
    expect(lastLeader({ isr: [2], lastKnownElr: [] })).toBe(2)
    expect(lastLeader({ isr: [1, 2], lastKnownElr: [] })).toBeNull()
    expect(lastLeader({ isr: [], lastKnownElr: [1, 2] })).toBeNull()
  })
})
