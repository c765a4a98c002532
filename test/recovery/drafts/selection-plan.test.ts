import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { byTopicPartition, partitionName } from '../../../src/cluster/snapshot.js'
import type { Diagnosis } from '../../../src/recovery/diagnosis/diagnosis.js'
import { acceptCode, type Draft, emptyDraft, takeOut } from '../../../src/recovery/drafts/draft.js'
import { planSelection, type SelectionPlan } from '../../../src/recovery/drafts/selection-plan.js'
import { diagnosedPartitions, diagnosisOf } from '../diagnosed.js'
import { planningContext, replicaLog } from '../scenario-evidence.js'

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [2, 'up'],
  ]),
)
const named = (partition: number) => ({ topic: 'orders', partition })
const evidence = (partition: number, end: number): PartitionEvidence => ({
  state: {
    ...named(partition),
    topicId: 'id',
    leader: null,
    leaderEpoch: 9,
    replicas: [1, 2],
    isr: [],
    elr: [],
    lastKnownElr: [],
    offlineReplicas: [],
  },
  replicas: [
    replicaLog(1, { logStartOffset: 0, logEndOffset: 10, epochs: [[5, 0]] }),
    replicaLog(2, { logStartOffset: 0, logEndOffset: end, epochs: [[4, 0]] }),
  ],
  readAt: new Date(0),
})
const selected = [4, 1, 0, 3, 1, 7].map(named)
const ORDERED = selected.toSorted(byTopicPartition)

/** What becomes of one partition between two diagnoses. */
const step = fc.record({
  partition: fc.nat(7),
  become: fc.oneof(fc.integer({ min: 5, max: 100 }), fc.constantFrom('gone', 'outdated')),
  draft: fc.constantFrom<'keep' | 'takeOut' | 'accept' | 'empty'>('keep', 'takeOut', 'accept', 'empty'),
  newContext: fc.boolean(),
})

function changedDraft(draft: Draft, what: string, partition: number, diagnosis: Diagnosis): Draft {
  if (what === 'takeOut') return takeOut(draft, [named(partition)])
  if (what === 'empty') return emptyDraft('here')
  const found = diagnosis.partitions.find((one) => one.partition === partition)?.decided?.evidence
  if (what !== 'accept' || found == null) return draft
  return acceptCode(draft, 'contested', [found], CONTEXT).draft
}

describe('a plan made after another of the same partitions', () => {
  it('is what it would be made from nothing, and the same objects where nothing changed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let diagnosis = diagnosisOf(
          [0, 1, 2, 3, 4].map((partition) => evidence(partition, 20)),
          CONTEXT,
        )
        let draft = emptyDraft('here')
        let before: SelectionPlan | null = null
        const made = { planId: 'mine', now: new Date(0) }
        for (const { partition, become, draft: what, newContext } of steps) {
          const others = diagnosis.partitions.filter((one) => one.partition !== partition)
          const own = diagnosis.partitions.filter((one) => one.partition === partition)
          const partitions =
            become === 'gone'
              ? others
              : become === 'outdated'
                ? [...others, ...own.map((one) => ({ ...one, outdated: true }))]
                : [...others, ...diagnosedPartitions([evidence(partition, become)], CONTEXT)]
          const context = newContext ? { ...CONTEXT } : diagnosis.context
          diagnosis = { ...diagnosis, partitions: partitions.sort(byTopicPartition), context }
          draft = changedDraft(draft, what, partition, diagnosis)
          const after: SelectionPlan = planSelection(diagnosis, selected, draft, { ...made, before })
          expect(after).toEqual(planSelection(diagnosis, selected, draft, made))
          const again = planSelection(diagnosis, selected, draft, { ...made, before: after })
          expect(again.plan.partitions.every((one, index) => one === after.plan.partitions[index])).toBe(true)
          const all = [
            ...after.plan.partitions,
            ...after.plan.skipped,
            ...after.takenOut,
            ...after.notRead,
            ...after.gone,
          ]
          expect(new Set(all.map(partitionName))).toEqual(new Set(ORDERED.map(partitionName)))
          before = after
        }
      }),
    )
  })
})
