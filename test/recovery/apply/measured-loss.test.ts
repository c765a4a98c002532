import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartitionEvidence, ReplicaRead } from '../../../src/cluster/replica-log.js'
import { measuredLoss } from '../../../src/recovery/apply/measured-loss.js'
import { histories, REPLICAS } from '../histories.js'
import { logEnd, lostUnder, type SimulatedLog, toldLog } from '../record-by-record.js'
import { notRead, replicaLog } from '../scenario-evidence.js'

const EPOCH_BEFORE = 100

function evidenceBefore(replicas: readonly ReplicaRead[]): PartitionEvidence {
  return {
    state: {
      topic: 't',
      topicId: null,
      partition: 0,
      leader: null,
      leaderEpoch: EPOCH_BEFORE,
      replicas: replicas.map(({ broker }) => broker),
      isr: [],
      elr: [],
      lastKnownElr: [],
      offlineReplicas: [],
    },
    replicas,
    readAt: new Date(0),
  }
}

/** The leader some time later: it wrote records of its own, and retention took some of its head. */
function later(log: SimulatedLog, written: number, deleted: number): SimulatedLog {
  const own = Array.from({ length: written }, (_, i) => ({ offset: logEnd(log) + i, epoch: EPOCH_BEFORE + 2 }))
  const records = [...log.records, ...own]
  const gone = Math.min(deleted, records.length)
  return { logStart: log.logStart + gone, records: records.slice(gone), deleted: new Map() }
}

describe('measured loss', () => {
  it('counts what the others held and the leader did not, whatever the leader wrote or deleted since', () => {
    fc.assert(
      fc.property(histories(), fc.nat(REPLICAS - 1), fc.nat(5), fc.nat(5), (logs, l, written, deleted) => {
        // With all of its old records gone it is unknown: below.
        fc.pre(deleted < logs[l]!.records.length || deleted === 0)
        const evidence = evidenceBefore(logs.map((log, broker) => toldLog(broker, log)))
        const distinct = new Set(
          logs.flatMap((log) => lostUnder(logs[l]!, log).map(({ offset, epoch }) => `${epoch}@${offset}`)),
        )
        expect(measuredLoss(evidence, toldLog(l, later(logs[l]!, written, deleted)))).toBe(distinct.size)
      }),
      { numRuns: 3_000 },
    )
  })

  it('counts what the leader itself had lost before it took over', () => {
    const evidence = evidenceBefore([
      replicaLog(1, { logStartOffset: 0, logEndOffset: 100, epochs: [[3, 0]] }),
      notRead(2, 'down'),
    ])
    const emptied = replicaLog(1, { logStartOffset: 0, logEndOffset: 5, epochs: [[101, 0]] })
    expect(measuredLoss(evidence, emptied)).toBe(100)
  })

  it('measures a leader that was not read before', () => {
    const evidence = evidenceBefore([
      notRead(1, 'down'),
      replicaLog(2, { logStartOffset: 0, logEndOffset: 50, epochs: [[3, 0]] }),
    ])
    const leader = replicaLog(1, {
      logStartOffset: 0,
      logEndOffset: 45,
      epochs: [
        [3, 0],
        [101, 40],
      ],
    })
    expect(measuredLoss(evidence, leader)).toBe(10)
  })

  it('is unknown where nothing of what the leader took over is left to tell', () => {
    const evidence = evidenceBefore([replicaLog(1, { logStartOffset: 0, logEndOffset: 100, epochs: [[3, 0]] })])
    expect(measuredLoss(evidence, replicaLog(1, { logStartOffset: 4, logEndOffset: 9, epochs: [[101, 4]] }))).toBeNull()
  })

  it('is unknown, not 0, where epochs are', () => {
    const read = replicaLog(2, { logStartOffset: 0, logEndOffset: 50, epochs: [] })
    const leader = replicaLog(1, { logStartOffset: 0, logEndOffset: 45, epochs: [[3, 0]] })
    expect(measuredLoss(evidenceBefore([read]), leader)).toBeNull()
    expect(
      measuredLoss(evidenceBefore([leader]), { ...leader, epochs: [], lastWrittenEpoch: { kind: 'unknown' } }),
    ).toBeNull()
  })
})
