import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import type { TwinTopic } from './twin.js'
import { Twins } from './twins.js'

// Twin tests (see twins.ts): the repair of a failed log directory, both ways, in the safe order. After each step both clusters show the
// same, and `repair` says the same of both: phase, partitions, impact, gate, steps, progress.

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

const FAILING = 'disk2'
const four = (name: string, replicas: readonly number[], config: TwinTopic['config'] = {}): TwinTopic => ({
  name,
  assignment: Array.from({ length: 4 }, () => replicas),
  config,
})

/** Partitions of a topic that a broker keeps in the directory that fails, and the others. */
function placed(
  both: Twins,
  topic: string,
  broker = 1,
): { readonly lost: readonly number[]; readonly kept: readonly number[] } {
  const lost = [0, 1, 2, 3].filter((partition) => both.placement(broker, topic, partition) === FAILING)
  expect(lost.length).toBeGreaterThan(0)
  expect(lost.length).toBeLessThan(4)
  return { lost, kept: [0, 1, 2, 3].filter((partition) => !lost.includes(partition)) }
}
const named = (topic: string, partitions: readonly number[]) => partitions.map((one) => `${topic}-${one}`)
const at = (topic: string, partitions: readonly number[]) => partitions.map((partition) => ({ topic, partition }))

async function open(topics: readonly TwinTopic[], broker: number): Promise<Twins> {
  twins = await Twins.open(kafka, topics)
  // As somebody who looked while all was well: what was in the directory is known when its broker is away.
  expect(await twins.sameRepair(broker, FAILING)).toMatchObject({ phase: 'nothing', held: { source: 'told' } })
  return twins
}

describe('the same repair on both', () => {
  it("the last leader's disk is replaced: fail, stop, elect, replace, start, refill", async () => {
    const both = await open([four('last', [1, 2, 3]), four('single', [1])], 1)
    const last = placed(both, 'last')
    const single = placed(both, 'single')
    await both.write(5)
    await both.kill(3)
    await both.write(4)
    await both.kill(2)
    await both.write(3)
    await both.both((twin) => twin.failDiskOf(1, 'last', last.lost[0]!))
    await both.start(2)
    await both.same()
    const failed = await both.sameRepair(1, FAILING)
    expect(failed).toMatchObject({
      phase: 'failed',
      way: 'keep',
      directories: { disk1: 'online', disk2: 'failed' },
      held: { source: 'derived', exact: true },
      impact: {
        goesOffline: named('single', single.kept),
        changesLeader: named('last', last.kept),
        metadataLog: false,
      },
      gate: { open: false },
    })
    expect(failed.steps.replace.slice(1, 4)).toEqual(['readLog: byHand', 'checkDisk: byHand', 'stop: now'])
    expect(failed.impact.emptiedLeads.map((one) => one.split(':')[0])).toEqual(named('last', last.lost))

    await both.stop(1)
    await both.same()
    const away = await both.sameRepair(1, FAILING)
    expect(away).toMatchObject({ phase: 'away', held: { source: 'noted' }, gate: { open: false } })
    const outcomes = await both.recover(at('last', last.lost))
    expect(outcomes.map(({ result, leader }) => [result, leader])).toEqual(last.lost.map(() => ['elected', 2]))
    expect((await both.sameRepair(1, FAILING)).gate.open).toBe(false)
    const writtenOff = at('single', single.lost)
    const open1 = await both.sameRepair(1, FAILING, writtenOff)
    expect(open1.gate).toMatchObject({ open: true, holds: [], writtenOff: named('single', single.lost) })
    expect(open1.steps.replace).toContain('start: now')

    await both.both((twin) => twin.replaceDiskOf(1, 'last', last.lost[0]!))
    await both.start(1)
    const { partitions } = await both.same()
    for (const name of named('last', last.lost)) {
      expect(partitions[name]).toMatchObject({
        leader: 2,
        isr: [1, 2],
        logs: { 1: expect.stringMatching(/^0 to 9, /) },
      })
    }
    const back = await both.sameRepair(1, FAILING, writtenOff)
    expect(back).toMatchObject({ progress: { done: true }, wiped: [] })
    await both.start(3)
    await both.same()
  })

  it('a directory is taken out of log.dirs: fail, stop, remove, start; its replicas are made anew in the other one', async () => {
    const both = await open(
      [four('kept', [3, 2, 1]), four('strict', [3, 2], { 'min.insync.replicas': '2' }), four('follower', [1, 3])],
      3,
    )
    await both.write(6)
    const strict = placed(both, 'strict', 3)
    const kept = placed(both, 'kept', 3)
    await both.both((twin) => twin.failDiskOf(3, 'kept', kept.lost[0]!))
    await both.same()
    const failed = await both.sameRepair(3, FAILING)
    expect(failed.steps.remove.slice(1, 4)).toEqual(['readLog: byHand', 'checkDisk: byHand', 'stop: now'])
    expect(failed).toMatchObject({
      phase: 'failed',
      way: 'replace',
      impact: { underMinIsr: named('strict', strict.kept), goesOffline: [], emptiedLeads: [] },
      gate: { open: true },
    })
    await both.stop(3)
    await both.same()
    await both.sameRepair(3, FAILING)
    await both.write(2, at('kept', [0, 1, 2, 3]))
    await both.both((twin) => twin.removeDisk(3, FAILING))
    await both.start(3)
    const { partitions } = await both.same()
    for (const name of named('kept', [0, 1, 2, 3])) expect(partitions[name]).toMatchObject({ isr: [1, 2, 3] })
    expect(await both.sameRepair(3, FAILING)).toMatchObject({
      phase: 'nothing',
      way: 'remove',
      directories: { disk1: 'online' },
      progress: { done: true },
    })
  })
})
