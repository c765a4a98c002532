import { beforeEach, expect, test } from 'vitest'
import type { PartitionState } from '../../../src/cluster/snapshot.js'
import { Candidate, type Verdict } from '../../../src/recovery/apply/candidate.js'
import { correctByLaterState } from '../../../src/recovery/apply/later-state.js'
import { FakeCluster } from './fake-cluster.js'
import { offlinePartition, planOf } from './recovery-bench.js'
import { VirtualClock } from './virtual-clock.js'

let state: PartitionState
let candidate: Candidate
beforeEach(async () => {
  const fake = new FakeCluster(new VirtualClock(), new Set([2, 3]), [offlinePartition(0)])
  const plan = await planOf(fake, ['t-0'])
  state = plan.partitions[0]!.evidence.state
  candidate = new Candidate(plan.partitions[0]!)
  candidate.touched = true
})

function corrected(verdict: Verdict, decidedBy: Partial<PartitionState>, later: Partial<PartitionState>) {
  candidate.verdict = verdict
  candidate.lastState = { ...state, ...decidedBy }
  correctByLaterState(candidate, { ...state, ...later })
  return candidate.verdict
}

const ELECTED: Verdict = { kind: 'elected', leader: 3 }
const FAILED: Verdict = { kind: 'failed', code: 'noLeader', text: 'no leader shows', leader: null }

test('a view from before the election takes nothing back', () => {
  expect(corrected(ELECTED, { leader: 3, leaderEpoch: 6 }, { leader: null, leaderEpoch: 5 })).toEqual(ELECTED)
})

test('an elected leader that is gone, or was followed by another, is told as such', () => {
  const decidedBy = { leader: 3, leaderEpoch: 6 }
  expect(corrected(ELECTED, decidedBy, { leader: 3, leaderEpoch: 6 })).toEqual(ELECTED)
  expect(corrected(ELECTED, decidedBy, { leader: null, leaderEpoch: 7 })).toMatchObject({
    code: 'leaderLost',
    leader: null,
  })
  expect(corrected(ELECTED, decidedBy, { leader: 1, leaderEpoch: 7 })).toMatchObject({ code: 'otherLeader', leader: 1 })
})

test('a leader that shows late turns a failure into what it is', () => {
  expect(corrected(FAILED, {}, { leader: 3, leaderEpoch: 6 })).toEqual(ELECTED)
  expect(corrected(FAILED, {}, { leader: 1, leaderEpoch: 6 })).toMatchObject({
    code: 'otherLeader',
    leader: 1,
    text: 'broker 1 became leader instead of broker 3 (no leader shows)',
  })
})

test('where nothing was sent, what happens later is not ours', () => {
  candidate.touched = false
  expect(corrected(FAILED, {}, { leader: 3, leaderEpoch: 6 })).toEqual(FAILED)
})
