import { z } from 'zod'
import type { EpochStart, PartitionEvidence, ReplicaLog, ReplicaRead } from '../../cluster/replica-log.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { PlannedPartition, RankedReplica, RecoveryPlan, SkippedPartition } from '../planning/plan.js'
import { type JsonDocument, pathText } from './strict-json.js'

/**
 * Reads back what planFileText wrote. What a plan file says is evidence to be checked against the cluster, so its numbers
 * have to be numbers of the right kind; whether they are still true is checked when the plan is applied.
 */

const id = z.int().min(0).max(2_147_483_647)
const offset = z.int().min(0)
const epoch = z.int().min(0).max(2_147_483_647)
const brokers = z.array(id)
const when = z.iso.datetime()

const replica = z.object({
  broker: id,
  eligible: z.boolean(),
  reason: z.string().nullable(),
  rank: z.int().min(1).nullable(),
  logStartOffset: offset.nullable(),
  logEndOffset: offset.nullable(),
  lastEpoch: epoch.nullable(),
  epochs: z.array(z.tuple([epoch, offset])).nullable(),
  highWatermark: offset.nullable(),
  sizeBytes: z.int().min(0).nullable(),
  logDir: z.string().nullable(),
  notRead: z
    .object({
      cause: z.enum([
        'down',
        'fenced',
        'offlineLogDir',
        'late',
        'moving',
        'permission',
        'wrongBroker',
        'connection',
        'error',
      ]),
      reason: z.string(),
    })
    .nullable(),
})

const warning = z.object({
  code: z.enum([
    'betterMissing',
    'loss',
    'committedLoss',
    'internalTopic',
    'late',
    'longestNotFirst',
    'tiered',
    'compacted',
    'uncleanEnabled',
    'accepted',
    'alarmedLeader',
  ]),
  text: z.string(),
  overruled: z.enum(['empty', 'unread', 'unknownEpoch', 'contested']).exactOptional(),
  byHand: z.literal(true).exactOptional(),
})

const evidence = z.object({
  topic: z.string(),
  topicId: z.string().nullable(),
  partition: id,
  leader: id.nullable(),
  leaderEpoch: z.int(),
  isr: brokers,
  elr: brokers.nullable(),
  lastKnownElr: brokers.nullable(),
  offlineReplicas: brokers,
  replicas: z.array(replica),
  readAt: when,
})

const lost = z.object({
  known: offset.nullable(),
  atLeast: offset,
  perReplica: z.array(
    z.object({
      broker: id,
      offsets: offset.nullable(),
      ranges: z.array(z.object({ from: offset, to: offset, epoch: epoch.nullable() })),
    }),
  ),
})

const planned = z
  .object({
    topic: z.string(),
    topicId: z.string().nullable(),
    partition: id,
    designatedLeader: id,
    method: z.enum(['designated', 'reorder', 'unclean']),
    electionOrder: brokers,
    byHand: z.boolean(),
    kafkaWouldElect: id.nullable(),
    loss: lost,
    committedAtLeast: offset,
    warnings: z.array(warning),
    evidence,
  })
  .refine(({ topic, partition, evidence }) => topic === evidence.topic && partition === evidence.partition, {
    path: ['evidence'],
    error: 'is of another partition than its entry',
  })
  .refine(({ electionOrder, evidence }) => sameMembers(electionOrder, evidence.replicas), {
    path: ['electionOrder'],
    error: 'has other members than the assignment in its evidence',
  })

const skipped = z.object({
  topic: z.string(),
  partition: id,
  code: z.enum([
    'hasLeader',
    'noCandidate',
    'blocked',
    'empty',
    'unread',
    'unknownEpoch',
    'contested',
    'reassigning',
    'unknownTopic',
    'unknownPartition',
  ]),
  reason: z.string(),
  leader: id.nullable(),
  blockedBy: id.nullable(),
  kafkaWouldElect: id.nullable(),
  evidence: evidence.nullable(),
})

const plan = z.object({
  planId: z.string().min(1),
  clusterId: z.string().min(1),
  createdAt: when,
  method: z.enum(['designated', 'reorder']),
  strategy: z.enum(['rank', 'longest-log']),
  partitions: z.array(planned),
  skipped: z.array(skipped),
})

/** A plan from a document that readStrictJson gave; InputFileError at the first thing that does not fit. */
export function planOf(document: JsonDocument): RecoveryPlan {
  const parsed = plan.safeParse(document.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = (issue?.path ?? []).map((segment) => (typeof segment === 'number' ? segment : String(segment)))
    throw document.errorAt(path, `${issue?.message ?? 'does not fit'}; make the plan anew with kafka-recovery plan`)
  }
  refuseTwice(document, parsed.data)
  return {
    ...parsed.data,
    createdAt: new Date(parsed.data.createdAt),
    partitions: parsed.data.partitions.map(plannedFromJson),
    skipped: parsed.data.skipped.map(skippedFromJson),
  }
}

/** A partition that is both planned and skipped, or one of them twice, has no one meaning. */
function refuseTwice(document: JsonDocument, { partitions, skipped }: z.output<typeof plan>): void {
  const seen = new Map<string, readonly (string | number)[]>()
  for (const [list, entries] of Object.entries({ partitions, skipped })) {
    for (const [index, entry] of entries.entries()) {
      const name = partitionName(entry)
      const path = [list, index]
      const before = seen.get(name)
      if (before !== undefined) {
        const where = `${document.place([...before])} (${pathText([...before])})`
        throw document.errorAt(path, `${name} was already named at ${where}, name each partition once`)
      }
      seen.set(name, path)
    }
  }
}

function sameMembers(order: readonly number[], replicas: readonly { readonly broker: number }[]): boolean {
  const members = new Set(order)
  return (
    members.size === order.length &&
    order.length === replicas.length &&
    replicas.every(({ broker }) => members.has(broker))
  )
}

function plannedFromJson(entry: z.output<typeof planned>): PlannedPartition {
  return { ...entry, evidence: evidenceFromJson(entry.evidence), ranking: rankingFromJson(entry.evidence) }
}

function skippedFromJson(entry: z.output<typeof skipped>): SkippedPartition {
  return {
    ...entry,
    evidence: entry.evidence === null ? null : evidenceFromJson(entry.evidence),
    ranking: entry.evidence === null ? [] : rankingFromJson(entry.evidence),
  }
}

type EvidenceInFile = z.output<typeof evidence>

function evidenceFromJson({ replicas, readAt, ...state }: EvidenceInFile): PartitionEvidence {
  return {
    state: { ...state, replicas: replicas.map(({ broker }) => broker) },
    replicas: replicas.map(replicaFromJson),
    readAt: new Date(readAt),
  }
}

/** In assignment order, as rankReplicas gives it. */
function rankingFromJson({ replicas }: EvidenceInFile): RankedReplica[] {
  return replicas.map(({ broker, eligible, reason, rank }) => ({ broker, eligible, reason, rank }))
}

function replicaFromJson(entry: z.output<typeof replica>): ReplicaRead {
  const log = logFromJson(entry)
  if (entry.notRead === null && log !== null) return log
  const { cause, reason } = entry.notRead ?? { cause: 'error' as const, reason: 'the plan file tells no log of it' }
  return { kind: 'notRead', broker: entry.broker, cause, reason, ...(log === null ? {} : { shown: log }) }
}

function logFromJson(entry: z.output<typeof replica>): ReplicaLog | null {
  const { broker, logStartOffset, logEndOffset, lastEpoch, epochs, highWatermark, sizeBytes, logDir } = entry
  if (logStartOffset === null || logEndOffset === null || epochs === null) return null
  return {
    kind: 'read',
    broker,
    logStartOffset,
    logEndOffset,
    lastWrittenEpoch:
      lastEpoch !== null
        ? { kind: 'epoch', epoch: lastEpoch }
        : { kind: logStartOffset === logEndOffset ? 'none' : 'unknown' },
    epochs: epochs.map(([epoch, startOffset]): EpochStart => ({ epoch, startOffset })),
    highWatermark,
    sizeBytes,
    logDir,
  }
}
