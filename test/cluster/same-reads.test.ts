import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartitionMap } from '../../src/cluster/partition-map.js'
import { keepSame, sameState } from '../../src/cluster/same-reads.js'
import { byTopicPartition, type PartitionState, partitionName } from '../../src/cluster/snapshot.js'

const state = fc
  .record({
    topic: fc.constantFrom('a', 'b', 'a-1'),
    partition: fc.nat(4),
    leader: fc.constantFrom(null, 1),
    leaderEpoch: fc.nat(1),
    isr: fc.constantFrom<readonly number[]>([], [1], [1, 2]),
    elr: fc.constantFrom<readonly number[] | null>(null, [], [2]),
  })
  .map(
    (some): PartitionState => ({
      topicId: 'id',
      replicas: [1, 2],
      lastKnownElr: null,
      offlineReplicas: [],
      ...some,
    }),
  )
/** By topic, then partition, each once. */
const states = fc
  .uniqueArray(state, { selector: partitionName, maxLength: 12 })
  .map((some) => some.sort(byTopicPartition))

describe('a snapshot after another', () => {
  it('says what was read, with the objects of before wherever nothing differs', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, async (before, read) => {
        const now = await keepSame(before, read)
        expect(now).toEqual(read)
        const known = new Map(before.map((one) => [partitionName(one), one]))
        for (const one of now) {
          const old = known.get(partitionName(one))
          if (old !== undefined && sameState(old, one)) expect(one).toBe(old)
        }
      }),
    )
  })

  it('is the list of before where nothing differs at all', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (before) => {
        expect(await keepSame(before, structuredClone(before))).toBe(before)
      }),
    )
  })
})

describe('a map of partitions', () => {
  const named = fc.record({ topic: fc.constantFrom('a', 'a-1', '__proto__'), partition: fc.nat(3) })
  const steps = fc.array(fc.record({ at: named, value: fc.option(fc.nat()) }), { maxLength: 30 })

  it('does what a map by name does', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const map = new PartitionMap<number>()
        const model = new Map<string, number>()
        for (const { at, value } of all) {
          const name = `${at.topic} ${at.partition}`
          if (value === null) expect(map.delete(at)).toBe(model.delete(name))
          else {
            map.set(at, value)
            model.set(name, value)
          }
          expect(map.get(at)).toBe(model.get(name))
          expect(map.size).toBe(model.size)
        }
        expect([...map.values()].sort()).toEqual([...model.values()].sort())
      }),
    )
  })
})
