import type { Diagnosis } from '../../recovery/diagnosis/diagnosis.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from '../../recovery/planning/plan.js'
import { wholeNumber } from '../layout/amounts.js'

/** `361 + ?` while a replica of the assignment was not read: never a bare number then. */
export function lostText(loss: { readonly known: number | null; readonly atLeast: number }): string {
  return loss.known === null ? `${wholeNumber(loss.atLeast)} + ?` : wholeNumber(loss.known)
}

/** What the whole of these loses. */
export function lossOf(partitions: readonly PlannedPartition[]): { known: number | null; atLeast: number } {
  const atLeast = partitions.reduce((sum, { loss }) => sum + loss.atLeast, 0)
  return { atLeast, known: partitions.every(({ loss }) => loss.known !== null) ? atLeast : null }
}

/** "1 partition", "1,200 partitions". */
export function partitionsText(number: number): string {
  return `${wholeNumber(number)} ${number === 1 ? 'partition' : 'partitions'}`
}

/** "contested 17, unread 6": the most frequent first. */
export function codesText(skipped: readonly Pick<SkippedPartition, 'code'>[]): string {
  const counts = new Map<string, number>()
  for (const { code } of skipped) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .map(([code, number]) => `${code} ${wholeNumber(number)}`)
    .join(', ')
}

/** When all logs that the plan rests on were last seen as it has them; null: it plans nothing. */
export function evidenceTime(
  { partitions }: Pick<RecoveryPlan, 'partitions'>,
  diagnosis: Pick<Diagnosis, 'confirmedAt'> | null,
): Date | null {
  let oldest: Date | null = null
  for (const { evidence } of partitions) if (oldest === null || evidence.readAt < oldest) oldest = evidence.readAt
  const confirmedAt = diagnosis?.confirmedAt ?? null
  return oldest !== null && confirmedAt !== null && confirmedAt > oldest ? confirmedAt : oldest
}

/** A program and its arguments as one line that a shell would take. */
export function commandText(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

/** A value as one word of a POSIX shell's command line, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
