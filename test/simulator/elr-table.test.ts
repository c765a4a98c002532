import { describe, expect, test } from 'vitest'
import type { ScenarioEvent } from '../../src/simulator/scenario.js'
import type { RunningSimulator } from '../../src/simulator/simulator.js'
import { log, scenarioOf, start } from './client.js'

/** kafka-facts, "ELR over an outage": replicas 1, 2, 3, all in sync, stopped in the order 3, 2, 1 (4.4.0). */

async function outage(minIsr: number, kill: boolean): Promise<RunningSimulator> {
  const running = await start(
    scenarioOf({
      topics: [
        {
          name: 't',
          config: { 'min.insync.replicas': String(minIsr) },
          partitions: [
            {
              partition: 0,
              assignment: [1, 2, 3],
              leader: 1,
              leaderEpoch: 0,
              isr: [1, 2, 3],
              logs: Object.fromEntries([1, 2, 3].map((id) => [id, log(0, 10, [[0, 0]])])),
            },
          ],
        },
      ],
    }),
  )
  const append: ScenarioEvent = { appendRecords: { topic: 't', partition: 0, records: 5 } }
  await running.apply({ brokerDown: { broker: 3, kill } })
  await running.apply(append)
  await running.apply({ brokerDown: { broker: 2, kill } })
  await running.apply(append)
  return running
}

function state(running: RunningSimulator) {
  const { leader, isr, elr, lastKnownElr } = running.inspect().partition('t', 0)!
  return { leader, isr, elr, lastKnownElr }
}

describe.each([
  { minIsr: 1, twoDown: { leader: 1, isr: [1], elr: [] }, allDown: { isr: [], elr: [1], lastKnownElr: [1] } },
  { minIsr: 2, twoDown: { leader: 1, isr: [1], elr: [2] }, allDown: { isr: [], elr: [1, 2], lastKnownElr: [1] } },
])('min.insync.replicas $minIsr', ({ minIsr, twoDown, allDown }) => {
  test('3 and 2 down, all down, stale 3 back', async () => {
    const running = await outage(minIsr, true)
    expect(state(running)).toMatchObject(twoDown)
    await running.apply({ brokerDown: { broker: 1, kill: true } })
    expect(state(running)).toEqual({ leader: -1, ...allDown })
    await running.apply({ brokerUp: 3 })
    expect(state(running)).toEqual({ leader: -1, ...allDown })
  })

  test('records count as committed only while enough are in sync', async () => {
    const running = await outage(minIsr, true)
    const { logs } = running.inspect().partition('t', 0)!
    expect(logs.get(1)).toMatchObject({ logEndOffset: 20, highWatermark: minIsr === 1 ? 20 : 15 })
    await running.apply({ brokerUp: 2 })
    expect(running.inspect().partition('t', 0)!.logs.get(1)).toMatchObject({ highWatermark: 20 })
  })

  test('2 back after a kill', async () => {
    const running = await outage(minIsr, true)
    await running.apply({ brokerDown: { broker: 1, kill: true } })
    await running.apply({ brokerUp: 2 })
    expect(state(running)).toEqual({ leader: -1, isr: [], elr: [1], lastKnownElr: [1] })
  })

  test('2 back after a clean stop', async () => {
    const running = await outage(minIsr, false)
    await running.apply({ brokerDown: 1 })
    await running.apply({ brokerUp: 2 })
    if (minIsr === 1) {
      expect(state(running)).toEqual({ leader: -1, ...allDown })
      return
    }
    // It leads by itself; what 1 alone had is lost when 1 returns.
    expect(state(running).leader).toBe(2)
    await running.apply({ brokerUp: 1 })
    expect(running.inspect().partition('t', 0)!.logs.get(1)).toMatchObject({ logEndOffset: 15 })
  })

  test('1 back after a kill, others up: it leads by itself, nothing is lost', async () => {
    const running = await outage(minIsr, true)
    await running.apply({ brokerDown: { broker: 1, kill: true } })
    await running.apply({ brokerUp: 2 })
    await running.apply({ brokerUp: 3 })
    await running.apply({ brokerUp: 1 })
    expect(state(running)).toEqual({ leader: 1, isr: [1, 2, 3], elr: [], lastKnownElr: [] })
    const ends = [...running.inspect().partition('t', 0)!.logs.values()].map(({ logEndOffset }) => logEndOffset)
    expect(ends).toEqual([20, 20, 20])
  })

  test('all killed, 1 back first', async () => {
    const running = await outage(minIsr, true)
    await running.apply({ brokerDown: { broker: 1, kill: true } })
    await running.apply({ brokerUp: 1 })
    if (minIsr === 1) {
      expect(state(running).leader).toBe(1)
      return
    }
    expect(state(running)).toEqual({ leader: -1, isr: [], elr: [2], lastKnownElr: [1] })
    await running.apply({ brokerUp: 2 })
    expect(state(running).leader).toBe(1)
  })
})

test('without ELR an offline partition keeps its last leader in the ISR, and its return brings it back', async () => {
  const running = await start(
    scenarioOf({
      elr: false,
      topics: [
        { name: 't', partitions: [{ partition: 0, assignment: [1, 2], leader: 1, leaderEpoch: 0, isr: [1, 2] }] },
      ],
    }),
  )
  await running.apply({ brokerDown: { broker: 2, kill: true } })
  await running.apply({ brokerDown: { broker: 1, kill: true } })
  expect(state(running)).toEqual({ leader: -1, isr: [1], elr: [], lastKnownElr: [] })
  await running.apply({ brokerUp: 2 })
  expect(state(running).leader).toBe(-1)
  await running.apply({ brokerUp: 1 })
  expect(state(running)).toMatchObject({ leader: 1, isr: [1, 2] })
})

test('a topic that allows unclean elections elects whoever is left by itself', async () => {
  const running = await start(
    scenarioOf({
      topics: [
        {
          name: 't',
          config: { 'unclean.leader.election.enable': 'true' },
          partitions: [{ partition: 0, assignment: [1, 2], leader: 1, leaderEpoch: 0, isr: [1] }],
        },
      ],
    }),
  )
  await running.apply({ brokerDown: 1 })
  expect(state(running)).toMatchObject({ leader: 2, isr: [2] })
})

test('a killed broker that is not noticed yet still leads in the metadata', async () => {
  const running = await start(
    scenarioOf({
      topics: [
        { name: 't', partitions: [{ partition: 0, assignment: [1, 2], leader: 1, leaderEpoch: 0, isr: [1, 2] }] },
      ],
    }),
  )
  await running.apply({ brokerDown: { broker: 1, kill: true, fencedAfterMs: 40 } })
  expect(state(running).leader).toBe(1)
  await expect.poll(() => state(running).leader).toBe(2)
})
