import type { SeenEmpty, SeenEmptyPartition } from '../returns/seen-empty.js'
import { InputFileError } from './input-file-error.js'
import { isJsonObject, readStrictJson } from './strict-json.js'

/** What was seen of one cluster, as a file of ours. */
export function seenEmptyText(clusterId: string, seen: readonly SeenEmpty[]): string {
  const entries = seen.map((one) => ({ ...one, seenAt: one.seenAt.toISOString() }))
  return `${JSON.stringify({ clusterId, seenEmpty: entries })}\n`
}

/** Reads it back. What cannot be understood, or is of another cluster, counts as nothing: it is a hint, never a proof. */
export function seenEmptyOf(bytes: Uint8Array, path: string, clusterId: string): SeenEmpty[] {
  try {
    const { value } = readStrictJson(bytes, path)
    if (!isJsonObject(value) || value.clusterId !== clusterId || !Array.isArray(value.seenEmpty)) return []
    return value.seenEmpty.flatMap((entry: unknown) => entryOf(entry) ?? [])
  } catch (error) {
    if (error instanceof InputFileError) return []
    throw error
  }
}

function entryOf(entry: unknown): SeenEmpty | null {
  if (!isJsonObject(entry)) return null
  const { broker, seenAt, partitions, elected } = entry
  const at = new Date(typeof seenAt === 'string' ? seenAt : Number.NaN)
  if (typeof broker !== 'number' || Number.isNaN(at.getTime()) || !Array.isArray(partitions)) return null
  const read = (list: readonly unknown[]) => list.flatMap((one) => partitionOf(one) ?? [])
  return { broker, seenAt: at, partitions: read(partitions), elected: Array.isArray(elected) ? read(elected) : [] }
}

function partitionOf(entry: unknown): SeenEmptyPartition | null {
  if (!isJsonObject(entry)) return null
  const { topic, topicId, partition, leaderEpoch } = entry
  if (typeof topic !== 'string' || typeof partition !== 'number' || typeof leaderEpoch !== 'number') return null
  return { topic, topicId: typeof topicId === 'string' ? topicId : null, partition, leaderEpoch }
}
