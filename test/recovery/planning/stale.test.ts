import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence, ReplicaLog } from '../../../src/cluster/replica-log.js'
import type { PartitionState } from '../../../src/cluster/snapshot.js'
import { ACCEPTABLE_CODES } from '../../../src/recovery/planning/plan.js'
import { isPlanned, planPartition } from '../../../src/recovery/planning/plan-partition.js'
import { changedSince } from '../../../src/recovery/planning/stale.js'
import { offlinePartitions } from '../evidences.js'
import { notRead, planningContext, replicaLog } from '../scenario-evidence.js'

const CONTEXT = planningContext(
  new Map([
    [1, 'up'],
    [2, 'up'],
    [3, 'up'],
    [4, 'down'],
  ]),
)
const log = (broker: number, end: number) =>
  replicaLog(broker, { logStartOffset: 0, logEndOffset: end, epochs: [[2, 0]] })
const EVIDENCE: PartitionEvidence = {
  state: {
    topic: 'orders',
    topicId: 'id',
    partition: 0,
    leader: null,
    leaderEpoch: 4,
    replicas: [4, 1, 2, 3],
    isr: [],
    elr: [4],
    lastKnownElr: [4],
    offlineReplicas: [4],
  },
  replicas: [notRead(4, 'down'), log(1, 80), log(2, 100), notRead(3, 'late')],
  readAt: new Date(0),
}
const decided = planPartition(EVIDENCE, CONTEXT)
if (!isPlanned(decided)) throw new Error(decided.reason)
const PLAN = decided

const withState = (differing: Partial<PartitionState>) => ({ ...EVIDENCE, state: { ...EVIDENCE.state, ...differing } })
const withReplica = (replica: PartitionEvidence['replicas'][number]) => ({
  ...EVIDENCE,
  replicas: EVIDENCE.replicas.map((old) => (old.broker === replica.broker ? replica : old)),
})

// Each reason of design.md for dropping a partition right before a write.
describe('changed since the plan', () => {
  it('is nothing where nothing changed', () => {
    expect(PLAN.designatedLeader).toBe(2)
    expect(changedSince(PLAN, EVIDENCE, CONTEXT)).toBeNull()
  })

  it.each<[string, PartitionEvidence, RegExp]>([
    ['a leader', withState({ leader: 4 }), /broker 4 leads it by now/],
    ['the log of another replica', withReplica(log(1, 70)), /log of broker 1 ended at 80, and ends at 70/],
    ['another topic of that name', withState({ topicId: 'other' }), /made anew: its id was id, and is other/],
    ['the leader epoch', withState({ leaderEpoch: 5 }), /leader epoch was 4, and is 5/],
    ['the ISR', withState({ isr: [4] }), /ISR was \[\], now \[4\]/],
    ['the ELR', withState({ elr: [] }), /ELR was \[4\], now \[\]/],
    ['the ELR, no longer told', withState({ elr: null }), /ELR was \[4\], now not told/],
    ['the last known ELR', withState({ lastKnownElr: [1] }), /last known ELR was \[4\], now \[1\]/],
    ['the replicas', withState({ replicas: [1, 2, 3] }), /replicas were \[4, 1, 2, 3\], now \[1, 2, 3\]/],
    ['the offline replicas', withState({ offlineReplicas: [] }), /offline replicas were \[4\], now \[\]/],
    ['the end of the chosen log', withReplica(log(2, 99)), /log of broker 2 ended at 100, and ends at 99/],
    [
      'the epoch of the chosen log',
      withReplica({ ...log(2, 100), lastWrittenEpoch: { kind: 'epoch', epoch: 3 } }),
      /last epoch of broker 2 was 2, and is 3/,
    ],
    ['the chosen log unreadable', withReplica(notRead(2, 'connection')), /broker 2 cannot be elected any more/],
    ['a better one', withReplica(log(3, 101)), /broker 3 now ranks higher/],
  ])('%s', (_, now, reason) => {
    expect(changedSince(PLAN, now, CONTEXT)).toMatch(reason)
  })

  it('a reassignment under way', () => {
    expect(changedSince(PLAN, EVIDENCE, { ...CONTEXT, reassigning: new Set(['orders-0']) })).toMatch(/reassignment/)
  })

  it('the winner, when a broker with a role is back before the metadata of the partition shows it', () => {
    const evidence = withState({ offlineReplicas: [] })
    const planned = { ...PLAN, evidence }
    const brokers = new Map([...CONTEXT.brokers, [4, 'up' as const]])
    expect(changedSince(planned, evidence, { ...CONTEXT, brokers })).toBe(
      'Kafka would now elect broker 4 instead of broker 2',
    )
  })

  it('not the order of the assignment: that is our own doing', () => {
    expect(changedSince(PLAN, withState({ replicas: [...PLAN.electionOrder] }), CONTEXT)).toBeNull()
  })

  it('not a worse one that is read by now, nor its head or its history', () => {
    expect(changedSince(PLAN, withReplica(log(3, 100)), CONTEXT)).toBeNull()
    expect(changedSince(PLAN, withReplica({ ...log(2, 100), epochs: [] }), CONTEXT)).toBeNull()
  })

  it('is nothing for any plan made of the same evidence, read without history', () => {
    fc.assert(
      fc.property(offlinePartitions(), fc.option(fc.nat(2)), ({ evidence, context }, byHand) => {
        const accepting = { ...context, accepted: new Set(ACCEPTABLE_CODES) }
        const choice = byHand === null ? undefined : ({ designatedLeader: byHand, by: 'hand' } as const)
        const planned = planPartition(evidence, accepting, choice)
        fc.pre(isPlanned(planned))
        const short = (replica: PartitionEvidence['replicas'][number]) =>
          replica.kind === 'read' ? ({ ...replica, epochs: replica.epochs.slice(-1) } satisfies ReplicaLog) : replica
        if (!isPlanned(planned)) return
        expect(changedSince(planned, { ...evidence, replicas: evidence.replicas.map(short) }, context)).toBeNull()
      }),
    )
  })
})
