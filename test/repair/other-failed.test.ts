import { expect, test } from 'vitest'
import { diagnoseDirectories } from '../../src/repair/diagnosis.js'
import { otherFailed, otherFailedLines } from '../../src/repair/other-failed.js'
import { NOTHING_SEEN, noteSeen, type SeenCluster } from '../../src/repair/seen-placements.js'
import { failed, logDir, partition, snapshotOf } from './night.js'

// Several directories of a broker fail at once: each has its own partitions and its own gate.

const PATHS = ['/data/a', '/data/b', '/data/c'] as const
const healthy = snapshotOf({
  partitions: [0, 1, 2, 3].map((index) =>
    partition({ partition: index, leader: 1, isr: [1], elr: [], lastKnownElr: [] }),
  ),
  logDirs: [
    logDir({ path: PATHS[0], holds: [[3, 5]] }),
    logDir({ path: PATHS[1], holds: [[0, 5]] }),
    logDir({
      path: PATHS[2],
      holds: [
        [1, 5],
        [2, 5],
      ],
    }),
  ],
})
const offline = (index: number) => partition({ partition: index, offlineReplicas: [1] })

function others(
  seen: SeenCluster,
  path: string,
  partitions = [offline(0), offline(1), offline(2)],
  writtenOff: string[] = [],
) {
  const snapshot = snapshotOf({
    partitions: [...partitions, healthy.partitions[3]!],
    logDirs: [logDir({ path: PATHS[0], holds: [[3, 5]] }), failed(PATHS[1]), failed(PATHS[2])],
  })
  const context = { brokers: new Map(snapshot.brokers.map(({ id, state }) => [id, state])), topicConfigs: new Map() }
  const gate = { broker: 1, context, writtenOff: new Set(writtenOff) }
  return otherFailed(path, diagnoseDirectories(snapshot, seen), snapshot, seen, gate)
}

test('the other one is counted with its own partitions alone; a good directory is not', () => {
  const seen = noteSeen(NOTHING_SEEN, healthy)
  expect(others(seen, PATHS[1])).toEqual([{ path: PATHS[2], holds: 2 }])
  expect(others(seen, PATHS[2])).toEqual([{ path: PATHS[1], holds: 1 }])
})

test('its gate opens with a leader elsewhere, or by name', () => {
  const seen = noteSeen(NOTHING_SEEN, healthy)
  const led = partition({ partition: 1, leader: 2, isr: [2], elr: [], lastKnownElr: [], offlineReplicas: [1] })
  expect(others(seen, PATHS[1], [offline(0), led, offline(2)])).toEqual([{ path: PATHS[2], holds: 1 }])
  expect(others(seen, PATHS[1], undefined, ['orders-1', 'orders-2'])).toEqual([{ path: PATHS[2], holds: 0 }])
})

test('never looked at before: every partition that may have been in it counts', () => {
  expect(others(NOTHING_SEEN, PATHS[1])).toEqual([{ path: PATHS[2], holds: 3 }])
})

test('one that did not fail, but was seen emptied, counts too, and is not said to have its old contents; while it is away as well', () => {
  const seen = noteSeen(NOTHING_SEEN, healthy)
  const stopped = snapshotOf({
    partitions: [partition({ partition: 0 }), partition({ partition: 1 }), partition({ partition: 2 })],
    brokers: [
      [1, 'down'],
      [2, 'up'],
    ],
  })
  const context = { brokers: new Map(stopped.brokers.map(({ id, state }) => [id, state])), topicConfigs: new Map() }
  const found = (emptied: readonly string[]) =>
    otherFailed(
      PATHS[1],
      diagnoseDirectories(stopped, seen),
      stopped,
      seen,
      { broker: 1, context, writtenOff: new Set() },
      new Set(emptied),
    )
  expect(found([])).toEqual([])
  expect(found([PATHS[2]])).toEqual([{ path: PATHS[2], holds: 2, emptied: true }])
  expect(otherFailedLines(found([PATHS[2]]), 1)).toEqual([
    expect.stringMatching(/was emptied too, and its own gate is SHUT \(2 partitions\)(?!.*OLD)/),
  ])
})
