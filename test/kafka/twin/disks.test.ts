import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCluster, type TestCluster } from '../harness/cluster.js'
import type { TwinTopic } from './twin.js'
import { Twins } from './twins.js'

// Twin tests (see twins.ts): disks that are replaced or fail. State Z, all that sets it off, and the way out.

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

const at = (topic: string, partition = 0) => ({ topic, partition })
const ATTEMPTS = 3

/**
 * Broker 1 alone has everything, is stopped, and returns with an empty disk; 2 is up with the best log that is left, 3 is down.
 * On real brokers a matter of milliseconds (harness/state-z.ts): so it looks, and tries again with new topics.
 */
async function openInStateZ(topics: readonly TwinTopic[]): Promise<{ both: Twins; names: readonly string[] }> {
  for (let attempt = 1; ; attempt++) {
    const named = attempt === 1 ? topics : topics.map((topic) => ({ ...topic, name: `${topic.name}-${attempt}` }))
    const both = await Twins.open(kafka, named)
    twins = both
    await both.write(4)
    await both.kill(3)
    await both.write(4)
    await both.kill(2)
    await both.write(4)
    await both.stop(1)
    await both.replaceDisks(1)
    await both.start(2)
    await both.start(1)
    const views = await Promise.all(named.map(({ name }) => kafka.describe(name)))
    if (views.every(([view]) => view?.leader === -1)) return { both, names: named.map(({ name }) => name) }
    if (attempt === ATTEMPTS) throw new Error(`state Z was not reached: ${JSON.stringify(views)}`)
    await both.dispose()
  }
}

describe('state Z: the last known leader is alive, but emptied', () => {
  it('our plan is blocked and sends nothing; re-orderings, elections and the return of another broker set it off', async () => {
    const { both, names } = await openInStateZ([
      { name: 'reordered', assignment: [[1, 2, 3]] },
      { name: 'dropped', assignment: [[1, 2, 3]] },
      { name: 'preferred', assignment: [[2, 1, 3]] },
      { name: 'unclean', assignment: [[2, 3, 1]] },
      { name: 'returned', assignment: [[3, 2, 1]] },
    ])
    const [reordered = '', dropped = '', preferred = '', unclean = '', returned = ''] = names
    const { partitions, alarms } = await both.same()
    for (const name of names) {
      expect(partitions[`${name}-0`]).toMatchObject({
        leader: null,
        isr: [],
        elr: [],
        lastKnownElr: [1],
        offlineReplicas: [3],
        logs: { 1: '0 to 0, epochs [], last written none', 2: expect.stringMatching(/^0 to 8, /), 3: 'down' },
        decision: { left: 'blocked', blockedBy: 1, kafkaWouldElect: 1, ranked: [2, 1] },
      })
      expect(alarms).toContain(`emptyLogMayLead: broker 1 of ${name}-0`)
    }
    const outcomes = await both.recover()
    expect(outcomes.map(({ result, code }) => [result, code])).toEqual(names.map(() => ['skipped', 'blocked']))
    expect((await both.same()).partitions).toEqual(partitions)

    const wiped = { leader: 1, logs: { 2: expect.stringMatching(/^0 to 0, /) } }
    expect(await both.reassign(reordered, 0, [2, 1, 3])).toBe(0)
    expect(await both.sameOf(reordered)).toMatchObject(wiped)
    expect(await both.reassign(dropped, 0, [2, 3])).toBe(0)
    await both.same()
    expect(await both.elect('preferred', preferred, 0)).toBe(0)
    expect(await both.sameOf(preferred)).toMatchObject(wiped)
    expect(await both.elect('unclean', unclean, 0)).toBe(0)
    expect(await both.sameOf(unclean)).toMatchObject(wiped)
    expect(await both.sameOf(returned)).toEqual(partitions[`${returned}-0`])
    await both.start(3)
    expect(await both.sameOf(returned)).toMatchObject(wiped)
  })

  it('stopping it is the way out: our plan elects the best of the others; where nobody did, its restart sets it off', async () => {
    const { both, names } = await openInStateZ([
      { name: 'saved', assignment: [[3, 1, 2]] },
      { name: 'restarted', assignment: [[3, 1, 2]] },
    ])
    const [saved = '', restarted = ''] = names
    await both.stop(1)
    expect(await both.sameOf(saved)).toMatchObject({
      leader: null,
      lastKnownElr: [1],
      decision: { designatedLeader: 2, ranked: [2] },
    })
    expect(await both.recover([at(saved)])).toMatchObject([{ result: 'elected', leader: 2 }])
    expect(await both.sameOf(saved)).toMatchObject({ leader: 2, replicas: [3, 1, 2], lastKnownElr: [] })
    await both.start(1)
    const { partitions } = await both.same()
    expect(partitions[`${saved}-0`]).toMatchObject({
      leader: 2,
      isr: [1, 2],
      logs: { 1: expect.stringMatching(/^0 to 8, /), 2: expect.stringMatching(/^0 to 8, .* high watermark 8$/) },
    })
    expect(partitions[`${restarted}-0`]).toMatchObject({
      leader: 1,
      logs: { 2: expect.stringMatching(/^0 to 0, /) },
    })
  })
})

describe('a failed log directory', () => {
  /** A partition of the topic whose replica on broker 1 lies in that directory. */
  const onDisk = (both: Twins, topic: string, disk: string): number => {
    const found = [0, 1, 2, 3].find((partition) => both.placement(1, topic, partition) === disk)
    if (found === undefined) throw new Error(`no partition of ${topic} is in ${disk} of broker 1`)
    return found
  }

  it('with another copy in sync it leads at once, without none does; replaced, it refills where somebody leads', async () => {
    const both = await open([
      { name: 'single', assignment: [[1], [1]] },
      {
        name: 'copied',
        assignment: [
          [1, 2, 3],
          [1, 2, 3],
          [2, 1, 3],
          [3, 2, 1],
        ],
      },
    ])
    await both.write(5)
    const single = onDisk(both, 'single', 'disk2')
    await both.both((twin) => twin.failDiskOf(1, 'single', single))
    const { partitions: offline } = await both.same()
    expect(offline[`single-${single}`]).toMatchObject({
      leader: null,
      offlineReplicas: [1],
      logs: { 1: 'offlineLogDir' },
      decision: { left: 'noCandidate', kafkaWouldElect: null },
    })
    expect(await both.elect('unclean', 'single', single)).toBe(83)
    const there = [0, 1, 2, 3].filter((partition) => both.placement(1, 'copied', partition) === 'disk2')
    expect(there).not.toEqual([])
    for (const partition of there) {
      const leader = partition === 3 ? 3 : 2
      expect(offline[`copied-${partition}`]).toMatchObject({ leader, isr: [2, 3], logs: { 1: 'offlineLogDir' } })
    }
    await both.stop(1)
    await both.both((twin) => twin.replaceDiskOf(1, 'single', single))
    await both.start(1)
    const { partitions: replaced } = await both.same()
    expect(replaced[`single-${single}`]).toMatchObject({ leader: null, lastKnownElr: [1], offlineReplicas: [] })
    for (const partition of there) expect(replaced[`copied-${partition}`]).toMatchObject({ isr: [1, 2, 3] })
    // The other directory holds its metadata: that one takes the broker down, and all of it with it.
    await both.both((twin) => twin.failDiskOf(1, 'single', 1 - single))
    expect(await both.same()).toMatchObject({ brokers: { 1: 'down' } })
  })

  it('that holds the best log: its broker is alive and no candidate; our plan elects the best of the others', async () => {
    const both = await open([
      {
        name: 'best',
        assignment: [
          [1, 3, 2],
          [1, 3, 2],
        ],
      },
    ])
    await both.write(5)
    await both.kill(3)
    await both.write(4)
    await both.kill(2)
    await both.write(3)
    const best = onDisk(both, 'best', 'disk2')
    await both.both((twin) => twin.failDiskOf(1, 'best', best))
    await both.start(2, 3)
    expect(await both.sameOf('best', best)).toMatchObject({
      leader: null,
      offlineReplicas: [1],
      logs: { 1: 'offlineLogDir' },
      decision: { designatedLeader: 2, method: 'reorder', kafkaWouldElect: 3 },
    })
    expect(await both.recover([at('best', best)])).toMatchObject([{ result: 'elected', leader: 2 }])
    expect(await both.sameOf('best', best)).toMatchObject({ leader: 2, replicas: [1, 3, 2] })
  })
})

async function open(topics: readonly TwinTopic[]): Promise<Twins> {
  twins = await Twins.open(kafka, topics)
  return twins
}
