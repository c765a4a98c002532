import { describe, expect, it } from 'vitest'
import type { PartitionEvidence } from '../../../src/cluster/replica-log.js'
import { planEdit } from '../../../src/console/planning/edit-plan.js'
import { planNow, takeOverChanges } from '../../../src/console/planning/follow.js'
import { type OpenedPlan, planToElect } from '../../../src/console/planning/opened-plan.js'
import { emptyDraft, takeOut } from '../../../src/recovery/drafts/draft.js'
import { diagnosisOf } from '../../recovery/diagnosed.js'
import { notRead, planningContext, replicaLog } from '../../recovery/scenario-evidence.js'

// Proves: an opened plan stays with its partitions, elects nothing that is not as it was seen, and an edit is exactly its difference.

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [2, 'up'],
    [3, 'down'],
  ]),
)

function partition(number: number, one: number, two: number, leaderEpoch = 9): PartitionEvidence {
  const log = (broker: number, end: number) =>
    replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: [[4, 0]] })
  return {
    state: {
      topic: 'orders',
      topicId: 'id',
      partition: number,
      leader: null,
      leaderEpoch,
      replicas: [1, 2, 3],
      isr: [],
      elr: [],
      lastKnownElr: [],
      offlineReplicas: [3],
    },
    replicas: [log(1, one), log(2, two), notRead(3, 'down')],
    readAt: new Date('2026-01-01T03:00:00Z'),
  }
}

const at = (number: number) => ({ topic: 'orders', partition: number })
const OPENED: OpenedPlan = {
  planId: 'mine',
  openedAt: new Date('2026-01-01T03:10:00Z'),
  scope: { title: '2 partitions', partitions: [at(0), at(1)] },
  file: null,
  fileChoices: new Map(),
  acknowledged: new Map(),
  target: null,
  now: null,
}
const BEFORE = diagnosisOf([partition(0, 100, 90), partition(1, 50, 60), partition(2, 5, 5)], CONTEXT)
const DRAFT = emptyDraft(BEFORE.clusterId)
const opened = (): OpenedPlan => ({ ...OPENED, now: planNow(OPENED, BEFORE, DRAFT) })
const leaders = (plan: OpenedPlan) =>
  plan.now === null ? [] : planToElect(plan.now).partitions.map((one) => [one.partition, one.designatedLeader])

describe('an opened plan', () => {
  it('holds the partitions of its scope, and no other', () => {
    expect(leaders(opened())).toEqual([
      [0, 1],
      [1, 2],
    ])
  })

  it('is the same object as long as nothing changed', () => {
    const plan = opened()
    expect(planNow(plan, BEFORE, DRAFT)).toBe(plan.now)
    expect(planNow(plan, { ...BEFORE, sequence: 99 }, DRAFT)).toBe(plan.now)
  })

  it('that is in a file does not elect what the file left to the operator, though it can be elected now, before that is taken over', () => {
    const nobody = { ...partition(0, 0, 0), replicas: [notRead(1, 'down'), notRead(2, 'down'), notRead(3, 'down')] }
    const left = diagnosisOf([nobody, partition(1, 50, 60)], CONTEXT)
    const first: OpenedPlan = { ...OPENED, now: planNow(OPENED, left, DRAFT) }
    expect(first.now?.selection.plan.skipped).toMatchObject([{ partition: 0, code: 'noCandidate' }])
    for (const kind of ['opened', 'written'] as const) {
      const inFile: OpenedPlan = { ...first, file: { path: '/plan.json', kind } }
      const once = { ...inFile, now: planNow(inFile, BEFORE, DRAFT) }
      expect(leaders(once)).toEqual([[1, 2]])
      expect(once.now.changed.get('orders-0')).toBe('it was left to you as noCandidate, and can be elected now')
      // It stays so, whatever is read next.
      const later = diagnosisOf([partition(0, 120, 90), partition(1, 50, 60)], CONTEXT)
      const twice = { ...once, now: planNow(once, later, DRAFT) }
      expect(leaders(twice)).toEqual([[1, 2]])
      expect(leaders(takeOverChanges(twice))).toEqual([
        [0, 1],
        [1, 2],
      ])
    }
    // In no file: what is confirmed is what stands on the screen.
    expect(leaders({ ...first, now: planNow(first, BEFORE, DRAFT) })).toHaveLength(2)
  })

  it('does not elect what changed, says what, and elects it once that is taken over', () => {
    const plan = opened()
    const later = diagnosisOf([partition(0, 100, 90, 10), partition(1, 50, 60)], CONTEXT)
    const followed = { ...plan, now: planNow(plan, later, DRAFT) }
    expect(leaders(followed)).toEqual([[1, 2]])
    expect([...(followed.now?.changed ?? [])]).toEqual([['orders-0', expect.stringContaining('leader epoch was 9')]])
    expect(leaders(takeOverChanges(followed))).toEqual([
      [0, 1],
      [1, 2],
    ])
    // And it stays so with the next diagnosis.
    const taken = takeOverChanges(followed)
    const again = {
      ...taken,
      now: planNow(taken, diagnosisOf([partition(0, 100, 90, 10), partition(1, 50, 60)], CONTEXT), DRAFT),
    }
    expect(again.now.changed.size).toBe(0)
  })

  it('takes a change of the draft as the own doing of the operator', () => {
    const plan = opened()
    const out = takeOut(DRAFT, [at(0)])
    const followed = { ...plan, now: planNow(plan, BEFORE, out) }
    expect(leaders(followed)).toEqual([[1, 2]])
    expect(followed.now.changed.size).toBe(0)
    expect(followed.now.selection.takenOut).toEqual([at(0)])
  })

  it('compares with what was seen before a partition was away for a moment', () => {
    const plan = opened()
    const away = { ...plan, now: planNow(plan, diagnosisOf([partition(1, 50, 60)], CONTEXT), DRAFT) }
    expect(away.now.selection.gone).toEqual([at(0)])
    const back = {
      ...away,
      now: planNow(away, diagnosisOf([partition(0, 100, 90, 11), partition(1, 50, 60)], CONTEXT), DRAFT),
    }
    expect([...back.now.changed.keys()]).toEqual(['orders-0'])
  })
})

describe('an edit', () => {
  const plan = () => opened().now?.selection.plan as never
  const named = (number: number, designatedLeader: number | null) => ({ ...at(number), designatedLeader, path: '' })

  it('is its changed leaders and the lines that are not there any more', () => {
    const edit = planEdit(plan(), [named(0, 2)], DRAFT, CONTEXT)
    expect(edit.refused).toEqual([])
    expect(edit.leaders.map(({ from, to }) => [from.designatedLeader, to.designatedLeader])).toEqual([[1, 2]])
    expect(edit.takenOut.map((one) => one.partition)).toEqual([1])
    expect([...edit.draft.entries.keys()].sort()).toEqual(['orders-0', 'orders-1'])
  })

  it('unchanged is none', () => {
    const edit = planEdit(plan(), [named(0, 1), named(1, 2)], DRAFT, CONTEXT)
    expect([edit.leaders, edit.takenOut, edit.refused]).toEqual([[], [], []])
    expect(edit.draft.entries.size).toBe(0)
  })

  it('refuses partitions that are not in the plan, brokers that cannot lead, and lines without a leader', () => {
    const edit = planEdit(plan(), [named(0, 3), named(1, null), named(2, 1)], DRAFT, CONTEXT)
    expect(edit.refused).toEqual([
      expect.stringMatching(/^orders-0: broker 3 cannot be elected/),
      expect.stringMatching(/^orders-1: no "designatedLeader"/),
      expect.stringMatching(/^orders-2: is not in this plan/),
    ])
  })
})
