import type { PartitionEvidence } from '../cluster/replica-log.js'
import { type BrokerState, partitionName, type TopicPartition } from '../cluster/snapshot.js'
import type { AffectedPartition } from './affected-partitions.js'

/**
 * A partition that looks healthy, and whose leader's log may have been wiped: an emptied replica became leader and the others truncated to it.
 * empty: the log is 0..0 at a leader epoch above 0; `before` tells whether it is known to have had records. shorter: it ends
 * before what was seen earlier.
 */
export interface MaybeWiped extends TopicPartition {
  readonly kind: 'empty' | 'shorter'
  readonly leader: number
  readonly leaderEpoch: number
  readonly logEndOffset: number
  /** The furthest end that was seen before; null: none was, so it may never have had a record. */
  readonly seenEndOffset: number | null
  /** It is known to have had records that are gone. */
  readonly hadRecords: boolean
  /** Brokers that are away and have a replica: the last copies, as long as they are not started. */
  readonly copiesAway: readonly number[]
}

/** Of partitions that have a leader whose log was read. Pure. */
export function maybeWiped(
  affected: readonly AffectedPartition[],
  brokers: ReadonlyMap<number, BrokerState>,
): MaybeWiped[] {
  return affected.flatMap(({ evidence, before }) => {
    if (evidence === null) return []
    const found = wipedOf(evidence, before?.logEndOffset ?? null, before?.sizeBytes ?? null, brokers)
    return found === null ? [] : [found]
  })
}

function wipedOf(
  { state, replicas }: PartitionEvidence,
  seenEndOffset: number | null,
  seenBytes: number | null,
  brokers: ReadonlyMap<number, BrokerState>,
): MaybeWiped | null {
  const { topic, partition, leader, leaderEpoch } = state
  if (leader === null || leaderEpoch <= 0) return null
  const log = replicas.find(({ broker }) => broker === leader)
  if (log?.kind !== 'read') return null
  const { logStartOffset, logEndOffset } = log
  const empty = logStartOffset === 0 && logEndOffset === 0
  // One that was known to be empty before has lost nothing.
  const knownEmpty = seenEndOffset === 0 || (seenEndOffset === null && seenBytes === 0)
  const shorter = seenEndOffset !== null && logEndOffset < seenEndOffset
  if (!shorter && !(empty && !knownEmpty)) return null
  return {
    topic,
    partition,
    kind: empty ? 'empty' : 'shorter',
    leader,
    leaderEpoch,
    logEndOffset,
    seenEndOffset,
    hadRecords: shorter || (seenBytes ?? 0) > 0,
    copiesAway: state.replicas.filter((id) => id !== leader && (brokers.get(id) ?? 'down') !== 'up'),
  }
}

/**
 * Measured on 4.4.0 (test/kafka/log-dirs-wiped.test.ts): a follower that is cut to nothing renames its segments to *.deleted and deletes them after
 * file.delete.delay.ms; the segment that begins at offset 0 is emptied in place instead. Ended by SIGTERM or SIGKILL it keeps them; a start deletes
 * them. Renamed while all replicas were down they were read again, replicated and consumed.
 */
const DELETED_SEGMENTS = [
  'WITHIN SECONDS: what the followers cut is still on their disks as *.deleted in the partition folders, for file.delete.delay.ms (60 s unless set otherwise) from the cut. Copy those files elsewhere, or end every follower at once (SIGTERM or SIGKILL) and start none: a stopped broker keeps them, a start deletes them. Only a segment that begins at offset 0 is emptied at once',
  'With such files: stop all replicas, rename the files in one folder back (without .deleted; copy the folder first), start that broker ALONE, elect it by name (kafka-recovery elect --leader TOPIC-PARTITION=BROKER), consume and check, then start the others: they copy from it',
] as const

/** What to do, the most urgent first; one line each. */
export function wipedLines(found: readonly MaybeWiped[], path: string): string[] {
  const [first] = found
  if (first === undefined) return []
  const sure = found.some(({ hadRecords }) => hadRecords)
  const empty = found.some(({ kind }) => kind === 'empty')
  const away = [...new Set(found.flatMap(({ copiesAway }) => copiesAway))].sort((a, b) => a - b)
  const many = found.length === 1 ? partitionName(first) : `${found.length} partitions`
  return [
    empty
      ? `${sure ? 'PROBABLY' : 'MAYBE'} WIPED: ${many}: nothing is offline, but the leader's log is empty (0..0) at a leader epoch above 0${sure ? ', and it had records' : ', unless it never had a record'}`
      : `MAYBE WIPED in part: ${many}: nothing is offline, but the leader's log is shorter than others were seen with${first.seenEndOffset === null ? '' : ` (${first.logEndOffset} of ${first.seenEndOffset})`}, unless that leader was elected knowing that`,
    away.length === 0
      ? 'Every replica is up, so they have truncated to it: no copy is left in this cluster that can be elected'
      : `Do NOT start broker ${away.join(', ')}: ${away.length === 1 ? 'it holds a copy, and truncates' : 'they hold copies, and truncate'} it to the leader's log at once. Copy the partition folders away first`,
    ...DELETED_SEGMENTS,
    `Keep the disk that was pulled from ${path}, unformatted and read-only: it may be the only copy`,
    'Then: consume from a mirror, a backup or tiered storage; or produce again from that disk (kafka-dump-log --print-data-log reads its segments without a broker)',
  ]
}
