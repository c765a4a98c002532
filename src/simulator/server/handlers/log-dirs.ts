import { ErrorCode } from '../../../protocol/error-codes.js'
import { DescribeLogDirs } from '../../../protocol/rpc/describe-log-dirs.js'
import { api } from '../api.js'

const TOTAL_BYTES = 2n ** 40n

export const describeLogDirs = api({
  rpc: DescribeLogDirs,
  needs: { cluster: 'DESCRIBE' },
  handle(request, context) {
    const { cluster, broker } = context
    const wanted =
      request.topics === null
        ? null
        : new Map(request.topics.map(({ topic, partitions }) => [topic, new Set(partitions)]))
    const replicas = new Map(broker.logDirs.map((dir) => [dir, new Map<string, LogDirPartition[]>()]))
    const used = new Map<string, number>()
    for (const partition of cluster.partitionsOn(broker.id)) {
      const log = partition.log(broker.id)
      const topics = log === null ? undefined : replicas.get(log.logDir)
      if (log === null || topics === undefined) continue
      used.set(log.logDir, (used.get(log.logDir) ?? 0) + log.sizeBytes)
      const { name } = partition.topic
      if (wanted !== null && !wanted.get(name)?.has(partition.index)) continue
      const list = topics.get(name) ?? []
      topics.set(name, list)
      list.push({
        partitionIndex: partition.index,
        partitionSize: BigInt(log.sizeBytes),
        offsetLag: BigInt(Math.max(0, log.highWatermark - log.logEndOffset)),
        isFutureKey: false,
      })
    }
    const results = broker.logDirs.map((logDir) => {
      if (!broker.isOnline(logDir)) {
        return { errorCode: ErrorCode.KAFKA_STORAGE_ERROR, logDir, topics: [], totalBytes: -1n, usableBytes: -1n }
      }
      const topics = [...(replicas.get(logDir) ?? [])].map(([name, partitions]) => ({ name, partitions }))
      const free = TOTAL_BYTES - BigInt(used.get(logDir) ?? 0)
      return { errorCode: ErrorCode.NONE, logDir, topics, totalBytes: TOTAL_BYTES, usableBytes: free > 0n ? free : 0n }
    })
    return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, results }
  },
  refuse: (_request, { code }) => ({ throttleTimeMs: 0, errorCode: code, results: [] }),
})

interface LogDirPartition {
  readonly partitionIndex: number
  readonly partitionSize: bigint
  readonly offsetLag: bigint
  readonly isFutureKey: boolean
}
