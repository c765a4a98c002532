import { z } from 'zod'
import type { SeenCluster, SeenDirectory, SeenReplica } from './seen-placements.js'
import { NOTHING_SEEN } from './seen-placements.js'

/** What was seen of one cluster's directories, as a file of ours. Replicas stand below their topic: there may be many. */

const number = z.int().min(0).nullable()
const replicas = z.array(
  z.object({
    topic: z.string(),
    topicId: z.string().nullable(),
    /** partition, size in bytes, log end */
    partitions: z.array(z.tuple([z.int().min(0), number, number])),
  }),
)
const at = z.iso.datetime()
const contents = z.object({
  placementsVersion: z.literal(1),
  clusterId: z.string(),
  brokers: z.array(
    z.object({
      broker: z.int().min(0),
      seenAt: at,
      logDirs: z.array(z.string()),
      metadataLogDir: z.string().nullable(),
      processRoles: z.array(z.string()),
    }),
  ),
  /** Each on its own: there may be 300,000 replicas, and whoever draws a screen meanwhile must not stand still. */
  directories: z.array(z.unknown()),
})
const directory = z.object({
  broker: z.int().min(0),
  path: z.string(),
  seenAt: at,
  replicas: replicas.nullable(),
  lost: z.object({ since: at, exact: z.boolean(), replicas }).nullable(),
  /** Files of before do not have it. */
  emptiedAt: at.exactOptional(),
  emptiedOf: z
    .array(
      z.object({
        topic: z.string(),
        topicId: z.string().nullable(),
        partition: z.int().min(0),
        leaderEpoch: z.int(),
      }),
    )
    .exactOptional(),
})

export function seenPlacementsText(clusterId: string, seen: SeenCluster): string {
  return [...seenPlacementsPieces(clusterId, seen)].join('')
}

/** The file's text piece by piece, a directory each. */
export function* seenPlacementsPieces(clusterId: string, seen: SeenCluster): Generator<string, void> {
  const brokers: z.input<typeof contents>['brokers'] = seen.brokers.map((one) => ({
    ...one,
    seenAt: one.seenAt.toISOString(),
    logDirs: [...one.logDirs],
    processRoles: [...one.processRoles],
  }))
  const head = JSON.stringify({ placementsVersion: 1, clusterId, brokers })
  yield `${head.slice(0, -1)},"directories":[`
  let between = ''
  for (const { broker, path, seenAt, replicas: held, lost, emptiedAt, emptiedOf } of seen.directories) {
    const one: z.input<typeof directory> = {
      broker,
      path,
      seenAt: seenAt.toISOString(),
      replicas: held === null ? null : byTopic(held),
      lost:
        lost === null ? null : { since: lost.since.toISOString(), exact: lost.exact, replicas: byTopic(lost.replicas) },
      ...(emptiedAt == null ? {} : { emptiedAt: emptiedAt.toISOString(), emptiedOf: [...(emptiedOf ?? [])] }),
    }
    yield between + JSON.stringify(one)
    between = ','
  }
  yield ']}\n'
}

/** Reads it back. What cannot be understood, or is of another cluster, counts as nothing seen. */
export function seenPlacementsOf(bytes: Uint8Array, clusterId: string): SeenCluster {
  const reading = seenPlacementsIn(bytes, clusterId)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

/** The same in steps, a directory each. */
export function* seenPlacementsIn(bytes: Uint8Array, clusterId: string): Generator<void, SeenCluster> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return NOTHING_SEEN
  }
  const parsed = contents.safeParse(value)
  if (!parsed.success || parsed.data.clusterId !== clusterId) return NOTHING_SEEN
  const directories: SeenDirectory[] = []
  for (const one of parsed.data.directories) {
    yield
    const read = directory.safeParse(one)
    if (!read.success) return NOTHING_SEEN
    const { broker, path, seenAt, replicas: held, lost, emptiedAt, emptiedOf } = read.data
    directories.push({
      broker,
      path,
      seenAt: new Date(seenAt),
      replicas: held === null ? null : flat(held),
      lost: lost === null ? null : { since: new Date(lost.since), exact: lost.exact, replicas: flat(lost.replicas) },
      ...(emptiedAt === undefined ? {} : { emptiedAt: new Date(emptiedAt), emptiedOf: emptiedOf ?? [] }),
    })
  }
  return { brokers: parsed.data.brokers.map((one) => ({ ...one, seenAt: new Date(one.seenAt) })), directories }
}

function byTopic(list: readonly SeenReplica[]): z.input<typeof replicas> {
  const topics = new Map<string, z.input<typeof replicas>[number]>()
  for (const { topic, topicId, partition, sizeBytes, logEndOffset } of list) {
    const key = `${topic} ${topicId}`
    const entry = topics.get(key) ?? { topic, topicId, partitions: [] }
    topics.set(key, entry)
    entry.partitions.push([partition, sizeBytes, logEndOffset])
  }
  return [...topics.values()]
}

function flat(topics: z.output<typeof replicas>): SeenReplica[] {
  return topics.flatMap(({ topic, topicId, partitions }) =>
    partitions.map(([partition, sizeBytes, logEndOffset]) => ({ topic, topicId, partition, sizeBytes, logEndOffset })),
  )
}
