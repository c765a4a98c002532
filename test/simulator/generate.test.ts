import { describe, expect, test } from 'vitest'
import { buildCluster } from '../../src/simulator/build.js'
import { systemClock } from '../../src/simulator/clock.js'
import { type InspectedPartition, inspect } from '../../src/simulator/inspect.js'
import { scenarioOf } from './client.js'

/** Topics given by their numbers. */
const clock = { ...systemClock, now: () => 1_700_000_000_000 }

function generated(down: readonly number[], more: object = {}): InspectedPartition[] {
  const scenario = scenarioOf({
    brokers: [1, 2, 3, 4, 5, 6].map((id) => ({
      id,
      logDirs: ['/data/a', '/data/b'],
      state: down.includes(id) ? 'down' : 'up',
    })),
    topics: [{ name: 'many', partitionCount: 3000, replicationFactor: 3, offlineShare: 0.2, seed: 7, ...more }],
  })
  return [...inspect(buildCluster(scenario, clock)).partitions()]
}

describe.each([[[]], [[2]], [[1, 5]]])('with brokers %j down', (down) => {
  const partitions = generated(down)
  const offline = partitions.filter(({ leader }) => leader === -1)

  test('the same numbers give the same cluster, another seed another one', () => {
    expect(generated(down)).toEqual(partitions)
    expect(generated(down, { seed: 8 })).not.toEqual(partitions)
  })

  test('the share without a leader is about right', () => {
    expect(offline.length / partitions.length).toBeGreaterThan(0.17)
    expect(offline.length / partitions.length).toBeLessThan(0.23)
  })

  test('assignments are of different brokers and spread over all', () => {
    const counts = new Map<number, number>()
    for (const { replicas } of partitions) {
      expect(new Set(replicas).size).toBe(3)
      for (const id of replicas) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('nobody alive has a role in a leaderless partition; elsewhere the leader is alive and in sync', () => {
    for (const { leader, isr, elr, lastKnownElr } of partitions) {
      if (leader === -1) {
        for (const id of [...isr, ...elr, ...lastKnownElr]) expect(down).toContain(id)
        expect(lastKnownElr).toHaveLength(down.length === 0 ? 0 : 1)
      } else {
        expect(isr).toContain(leader)
        for (const id of isr) expect(down).not.toContain(id)
      }
    }
  })

  test('logs of leaderless partitions part, in length and in epochs; all are sound', () => {
    let shorter = 0
    let olderEpoch = 0
    for (const { logs, leaderEpoch } of offline) {
      const all = [...logs.values()]
      expect(all).toHaveLength(3)
      if (new Set(all.map(({ logEndOffset }) => logEndOffset)).size > 1) shorter += 1
      if (new Set(all.map(({ epochs }) => epochs.at(-1)?.[0])).size > 1) olderEpoch += 1
      for (const log of all) {
        expect(log.logEndOffset).toBeGreaterThanOrEqual(log.logStartOffset)
        expect(log.epochs[0]?.[1]).toBe(log.logStartOffset)
        expect(log.epochs.at(-1)![0]).toBeLessThan(leaderEpoch)
      }
    }
    expect(shorter).toBeGreaterThan(offline.length / 2)
    expect(olderEpoch).toBeGreaterThan(offline.length / 10)
  })
})

test('a failed directory takes its replicas out, and partitions without another one offline', () => {
  const scenario = scenarioOf({
    brokers: [1, 2].map((id) => ({
      id,
      logDirs: ['/data/a', '/data/b'],
      ...(id === 1 ? { failedLogDirs: ['/data/b'] } : {}),
    })),
    topics: [{ name: 'single', partitionCount: 200, replicationFactor: 1, seed: 1 }],
  })
  for (const { leader, logs, replicas } of inspect(buildCluster(scenario, clock)).partitions()) {
    const [only] = replicas
    const failed = only === 1 && logs.get(1)!.logDir === '/data/b'
    expect(leader).toBe(failed ? -1 : only)
  }
})
