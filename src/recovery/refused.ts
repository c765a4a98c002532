export type RefusalReason =
  | 'readOnly'
  /** The plan, or the journal, is of another cluster than the one connected to. */
  | 'otherCluster'
  /** An interrupted run has left assignments re-ordered: `restore` first. */
  | 'unfinishedJournal'
  /** Another process is changing this cluster right now. */
  | 'running'
  /** No room, no permission, a broken disk: without a journal nothing is written to a cluster. */
  | 'journalUnavailable'
  /** A plan that names a partition twice, or that does not fit together. */
  | 'malformedPlan'

/** Refused as a whole, before anything was sent that writes (exit 4). The message is one line: what, and what to do. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  constructor(
    readonly reason: RefusalReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
