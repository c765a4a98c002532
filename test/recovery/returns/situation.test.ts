import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startText } from '../../../src/cli/text/advice-text.js'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { type BrokerState, type ClusterSnapshot, partitionName } from '../../../src/cluster/snapshot.js'
import type { PlanningContext } from '../../../src/recovery/planning/planning-context.js'
import { alarmedBrokers } from '../../../src/recovery/returns/alarms.js'
import { situationOf, toReadForSituation } from '../../../src/recovery/returns/situation.js'
import { startAdvice } from '../../../src/recovery/returns/start-advice.js'
import { offlinePartitions } from '../evidences.js'
import { scenarioCase, scenarioNames } from '../scenario-evidence.js'

function snapshotOf(
  evidences: readonly PartitionEvidence[],
  { brokers, topicConfigs }: Pick<PlanningContext, 'brokers' | 'topicConfigs'>,
): ClusterSnapshot {
  return {
    clusterId: 'SIMULATED-test',
    simulated: true,
    controller: 1,
    readAt: new Date(0),
    brokers: [...brokers].map(([id, state]: [number, BrokerState]) => ({
      id,
      host: 'h',
      port: 1,
      rack: null,
      state,
      error: null,
    })),
    partitions: evidences.map(({ state }) => state),
    internalTopics: new Set(),
    logDirs: null,
    topicConfigs,
    quorum: null,
    problems: [],
  }
}

describe('the situation of the whole cluster', () => {
  it('advises no start while an alarm stands, in whatever words', () => {
    fc.assert(
      fc.property(fc.array(offlinePartitions(), { minLength: 1, maxLength: 4 }), (partitions) => {
        // One cluster: the first one's brokers, for all of its partitions.
        const [{ context }] = partitions as [(typeof partitions)[number]]
        const evidences = partitions.map(({ evidence }, partition) => ({
          ...evidence,
          state: { ...evidence.state, partition },
        }))
        const situation = { ...situationOf(snapshotOf(evidences, context), evidences), seenEmpty: [] }
        if (alarmedBrokers(situation.alarms).size === 0) return
        expect(situation.starts).toEqual([])
        expect(startText(situation)).toEqual([])
        // Even were there any to show.
        expect(startText({ ...situation, starts: startAdvice(evidences, context) })).toEqual([])
      }),
    )
  })

  it('is the same whether all logs were read or only those that decide it; what is unread is never called harmless', () => {
    fc.assert(
      fc.property(offlinePartitions(), ({ evidence, context }) => {
        const snapshot = snapshotOf([evidence], context)
        const whole = situationOf(snapshot, [evidence])
        const read = toReadForSituation(snapshot).map(partitionName)
        const partly = situationOf(snapshot, read.length === 0 ? [] : [evidence])
        expect(partly.alarms).toEqual(whole.alarms)
        expect(partly.starts.map((start) => ({ ...start, emptiedWipes: [] }))).toEqual(
          whole.starts.map((start) => ({ ...start, emptiedWipes: [] })),
        )
        for (const start of whole.starts) {
          const other = partly.starts.find(({ broker }) => broker === start.broker)
          expect(other?.emptiedWipes.length).toBeGreaterThanOrEqual(start.emptiedWipes.length)
        }
      }),
    )
  })

  it('in every scenario: reads no more than it must, and names what nobody alive could lead', () => {
    for (const name of scenarioNames()) {
      const { evidences, context } = scenarioCase(name)
      const situation = situationOf(snapshotOf(evidences, context), evidences)
      for (const { state } of evidences) {
        const alive = state.replicas.some(
          (broker) => context.brokers.get(broker) === 'up' && !state.offlineReplicas.includes(broker),
        )
        expect(situation.nobodyAlive.has(partitionName(state)), name).toBe(state.leader === null && !alive)
      }
    }
  })
})
