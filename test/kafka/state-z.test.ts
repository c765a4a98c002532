import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP } from '../../src/protocol/rpc/list-offsets.js'
import { startCluster, type TestCluster } from './harness/cluster.js'
import { divergingEpoch, listOffset } from './harness/raw-reads.js'
import { reachStateZ } from './harness/state-z.js'

// The deadliest state of stock brokers, on real ones: what sets it off, and the way out that the program advises.

const VERSION = '4.4.0'

let cluster: TestCluster
beforeAll(async () => {
  cluster = await startCluster({ version: VERSION })
})
afterAll(async () => {
  await cluster?.dispose()
})

/** Log end offsets of brokers, by their own word. */
async function logEnds(topic: string, ids: readonly number[]): Promise<number[]> {
  const ends: number[] = []
  for (const id of ids) ends.push((await listOffset(cluster.broker(id), topic, 0, LATEST_TIMESTAMP)).offset)
  return ends
}

async function untilEmptyLogLeads(topic: string): Promise<void> {
  await cluster.untilDescribed(
    topic,
    'led by the emptied 1, followed by 2',
    ([view]) => view?.leader === 1 && view.isr.includes(2),
  )
  expect(await logEnds(topic, [1, 2])).toEqual([0, 0])
}

describe('any touch makes the emptied last known leader lead, and wipes the others', () => {
  beforeAll(async () => {
    await reachStateZ(cluster, [
      { name: 'reordered', assignment: [[1, 2, 3]] },
      { name: 'dropped', assignment: [[1, 2, 3]] },
      { name: 'preferred', assignment: [[2, 1, 3]] },
      { name: 'unclean', assignment: [[2, 3, 1]] },
      { name: 'returned', assignment: [[3, 2, 1]] },
    ])
  })

  test('untouched it stays without a leader; 1 is empty, without an epoch, and nothing is shown offline but 3', async () => {
    const [view] = await cluster.describe('returned')
    expect(view).toMatchObject({ leader: -1, isr: [], elr: [], lastKnownElr: [1], offlineReplicas: [3] })
    expect(await logEnds('returned', [1, 2])).toEqual([0, 8])
    expect((await listOffset(cluster.broker(1), 'returned', 0, EARLIEST_TIMESTAMP)).offset).toBe(0)
    expect(await divergingEpoch(cluster.broker(1), 'returned', 0, 0)).toMatchObject({ errorCode: 1, diverging: null })
    expect(await divergingEpoch(cluster.broker(1), 'returned', 0, 9)).toMatchObject({ errorCode: 1, diverging: null })
  })

  test('a reassignment that only re-orders, with 2 first', async () => {
    expect(await cluster.reorder('reordered', 0, [2, 1, 3])).toBe(0)
    await untilEmptyLogLeads('reordered')
  })

  test('a reassignment that drops 1', async () => {
    expect(await cluster.reorder('dropped', 0, [2, 3])).toBe(0)
    await untilEmptyLogLeads('dropped')
  })

  test('a preferred election, although 2 is the preferred one', async () => {
    expect(await cluster.elect('preferred', 'preferred', 0)).toBe(0)
    await untilEmptyLogLeads('preferred')
  })

  test('an unclean election, although 2 is the first of the list', async () => {
    expect(await cluster.elect('unclean', 'unclean', 0)).toBe(0)
    await untilEmptyLogLeads('unclean')
  })

  test('the return of any other broker', async () => {
    expect(await logEnds('returned', [2])).toEqual([8])
    await cluster.broker(3).start()
    await untilEmptyLogLeads('returned')
  })
})

describe('the way out', () => {
  test('stop 1, wait until it is fenced, re-order, elect, put back, start 1: 2 leads and its records are there', async () => {
    const [state] = await reachStateZ(cluster, [{ name: 'saved', assignment: [[3, 1, 2]] }])
    await cluster.broker(1).stop()
    await cluster.untilFenced(1)
    expect(await cluster.reorder('saved', 0, [2, 3, 1])).toBe(0)
    expect(await cluster.elect('unclean', 'saved', 0)).toBe(0)
    await cluster.untilDescribed('saved', 'led by 2', ([view]) => view?.leader === 2)
    expect(await cluster.reorder('saved', 0, [3, 1, 2])).toBe(0)
    await cluster.start(1, 3)
    await cluster.untilDescribed('saved', 'followed by all', ([view]) => view?.leader === 2 && view.isr.length === 3)
    expect((await cluster.consume('saved', 0)).map(({ value }) => value)).toEqual(state!.logs.get(2))
    expect(await logEnds('saved', [1, 2, 3])).toEqual([8, 8, 8])
    expect((await cluster.describe('saved'))[0]?.replicas).toEqual([3, 1, 2])
  })
})
