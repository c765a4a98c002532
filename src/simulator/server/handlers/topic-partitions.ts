import { ErrorCode } from '../../../protocol/error-codes.js'
import { DescribeTopicPartitions } from '../../../protocol/rpc/describe-topic-partitions.js'
import { ZERO_UUID } from '../../../protocol/schema/types.js'
import { api } from '../api.js'
import { describePartition, isInternal, NO_OPERATIONS_TOLD, visibleTopics } from './metadata.js'

/** Kafka's default max.request.partition.size.limit. */
const MAX_PARTITIONS = 2000

/** Topics in name order, from the cursor on, as many partitions as the limit allows; the next cursor tells where to go on. */
export const describeTopicPartitions = api({
  rpc: DescribeTopicPartitions,
  needs: { topic: 'DESCRIBE' },
  handle(request, context) {
    const { cluster } = context
    const all = request.topics.length === 0
    const from = request.cursor?.topicName ?? ''
    const wanted = all ? visibleTopics(cluster) : [...new Set(request.topics.map(({ name }) => name))].sort()
    const names = wanted.filter((name) => name >= from)
    const { cursor } = request
    if (cursor !== null && (cursor.partitionIndex < 0 || (!all && !names.includes(cursor.topicName)))) {
      return refused(request.topics, ErrorCode.INVALID_REQUEST)
    }
    let left = Math.max(
      1,
      Math.min(MAX_PARTITIONS, request.responsePartitionLimit, context.requestLimit ?? MAX_PARTITIONS),
    )
    const topics: ReturnType<typeof missing>[] = []
    for (const name of names) {
      if (left === 0) return { throttleTimeMs: 0, topics, nextCursor: { topicName: name, partitionIndex: 0 } }
      const topic = cluster.topics.get(name)
      const fault = context.faultFor(name, -1)
      if (topic === undefined || fault !== ErrorCode.NONE) {
        if (fault !== ErrorCode.NONE) topics.push(missing(name, fault))
        else if (!all) topics.push(missing(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
        continue
      }
      const first = name === cursor?.topicName ? cursor.partitionIndex : 0
      const page = topic.partitions.slice(first, first + left)
      left -= page.length
      topics.push({
        errorCode: ErrorCode.NONE,
        name,
        topicId: topic.id,
        isInternal: isInternal(name),
        partitions: page.map((partition) => describePartition(context, partition)),
        topicAuthorizedOperations: cluster.authorizer.topicOperations(name),
      })
      const next = first + page.length
      if (next < topic.partitions.length) {
        return { throttleTimeMs: 0, topics, nextCursor: { topicName: name, partitionIndex: next } }
      }
    }
    return { throttleTimeMs: 0, topics, nextCursor: null }
  },
  refuse: (request, { code }) => refused(request.topics, code),
})

function missing(name: string, errorCode: number) {
  const partitions: ReturnType<typeof describePartition>[] = []
  const topicAuthorizedOperations = NO_OPERATIONS_TOLD
  return { errorCode, name, topicId: ZERO_UUID, isInternal: isInternal(name), partitions, topicAuthorizedOperations }
}

function refused(topics: readonly { readonly name: string }[], errorCode: number) {
  return { throttleTimeMs: 0, topics: topics.map(({ name }) => missing(name, errorCode)) }
}
