/** One entry of a log's leader epoch cache: the epoch and the offset of its first record. */
export type EpochEntry = readonly [epoch: number, startOffset: number]

/**
 * One replica's log on one broker's disk, as far as requests can see it. Offsets are numbers (at most 2^53-1).
 * An object is never changed: each change makes a new one, so that answers under way keep what they saw.
 */
export interface ReplicaLog {
  readonly logDir: string
  readonly logStartOffset: number
  readonly logEndOffset: number
  /** Checkpointed high watermark; it may lie below the log start, and is then answered as the log start is not: as it is. */
  readonly highWatermark: number
  /** Ascending. The last may start at the log end: a leader that wrote nothing. */
  readonly epochs: readonly EpochEntry[]
  /** Bytes on disk. */
  readonly sizeBytes: number
  /** Time of the last record, ms; -1 when there is none. */
  readonly lastTimestamp: number
}

/** What an offset takes on disk where a scenario does not say. */
export const BYTES_PER_OFFSET = 100

export function emptyLog(logDir: string): ReplicaLog {
  return {
    logDir,
    logStartOffset: 0,
    logEndOffset: 0,
    highWatermark: 0,
    epochs: [],
    sizeBytes: 0,
    lastTimestamp: -1,
  }
}

export function lastEpoch(log: ReplicaLog): number | null {
  const last = log.epochs.at(-1)
  return last === undefined ? null : last[0]
}

export interface EpochEnd {
  readonly epoch: number
  readonly endOffset: number
}

/**
 * Where `epoch` ends in this log: the largest epoch <= `epoch` that the log has, and the start of the next one (the log end for
 * the newest). Null for an epoch above the newest one, and for a log without epochs. For an epoch below the first entry the
 * answer is that epoch itself, ending where the first entry starts: epochs that never were (measured on 4.4.0, kafka-facts;
 * Kafka's LeaderEpochFileCache).
 */
export function endOfEpoch(log: ReplicaLog, epoch: number): EpochEnd | null {
  let floor: EpochEntry | null = null
  for (const entry of log.epochs) {
    if (entry[0] > epoch) return { epoch: floor === null ? epoch : floor[0], endOffset: entry[1] }
    floor = entry
  }
  if (floor === null || floor[0] !== epoch) return null
  return { epoch, endOffset: log.logEndOffset }
}

/** The epoch of the record at the log start, where the history reaches back to it; else null. */
export function epochOfLogStart(log: ReplicaLog): number | null {
  const first = log.epochs[0]
  return first !== undefined && first[1] <= log.logStartOffset ? first[0] : null
}

/** A new leader notes its epoch at its log end; an entry that would start there too, or has no lower epoch, goes. */
export function withLeaderEpoch(log: ReplicaLog, epoch: number): ReplicaLog {
  if (lastEpoch(log) === epoch) return log
  const kept = log.epochs.filter(([known, start]) => known < epoch && start < log.logEndOffset)
  return { ...log, epochs: [...kept, [epoch, log.logEndOffset]] }
}

/** Drops everything from `offset` on. An entry that starts there goes too. */
export function truncatedTo(log: ReplicaLog, offset: number): ReplicaLog {
  if (offset >= log.logEndOffset) return log
  const logEndOffset = Math.max(offset, log.logStartOffset)
  return resized(log, {
    ...log,
    logEndOffset,
    highWatermark: Math.min(log.highWatermark, logEndOffset),
    epochs: log.epochs.filter(([, start]) => start < logEndOffset),
  })
}

/** Raises the log start, as DeleteRecords or a follower's leader does: the first entry then begins at the new start. */
export function withLogStart(log: ReplicaLog, logStartOffset: number): ReplicaLog {
  if (logStartOffset <= log.logStartOffset) return log
  if (logStartOffset > log.logEndOffset) {
    return { ...emptyLog(log.logDir), logStartOffset, logEndOffset: logStartOffset, highWatermark: logStartOffset }
  }
  let floor: EpochEntry | null = null
  for (const entry of log.epochs) if (entry[1] <= logStartOffset) floor = entry
  const later = log.epochs.filter(([, start]) => start > logStartOffset)
  const epochs: EpochEntry[] = floor === null ? later : [[floor[0], logStartOffset], ...later]
  return resized(log, { ...log, logStartOffset, highWatermark: Math.max(log.highWatermark, logStartOffset), epochs })
}

/** Bytes follow the number of offsets left. */
function resized(before: ReplicaLog, after: ReplicaLog): ReplicaLog {
  const had = before.logEndOffset - before.logStartOffset
  const has = after.logEndOffset - after.logStartOffset
  if (has <= 0) return { ...after, sizeBytes: 0, lastTimestamp: -1 }
  return { ...after, sizeBytes: had <= 0 ? has * BYTES_PER_OFFSET : Math.round((before.sizeBytes * has) / had) }
}

/** Records at the end, all of the newest epoch. */
export function withAppended(log: ReplicaLog, records: number, at: number): ReplicaLog {
  return {
    ...log,
    logEndOffset: log.logEndOffset + records,
    sizeBytes: log.sizeBytes + records * BYTES_PER_OFFSET,
    lastTimestamp: at,
  }
}
