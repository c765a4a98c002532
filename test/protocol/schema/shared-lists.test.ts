import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DescribeTopicPartitions } from '../../../src/protocol/rpc/describe-topic-partitions.js'
import { decodeResponse, decodeResponseInSlices, encodeResponse } from '../../../src/protocol/schema/rpc.js'
import { SharedLists } from '../../../src/protocol/schema/shared-lists.js'

const ids = fc.oneof(fc.nat(40), fc.constantFrom(2 ** 17 - 1, 2 ** 17, 2 ** 31 - 1, -1))
const lists = fc.array(fc.array(ids, { maxLength: 5 }), { maxLength: 200 })

describe('shared lists', () => {
  it('are one object where they are equal, and never where they are not', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 300 }), (all, most) => {
        const shared = new SharedLists<number>((id) => id, most)
        const kept = all.map((list) => shared.of(list))
        all.forEach((list, index) => {
          expect(kept[index]).toEqual(list)
        })
        if (most >= 200) expect(new Set(kept).size).toBe(new Set(all.map((list) => list.join())).size)
      }),
    )
  })

  it('cannot be changed: all of their kind would change', () => {
    const list = new SharedLists<number>((id) => id).of([1, 2, 3]) as number[]
    expect(() => list.push(4)).toThrow(TypeError)
    expect(() => list.sort()).toThrow(TypeError)
  })
})

describe('an answer decoded in slices', () => {
  const answer = (topics: number, partitions: number) => ({
    throttleTimeMs: 0,
    topics: Array.from({ length: topics }, (_, topic) => ({
      errorCode: 0,
      name: `topic-${topic}`,
      partitions: Array.from({ length: partitions }, (_, partitionIndex) => ({
        errorCode: 0,
        partitionIndex,
        leaderId: -1,
        replicaNodes: [1, 2, 3],
        isrNodes: [],
        eligibleLeaderReplicas: [topic % 3],
        lastKnownElr: null,
        offlineReplicas: [1, 2, 3],
      })),
    })),
  })

  it('is what it is at once, large or small, and so are its errors', async () => {
    for (const body of [answer(0, 0), answer(3, 5), answer(60, 100)]) {
      const bytes = encodeResponse(DescribeTopicPartitions, 0, body)
      expect(await decodeResponseInSlices(DescribeTopicPartitions, 0, bytes)).toEqual(
        decodeResponse(DescribeTopicPartitions, 0, bytes),
      )
      const cut = bytes.subarray(0, bytes.length - 3)
      const error = await decodeResponseInSlices(DescribeTopicPartitions, 0, cut).catch((reason: unknown) => reason)
      expect(() => decodeResponse(DescribeTopicPartitions, 0, cut)).toThrow((error as Error).message)
    }
  })

  it('keeps each list of brokers once', async () => {
    const bytes = encodeResponse(DescribeTopicPartitions, 0, answer(60, 100))
    const { topics } = await decodeResponseInSlices(DescribeTopicPartitions, 0, bytes)
    const found = topics.flatMap(({ partitions }) => partitions)
    const kept = new Set(found.flatMap((one) => [one.replicaNodes, one.isrNodes, one.offlineReplicas]))
    expect(found).toHaveLength(6_000)
    expect(kept.size).toBe(2)
  })
})
