import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type PartitionState, partitionName } from '../../cluster/snapshot.js'
import type { PlannedPartition } from '../planning/plan.js'
import type { Reordering } from './put-back.js'

/** How it stands with one partition; decided once, and made into its outcome when its batch has been tidied up. */
export type Verdict =
  | { readonly kind: 'elected'; readonly leader: number }
  | { readonly kind: 'alreadyHasLeader'; readonly leader: number }
  | { readonly kind: 'failed'; readonly code: string; readonly text: string; readonly leader: number | null }
  | { readonly kind: 'stale' | 'notAttempted' | 'unknown'; readonly code: string; readonly text: string }

/** A planned partition on its way through its batch. */
export class Candidate {
  readonly name: string
  verdict: Verdict | null = null
  /** Its logs, read in this batch. */
  evidence: PartitionEvidence | null = null
  /** Null: its assignment is not to be changed, or not yet known. */
  reordering: Reordering | null = null
  /** The assignment as it was before anything was sent. */
  original: readonly number[] = []
  /** Election requests that named it and may have left. */
  attempts = 0
  /** Something that writes was sent, or may have been. */
  touched = false
  lastState: PartitionState | null = null
  /** Until then (ms, monotonic) an election, or re-ordering, without an answer may still be carried out. */
  lateElectionUntil = 0
  lateReorderingUntil = 0
  /** Re-ordering requests that named it and may have left. */
  reorderings = 0

  constructor(readonly planned: PlannedPartition) {
    this.name = partitionName(planned)
  }

  get topic(): string {
    return this.planned.topic
  }
  get partition(): number {
    return this.planned.partition
  }

  /** The order that must stand when the election is sent. */
  get orderForElection(): readonly number[] {
    return this.planned.method === 'reorder' ? this.planned.electionOrder : this.original
  }

  /** The first verdict stands. */
  decide(verdict: Verdict): void {
    this.verdict ??= verdict
  }
}

export function undecided(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ verdict }) => verdict === null)
}
