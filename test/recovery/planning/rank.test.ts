import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import type { PartitionState } from '../../../src/cluster/snapshot.js'
import { rankReplicas } from '../../../src/recovery/planning/rank.js'
import { offlinePartitions, withOrder } from '../evidences.js'
import { notRead, planningContext, replicaLog } from '../scenario-evidence.js'

function log(broker: number, logStartOffset: number, logEndOffset: number, epoch: number | null): ReplicaRead {
  return replicaLog(broker, { logStartOffset, logEndOffset, epochs: epoch === null ? [] : [[epoch, logStartOffset]] })
}

function evidence(replicas: readonly ReplicaRead[], differing: Partial<PartitionState> = {}): PartitionEvidence {
  const state: PartitionState = {
    topic: 't',
    topicId: null,
    partition: 0,
    leader: null,
    leaderEpoch: 9,
    replicas: replicas.map(({ broker }) => broker),
    isr: [],
    elr: [],
    lastKnownElr: [],
    offlineReplicas: [],
    ...differing,
  }
  return { state, replicas, readAt: new Date(0) }
}

const ALL_UP = planningContext(new Map([1, 2, 3, 4, 5].map((broker) => [broker, 'up'])))

function order(read: PartitionEvidence, context = ALL_UP): number[] {
  return rankReplicas(read, context).eligible.map(({ broker }) => broker)
}

describe('ranking', () => {
  it('goes by the last written epoch before the end', () => {
    expect(order(evidence([log(1, 0, 900, 5), log(2, 0, 850, 7)]))).toEqual([2, 1])
  })

  it('then by end, then by the lower start', () => {
    expect(order(evidence([log(1, 5, 10, 1), log(2, 0, 11, 1), log(3, 0, 10, 1)]))).toEqual([2, 3, 1])
  })

  it('then by role, then by assignment', () => {
    const same = [1, 2, 3, 4, 5].map((broker) => log(broker, 0, 10, 1))
    expect(order(evidence(same, { isr: [5], elr: [4], lastKnownElr: [3] }))).toEqual([5, 4, 3, 1, 2])
  })

  it('puts logs without epochs after those with, however long, and empty ones last', () => {
    const logs = [log(1, 500, 500, null), log(2, 0, 70, null), log(3, 0, 90, null), log(4, 0, 1, 0), log(5, 0, 0, null)]
    expect(order(evidence(logs, { isr: [5] }))).toEqual([4, 3, 2, 1, 5])
  })

  it('by longest log goes by the end alone, ties by rank', () => {
    const logs = [log(1, 0, 900, 5), log(2, 0, 850, 7), log(3, 0, 900, 6)]
    expect(order(evidence(logs), { ...ALL_UP, strategy: 'longest-log' })).toEqual([3, 1, 2])
  })

  it('says for each replica that is not eligible why, and counts nothing that a fenced broker told', () => {
    const fenced = {
      ...notRead(2, 'fenced'),
      shown: replicaLog(2, { logStartOffset: 0, logEndOffset: 99, epochs: [] }),
    }
    const read = evidence([log(1, 0, 5, 0), fenced as ReplicaRead, log(3, 0, 9, 0), log(4, 0, 9, 0), log(7, 0, 9, 0)], {
      offlineReplicas: [4],
    })
    const brokers = new Map([...ALL_UP.brokers, [3, 'fenced' as const]])
    const { replicas, eligible } = rankReplicas(read, { ...ALL_UP, brokers })
    expect(eligible.map(({ broker }) => broker)).toEqual([1])
    expect(replicas).toEqual([
      { broker: 1, eligible: true, reason: null, rank: 1 },
      { broker: 2, eligible: false, reason: 'broker 2: fenced', rank: null },
      { broker: 3, eligible: false, reason: 'broker 3 is fenced', rank: null },
      { broker: 4, eligible: false, reason: 'the replica on broker 4 is offline', rank: null },
      { broker: 7, eligible: false, reason: 'broker 7 is down', rank: null },
    ])
  })

  it('does not depend on the order of the assignment but for replicas that are equal in everything else', () => {
    fc.assert(
      fc.property(offlinePartitions(), fc.nat(2), (partition, shift) => {
        const { replicas } = partition.evidence.state
        const turned = withOrder(partition, [...replicas.slice(shift), ...replicas.slice(0, shift)])
        const measure = ({ evidence: read, context }: typeof partition) =>
          rankReplicas(read, context).eligible.map(({ broker, logEndOffset, logStartOffset, lastWrittenEpoch }) => [
            logEndOffset,
            logStartOffset,
            lastWrittenEpoch,
            read.state.isr.includes(broker),
            read.state.elr?.includes(broker) ?? false,
          ])
        expect(measure(turned)).toEqual(measure(partition))
      }),
    )
  })
})
