import { z } from 'zod'
import { partitionName } from '../../cluster/snapshot.js'
import type { Draft, DraftEntry } from '../drafts/draft.js'
import { ACCEPTABLE_CODES, type PlannedPartition, type RecoveryPlan } from '../planning/plan.js'
import { planOf } from './plan-file.js'
import { planToJson } from './plan-json.js'
import { type JsonDocument, readStrictJson } from './strict-json.js'

const place = { topic: z.string(), partition: z.int().min(0).max(2_147_483_647) }
const contents = z.object({
  draftVersion: z.literal(1),
  clusterId: z.string().min(1),
  savedAt: z.iso.datetime(),
  takenOut: z.array(z.object(place)),
  accepted: z.array(z.object({ ...place, codes: z.array(z.enum(ACCEPTABLE_CODES)).min(1) })),
  plan: z.unknown(),
})

/** A draft as text. What was looked at when each choice was made stands in `plan`, in the form of a plan file. */
export function draftFileText({ clusterId, entries }: Draft, savedAt: Date): string {
  const all = [...entries.values()]
  const plan: RecoveryPlan = {
    planId: 'draft',
    clusterId,
    createdAt: savedAt,
    // Of single choices; each has its own.
    method: 'reorder',
    strategy: 'rank',
    partitions: all.flatMap(({ choice }) => (choice.kind === 'takenOut' ? [] : [choice.planned])),
    skipped: [],
  }
  return `${JSON.stringify({
    draftVersion: 1,
    clusterId,
    savedAt: savedAt.toISOString(),
    takenOut: all.flatMap(({ topic, partition, choice }) => (choice.kind === 'takenOut' ? [{ topic, partition }] : [])),
    accepted: all.flatMap(({ topic, partition, choice }) =>
      choice.kind === 'accepted' ? [{ topic, partition, codes: choice.codes }] : [],
    ),
    plan: planToJson(plan),
  })}\n`
}

/** Throws InputFileError at the first thing that does not fit. */
export function draftOf(bytes: Uint8Array, file: string): { readonly draft: Draft; readonly savedAt: Date } {
  const document = readStrictJson(bytes, file)
  const parsed = contents.safeParse(document.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = (issue?.path ?? []).map((segment) => (typeof segment === 'number' ? segment : String(segment)))
    throw document.errorAt(path, issue?.message ?? 'does not fit')
  }
  const { clusterId, savedAt, takenOut, accepted, plan } = parsed.data
  const codes = new Map(accepted.map((entry) => [partitionName(entry), entry.codes]))
  const entries: DraftEntry[] = [
    ...takenOut.map(({ topic, partition }): DraftEntry => ({ topic, partition, choice: { kind: 'takenOut' } })),
    ...planOf(inside(document, plan)).partitions.map((planned) => entryOf(planned, codes.get(partitionName(planned)))),
  ]
  const draft = { clusterId, entries: new Map(entries.map((entry) => [partitionName(entry), entry])) }
  return { draft, savedAt: new Date(savedAt) }
}

function entryOf(
  planned: PlannedPartition,
  codes: readonly (typeof ACCEPTABLE_CODES)[number][] | undefined,
): DraftEntry {
  const { topic, partition } = planned
  const choice =
    codes === undefined ? { kind: 'leader' as const, planned } : { kind: 'accepted' as const, codes, planned }
  return { topic, partition, choice }
}

/** The part under `plan`, whose errors still name their place in the whole file. */
function inside(document: JsonDocument, value: unknown): JsonDocument {
  return {
    file: document.file,
    value,
    isWrittenAsFraction: (path) => document.isWrittenAsFraction(['plan', ...path]),
    errorAt: (path, what) => document.errorAt(['plan', ...path], what),
    place: (path) => document.place(['plan', ...path]),
  }
}
