import { describe, expect, test } from 'vitest'
import type { ClusterSnapshot, LogDir, PartitionState } from '../../../src/cluster/snapshot.js'
import { offlineBecauseOf } from '../../../src/recovery/use-cases/offline-log-dirs.js'
import { selectPartitions } from '../../../src/recovery/use-cases/select-partitions.js'

function state(
  topic: string,
  partition: number,
  leader: number | null,
  offlineReplicas: number[] = [],
): PartitionState {
  return {
    topic,
    topicId: null,
    partition,
    leader,
    leaderEpoch: 1,
    replicas: [1, 2],
    isr: [],
    elr: null,
    lastKnownElr: null,
    offlineReplicas,
  }
}

function snapshot(partitions: PartitionState[], more: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  return {
    clusterId: 'c',
    simulated: false,
    controller: 1,
    readAt: new Date(0),
    brokers: [],
    partitions,
    internalTopics: new Set(),
    logDirs: null,
    topicConfigs: new Map(),
    quorum: null,
    problems: [],
    ...more,
  }
}

describe('selecting', () => {
  const cluster = snapshot([state('a', 0, 1), state('a', 1, null), state('a-1', 0, null), state('b', 0, null)])

  test('all offline ones', () => {
    const { found, missing } = selectPartitions({ kind: 'allOffline' }, cluster)
    expect(found.map(({ topic, partition }) => [topic, partition])).toEqual([
      ['a', 1],
      ['a-1', 0],
      ['b', 0],
    ])
    expect(missing).toEqual([])
  })

  test('named ones, with and without a leader, by topic and partition whatever their order', () => {
    const partitions = [
      { topic: 'b', partition: 0 },
      { topic: 'a', partition: 0 },
    ]
    const { found } = selectPartitions({ kind: 'named', partitions }, cluster)
    expect(found.map(({ topic }) => topic)).toEqual(['a', 'b'])
  })

  test('what the cluster does not have is named, topic and partition told apart', () => {
    const partitions = [
      { topic: 'z', partition: 0 },
      { topic: 'a', partition: 9 },
    ]
    const { found, missing } = selectPartitions({ kind: 'named', partitions }, cluster)
    expect(found).toEqual([])
    expect(missing.map(({ topic, code }) => [topic, code])).toEqual([
      ['a', 'unknownPartition'],
      ['z', 'unknownTopic'],
    ])
  })
})

describe('what is offline because of a failed log directory', () => {
  const dir = (path: string, state: LogDir['state']): LogDir => ({
    broker: 1,
    path,
    state,
    cordoned: false,
    error: null,
    totalBytes: null,
    usableBytes: null,
    replicaCount: null,
    replicas: null,
  })
  const up = { id: 1, host: 'h', port: 1, rack: null, state: 'up', error: null } as const
  const partitions = [state('a', 0, null, [1, 2]), state('a', 1, 2, [2]), state('b', 0, 2, [1])]

  test('the one failed directory of a live broker holds its offline replicas', () => {
    const failed = dir('/b', 'offline')
    const cluster = snapshot(partitions, { brokers: [up], logDirs: [dir('/a', 'online'), failed] })
    expect(offlineBecauseOf(failed, cluster)).toEqual([
      { topic: 'a', partition: 0 },
      { topic: 'b', partition: 0 },
    ])
  })

  test('two failed ones, or a broker that is down, cannot tell: null, not none', () => {
    const failed = dir('/b', 'offline')
    const two = snapshot(partitions, { brokers: [up], logDirs: [dir('/a', 'offline'), failed] })
    expect(offlineBecauseOf(failed, two)).toBeNull()
    const down = snapshot(partitions, { brokers: [{ ...up, state: 'down' }], logDirs: [failed] })
    expect(offlineBecauseOf(failed, down)).toBeNull()
  })
})
