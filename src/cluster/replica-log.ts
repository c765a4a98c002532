/** A leader epoch and the offset of its first record in this log. */
export interface EpochStart {
  readonly epoch: number
  readonly startOffset: number
}

/**
 * The epoch of a log's last record. `none`: the log is empty. `unknown`: it has records, but no epochs are kept for them (old
 * message format, or its checkpoint lost).
 */
export type LastWrittenEpoch =
  | { readonly kind: 'epoch'; readonly epoch: number }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }

const SHARED_EPOCHS = 4096
const writtenEpochs: LastWrittenEpoch[] = []

/** An epoch as the last written one. One object for each: most logs of a cluster end in one of few. */
export function writtenEpoch(epoch: number): LastWrittenEpoch {
  if (epoch < 0 || epoch >= SHARED_EPOCHS) return { kind: 'epoch', epoch }
  writtenEpochs[epoch] ??= { kind: 'epoch', epoch }
  return writtenEpochs[epoch]
}

/** One replica's log as its broker told it. Offsets; end is exclusive. Start = end: empty. */
export interface ReplicaLog {
  readonly kind: 'read'
  readonly broker: number
  readonly logStartOffset: number
  readonly logEndOffset: number
  readonly lastWrittenEpoch: LastWrittenEpoch
  /**
   * The leader epoch history, ascending. The first entry starts at the log start, or above it where older records have no
   * epochs (old message format); entries that start at or after the log end
   * (a leader that never wrote) are left out. Empty: an empty log, or one without epochs.
   */
  readonly epochs: readonly EpochStart[]
  /** Null: not told. After a crash it is that of the last checkpoint. */
  readonly highWatermark: number | null
  /** Null: not told. */
  readonly sizeBytes: number | null
  readonly logDir: string | null
}

/**
 * Why a replica's log was not read.
 * down, fenced, offlineLogDir: the cluster itself says that it can not serve. late: no answer within the recovery duration.
 * moving: the log kept changing while it was read. The rest: refused although the cluster calls it alive and online.
 */
export type NotReadCause =
  | 'down'
  | 'fenced'
  | 'offlineLogDir'
  | 'late'
  | 'moving'
  | 'permission'
  | 'wrongBroker'
  | 'connection'
  | 'error'

export interface ReplicaNotRead {
  readonly kind: 'notRead'
  readonly broker: number
  readonly cause: NotReadCause
  /** One line for the operator. */
  readonly reason: string
  /** What a fenced broker told all the same: may be shown, never counted. */
  readonly shown?: ReplicaLog
}

export type ReplicaRead = ReplicaLog | ReplicaNotRead

/** A partition with every replica of its assignment, in assignment order. */
export interface PartitionEvidence {
  readonly state: import('./snapshot.js').PartitionState
  readonly replicas: readonly ReplicaRead[]
  /** When it was read. */
  readonly readAt: Date
}
