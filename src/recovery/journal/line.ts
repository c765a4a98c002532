import { crc32 } from 'node:zlib'
import { z } from 'zod'
import type { JournalEntry } from './entry.js'

// A line is JSON, and its checksum is taken over its very bytes: {"crc":"1a2b3c4d",<checked bytes>. Reading it needs no second
// writing of the same object.
const PREFIX = /^\{"crc":"([0-9a-f]{8})",/
const PREFIX_LENGTH = '{"crc":"00000000",'.length

const partition = { topic: z.string(), partition: z.int().nonnegative() }
const partitions = z.array(z.object(partition))
const brokers = z.array(z.int().nonnegative())

const entrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    format: z.int(),
    purpose: z.enum(['apply', 'restore']),
    planId: z.string().nullable(),
    clusterId: z.string(),
    startedAt: z.string(),
    owner: z.object({
      pid: z.int().positive(),
      host: z.string(),
      bootId: z.string().nullable(),
      startTicks: z.string().nullable(),
      // Journals of the first version do not tell it.
      pidNamespace: z.string().nullable().default(null),
    }),
  }),
  z.object({
    type: z.literal('about-to-reorder'),
    clusterId: z.string(),
    batch: z.int(),
    orders: z.array(z.object({ ...partition, topicId: z.string().nullable(), original: brokers, election: brokers })),
  }),
  z.object({ type: z.literal('reordered'), batch: z.int(), partitions }),
  z.object({
    type: z.literal('about-to-elect'),
    batch: z.int(),
    attempt: z.int(),
    kind: z.enum(['unclean', 'designated']),
    partitions,
  }),
  z.object({
    type: z.literal('elected'),
    batch: z.int(),
    partitions: z.array(z.object({ ...partition, leader: z.int().nonnegative() })),
  }),
  z.object({ type: z.literal('about-to-put-back'), partitions }),
  z.object({ type: z.literal('put-back'), partitions }),
  z.object({ type: z.literal('left'), partitions: z.array(z.object({ ...partition, reason: z.string() })) }),
  z.object({ type: z.literal('suspended'), reason: z.string() }),
  z.object({ type: z.literal('taken-over') }),
  z.object({ type: z.literal('closed') }),
])

const lineSchema = z.object({ crc: z.string(), seq: z.int().nonnegative(), at: z.string(), entry: entrySchema })

export interface JournalLine {
  /** From 0, without gaps: a line that got lost shows. */
  readonly seq: number
  /** ISO time by the writer's clock; for people. */
  readonly at: string
  readonly entry: JournalEntry
}

/** One line with its newline at the end. JSON escapes every control character, so that it is one line whatever a topic is called. */
export function encodeLine(line: JournalLine): Uint8Array {
  const checked = JSON.stringify(line).slice(1)
  return new TextEncoder().encode(`{"crc":"${checksum(new TextEncoder().encode(checked))}",${checked}\n`)
}

function checksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0')
}

export type DecodedLine =
  | { readonly kind: 'line'; readonly line: JournalLine }
  /** intact: the checksum fits, so a newer version of this program may have written it. */
  | { readonly kind: 'unreadable'; readonly intact: boolean }

const HEAD = '{"crc":"00000000",'
const SEQ = /^.{18}"seq":(\d{1,15}),/
const MAX_SEQ_LENGTH = 24

export interface LineBeginning {
  /** Null: it was cut before the number was whole. */
  readonly seq: number | null
}

/**
 * What is left of a line whose writing was cut off or failed: it begins as a line does, and holds no byte that JSON escapes. Null: zeros,
 * garbage, or something else that no cut makes.
 */
export function beginningOfLine(bytes: Uint8Array): LineBeginning | null {
  if (bytes.some((byte) => byte < 0x20)) return null
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PREFIX_LENGTH + MAX_SEQ_LENGTH))
  if (!PREFIX.test(head + HEAD.slice(head.length))) return null
  const seq = SEQ.exec(head)?.[1]
  return { seq: seq === undefined ? null : Number(seq) }
}

/** Decodes one line without its newline. Never throws. */
export function decodeLine(bytes: Uint8Array): DecodedLine {
  const text = new TextDecoder().decode(bytes)
  const crc = PREFIX.exec(text)?.[1]
  if (crc === undefined || checksum(bytes.subarray(PREFIX_LENGTH)) !== crc) return { kind: 'unreadable', intact: false }
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text))
    if (!parsed.success) return { kind: 'unreadable', intact: true }
    const { seq, at, entry } = parsed.data
    return { kind: 'line', line: { seq, at, entry } }
  } catch {
    return { kind: 'unreadable', intact: true }
  }
}
