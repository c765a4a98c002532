import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { listOffset } from './harness/raw-reads.js'
import { reachStateZ, type StateZ } from './harness/state-z.js'

// In state Z the emptied broker has to be stopped at once: by SIGTERM or by SIGKILL? Neither touches the partition. But the controller hears of a
// SIGTERM, and of a SIGKILL only when the session has run out: until then any touch still makes the emptied broker leader.

let kafka: TestCluster
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
})
beforeEach(async () => {
  await kafka.start(...kafka.brokers.filter(({ isRunning }) => !isRunning).map(({ id }) => id))
  await kafka.untilAlive([1, 2, 3])
})
afterAll(async () => {
  await kafka?.dispose()
})

const inStateZ = (topic: string) =>
  reachStateZ(kafka, [
    {
      name: topic,
      assignment: [
        [1, 2, 3],
        [2, 1, 3],
      ],
    },
  ])

/** Re-orders as anybody's tool may, and as every broker that comes back has the same effect of. */
async function touch(topic: string): Promise<void> {
  expect(await kafka.reorder(topic, 0, [2, 1, 3])).toBe(0)
  expect(await kafka.reorder(topic, 1, [1, 2, 3])).toBe(0)
}

/** Elected while 1 is away: 2 leads, with all that it had, and 1 returns as a follower. */
async function savedBy2(topic: string, states: readonly StateZ[]): Promise<void> {
  for (const { partition, logs } of states) {
    expect((await listOffset(kafka.broker(2), topic, partition, LATEST_TIMESTAMP)).offset).toBe(logs.get(2)!.length)
    expect(await kafka.reorder(topic, partition, [2, 3, 1])).toBe(0)
    expect(await kafka.elect('unclean', topic, partition)).toBe(0)
  }
  await kafka.broker(1).start()
  await kafka.untilDescribed(topic, 'led by 2, followed by 1', (views) =>
    views.every(({ leader, isr }) => leader === 2 && isr.includes(1)),
  )
  for (const { partition, logs } of states) {
    expect((await kafka.consume(topic, partition)).map(({ value }) => value)).toEqual(logs.get(2))
  }
}

test('SIGTERM: the partition is not touched, and once the broker has ended no touch makes it leader', async () => {
  const states = await inStateZ('terminated')
  const before = await kafka.describe('terminated', kafka.broker(2))
  await kafka.broker(1).stop()
  await touch('terminated')
  const after = await kafka.describe('terminated', kafka.broker(2))
  for (const [index, { leader, leaderEpoch, lastKnownElr }] of after.entries()) {
    expect({ leader, leaderEpoch, lastKnownElr }).toEqual({
      leader: -1,
      leaderEpoch: before[index]!.leaderEpoch,
      lastKnownElr: [1],
    })
  }
  await savedBy2('terminated', states)
})

test('SIGKILL: until its session has run out any touch makes it leader, dead as it is; then it is leaderless again, and nothing was cut', async () => {
  const states = await inStateZ('killed')
  await kafka.broker(1).kill()
  await touch('killed')
  await kafka.untilDescribed('killed', 'led by the dead 1', (views) => views.every(({ leader }) => leader === 1), {
    broker: kafka.broker(2),
  })
  await kafka.untilFenced(1)
  const views = await kafka.untilDescribed('killed', 'no leader', (all) => all.every(({ leader }) => leader === -1))
  for (const { elr, lastKnownElr } of views) expect({ elr, lastKnownElr }).toEqual({ elr: [1], lastKnownElr: [1] })
  await savedBy2('killed', states)
})
