import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import type { TwinTopic } from './twin.js'
import { Twins } from './twins.js'

// Twin tests: one scenario on the simulator and on real brokers, step by step, and both show the same. Here: brokers that die one
// after the other and return.

let kafka: TestCluster
let twins: Twins | null = null
beforeAll(async () => {
  kafka = await startCluster({ version: '4.4.0' })
})
afterEach(async () => {
  await twins?.dispose()
  twins = null
})
afterAll(async () => {
  await kafka?.dispose()
})

async function open(topics: readonly TwinTopic[]): Promise<Twins> {
  twins = await Twins.open(kafka, topics)
  return twins
}

const TWO = { 'min.insync.replicas': '2' }
const at = (topic: string, partition = 0) => ({ topic, partition })

describe('three different logs', () => {
  it('all killed, two return: what is offline, the codes of elections, a re-ordering alone, our election, the order put back', async () => {
    const both = await open([
      {
        name: 'lags',
        assignment: [
          [1, 2, 3],
          [3, 1, 2],
        ],
      },
      { name: 'lags-min-2', assignment: [[1, 2, 3]], config: TWO },
      { name: 'reordered', assignment: [[3, 1, 2]] },
      { name: 'alone', assignment: [[1]] },
      { name: 'led', assignment: [[2, 3]] },
    ])
    await both.write(10)
    await both.kill(3)
    await both.same()
    await both.write(5)
    await both.kill(2)
    const { partitions: oneLeft } = await both.same()
    expect(oneLeft['lags-0']).toMatchObject({ leader: 1, isr: [1], elr: [], lastKnownElr: [] })
    expect(oneLeft['lags-min-2-0']).toMatchObject({ leader: 1, isr: [1], elr: [2], lastKnownElr: [] })
    await both.write(3, [at('lags'), at('lags', 1), at('lags-min-2'), at('reordered'), at('alone')])
    await both.kill(1)
    await both.start(3)
    const { partitions: three } = await both.same()
    expect(three['lags-min-2-0']).toMatchObject({ leader: null, elr: [1, 2], lastKnownElr: [1] })
    await both.start(2)
    const { partitions: offline } = await both.same()
    expect(offline['lags-0']).toMatchObject({ leader: null, isr: [], elr: [1], lastKnownElr: [1] })
    expect(offline['lags-1']).toMatchObject({
      decision: { designatedLeader: 2, method: 'reorder', kafkaWouldElect: 3 },
    })
    expect(offline['lags-min-2-0']).toMatchObject({ leader: null, elr: [1], lastKnownElr: [1] })
    expect(offline['led-0']).toMatchObject({ leader: 2 })

    expect(await both.elect('preferred', 'lags', 0)).toBe(80)
    expect(await both.elect('preferred', 'alone', 0)).toBe(80)
    expect(await both.elect('unclean', 'alone', 0)).toBe(83)
    expect(await both.elect('unclean', 'led', 0)).toBe(84)
    expect(await both.elect('unclean', 'no-such-topic', 0)).toBe(3)
    expect(await both.elect('unclean', 'led', 7)).toBe(3)

    // What retries rest on: a mere re-ordering leaves the leader epoch as it was, and no reassignment is under way after it.
    const { leaderEpoch } = await both.sameOf('reordered')
    expect(await both.reassign('reordered', 0, [2, 3, 1])).toBe(0)
    expect(await both.sameOf('reordered')).toMatchObject({
      leader: null,
      leaderEpoch,
      replicas: [2, 3, 1],
      reassigning: false,
    })
    expect(await both.elect('preferred', 'reordered', 0)).toBe(80)
    expect(await both.elect('unclean', 'reordered', 0)).toBe(0)
    expect(await both.sameOf('reordered')).toMatchObject({ leader: 2, leaderEpoch: leaderEpoch + 1 })
    expect(await both.reassign('reordered', 0, [3, 1, 2])).toBe(0)
    expect(await both.sameOf('reordered')).toMatchObject({
      leader: 2,
      leaderEpoch: leaderEpoch + 1,
      reassigning: false,
    })
    expect(await both.reassign('reordered', 0, null)).toBe(85)
    expect(await both.reassign('reordered', 0, [])).toBe(39)
    expect(await both.reassign('reordered', 0, [3, 1, 1])).toBe(39)
    expect(await both.reassign('reordered', 0, [3, 1, 9])).toBe(39)
    expect(await both.reassign('no-such-topic', 0, [1])).toBe(3)

    const outcomes = await both.recover([at('lags'), at('lags', 1), at('lags-min-2'), at('alone'), at('led')])
    expect(outcomes.map(({ result, leader }) => [result, leader])).toEqual([
      ['skipped', null],
      ['elected', 2],
      ['elected', 2],
      ['elected', 2],
      ['alreadyHasLeader', 2],
    ])
    const { partitions: recovered } = await both.same()
    expect(recovered['lags-1']).toMatchObject({ leader: 2, replicas: [3, 1, 2] })
    await both.write(4, [at('lags'), at('lags', 1), at('lags-min-2')])
    await both.start(1)
    const { partitions: whole } = await both.same()
    expect(whole['lags-1']).toMatchObject({ leader: 2, isr: [1, 2, 3] })
    expect(whole['alone-0']).toMatchObject({ leader: 1 })
  })
})

describe('eligible leader replicas over an outage', () => {
  it('all killed, the last leader first: with min.insync 2 a dead ELR member keeps it from leading, and a designation holds', async () => {
    const both = await open([
      { name: 'killed', assignment: [[1, 2, 3]] },
      { name: 'killed-min-2', assignment: [[1, 2, 3]], config: TWO },
      { name: 'held', assignment: [[1, 2, 3]], config: TWO },
    ])
    await both.write(6)
    await both.kill(3)
    await both.write(4)
    await both.kill(2)
    await both.write(2)
    await both.kill(1)
    await both.start(1)
    const { partitions: first } = await both.same()
    expect(first['killed-0']).toMatchObject({ leader: 1 })
    expect(first['killed-min-2-0']).toMatchObject({ leader: null, elr: [2], lastKnownElr: [1] })
    await both.start(3)
    const held = await both.sameOf('held')
    expect(held).toMatchObject({ leader: null, elr: [2], lastKnownElr: [1] })
    expect(held.decision).toMatchObject({ designatedLeader: 1, kafkaWouldElect: 1 })
    // Broker 1 was the last known leader and is alive; all the same the one that was chosen by hand leads.
    const choices = new Map([['held-0', { designatedLeader: 3, by: 'hand' as const }]])
    expect(await both.recover([at('held')], { choices })).toMatchObject([{ result: 'elected', leader: 3 }])
    expect(await both.sameOf('held')).toMatchObject({ leader: 3, replicas: [1, 2, 3], elr: [], lastKnownElr: [] })
    await both.start(2)
    const { partitions: last } = await both.same()
    expect(last['killed-min-2-0']).toMatchObject({ leader: 1, isr: [1, 2, 3] })
  })

  it('all stopped cleanly: with min.insync 2 the second to last leads by itself, and what the last one alone had is lost', async () => {
    const both = await open([
      { name: 'stopped', assignment: [[1, 2, 3]] },
      { name: 'stopped-min-2', assignment: [[1, 2, 3]], config: TWO },
    ])
    await both.write(6)
    await both.stop(3)
    await both.write(4)
    await both.stop(2)
    await both.write(2)
    await both.stop(1)
    await both.start(3)
    const { partitions: stale } = await both.same()
    expect(stale['stopped-0']).toMatchObject({ leader: null, elr: [1], lastKnownElr: [1] })
    expect(stale['stopped-min-2-0']).toMatchObject({ leader: null, elr: [1, 2], lastKnownElr: [1] })
    await both.start(2)
    const { partitions: second } = await both.same()
    expect(second['stopped-0']).toMatchObject({ leader: null, elr: [1], lastKnownElr: [1] })
    expect(second['stopped-min-2-0']).toMatchObject({ leader: 2 })
    await both.write(3, [at('stopped-min-2')])
    await both.start(1)
    const { partitions: all } = await both.same()
    expect(all['stopped-0']).toMatchObject({ leader: 1, isr: [1, 2, 3] })
    expect(all['stopped-min-2-0']).toMatchObject({ leader: 2, isr: [1, 2, 3] })
  })
})

describe('a longer log on an older epoch, and a leader that never wrote', () => {
  it('the newer epoch is designated over the longer log; an empty last epoch counts for nothing', async () => {
    const both = await open([
      { name: 'older', assignment: [[3, 1, 2]] },
      { name: 'silent', assignment: [[3, 1, 2]] },
    ])
    await both.write(10)
    await both.kill(3, 2)
    await both.write(20, [at('older')])
    await both.kill(1)
    await both.start(2, 3)
    await both.same()
    for (const topic of ['older', 'silent']) expect(await both.elect('unclean', topic, 0)).toBe(0)
    await both.same()
    // `silent` has a leader that notes its epoch, and writes nothing.
    await both.write(5, [at('older')])
    await both.kill(2)
    await both.write(3, [at('older')])
    await both.kill(3)
    await both.start(1, 2)
    const { partitions: offline } = await both.same()
    expect(offline['older-0']?.decision).toMatchObject({ left: 'contested', ranked: [2, 1], kafkaWouldElect: 1 })
    await both.start(3)
    const { partitions: back } = await both.same()
    expect(back['older-0']).toMatchObject({ leader: 3, isr: [1, 2, 3] })
    expect(back['silent-0']).toMatchObject({ leader: 3, isr: [1, 2, 3] })
  })
})
