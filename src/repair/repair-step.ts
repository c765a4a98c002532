import { type BrokerState, partitionName, type TopicPartition } from '../cluster/snapshot.js'
import { count } from '../text/wording.js'
import type { AffectedPartition } from './affected-partitions.js'
import type { Gate } from './gate.js'
import type { HeldPartitions } from './held-partitions.js'
import type { RestartImpact } from './impact.js'
import type { OtherFailed } from './other-failed.js'
import type { RepairPhase } from './phase.js'
import type { ReturnProgress } from './progress.js'
import type { RepairCommandName } from './repair-commands.js'

/** keep: the cause is removed, the old directory stays as it is. replace: an empty disk in its place. remove: taken out of log.dirs. */
export type RepairWay = 'keep' | 'replace' | 'remove'
export const REPAIR_WAYS: readonly RepairWay[] = ['keep', 'replace', 'remove']

export type StepId =
  | 'readLog'
  | 'checkDisk'
  | 'note'
  | 'stop'
  | 'elect'
  | 'gate'
  | 'swapDisk'
  | 'format'
  | 'editConfig'
  | 'start'
  | 'watch'

/**
 * done: the cluster shows it, or it needs none. now: to be done next. byHand: whether it was done cannot be seen from here. later: after the one
 * that is now. blocked: must not be done yet. unseen: what comes after it was seen, so it is not to be done any more; whether anybody did it was not
 * seen. already: it was so before this repair, and `seen` is the evidence.
 */
export type StepStatus = 'done' | 'now' | 'byHand' | 'later' | 'blocked' | 'unseen' | 'already'

/** What to do in a step: this program's own command (words), a command on the broker's host, a line of its configuration, or in words. */
export type StepAction =
  | { readonly kind: 'program'; readonly words: readonly string[] }
  | { readonly kind: 'onHost'; readonly words: readonly string[] }
  | { readonly kind: 'config'; readonly line: string }
  | { readonly kind: 'words'; readonly text: string }

export interface RepairStep {
  readonly id: StepId
  readonly title: string
  readonly why: string
  readonly how: readonly StepAction[]
  /** How to see that it worked. */
  readonly check: string
  /** What the cluster shows of it now; null: nothing. */
  readonly seen: string | null
  /** When that was seen; null: now. */
  readonly seenAt: Date | null
  readonly status: StepStatus
  /** The profile's command that can do it. */
  readonly command: RepairCommandName | null
  /** Whom an election is needed for. */
  readonly partitions: readonly TopicPartition[]
}

export interface StepsInput {
  readonly broker: number
  readonly path: string
  readonly way: RepairWay
  readonly phase: RepairPhase
  readonly brokerState: BrokerState
  readonly directoryOnline: boolean
  /** When it was first seen up with emptied replicas of the directory: its disk is not the old one any more. Null: it was not. */
  readonly seenEmptiedAt: Date | null
  /** The operator has typed that the old disk is back in place, after it was seen emptied. Left out: no. */
  readonly oldDiskBack?: boolean
  readonly held: HeldPartitions
  readonly affected: readonly AffectedPartition[]
  readonly impact: RestartImpact
  readonly gate: Gate
  /** The broker's other directories that failed too; left out: none. */
  readonly otherFailed?: readonly OtherFailed[]
  readonly progress: ReturnProgress
  readonly clusterId: string
  readonly mode: 'kraft' | 'zookeeper' | 'unknown'
  /** log.dirs as far as known; null: not. */
  readonly logDirs: readonly string[] | null
}

/** Without its status: `ready` is what has to hold before it may be done. */
export type StepDraft = Omit<RepairStep, 'status' | 'partitions' | 'seenAt'> & {
  readonly partitions?: readonly TopicPartition[]
  /** null: cannot be seen from here. */
  readonly isDone: boolean | null
  readonly isReady: boolean
  /** It was so before this repair: since when that is known; left out: that is not seen. */
  readonly alreadyAt?: Date
}

/** Partitions for which the best of the others has to be elected while the broker is away: what keeps the gate shut, and somebody else may have. */
export function toElect({ holds }: Gate): TopicPartition[] {
  return holds
    .filter(({ otherCopies }) => otherCopies === 'yes' || otherCopies === 'unknown')
    .map(({ topic, partition }) => ({ topic, partition }))
}

/** Partitions without a leader of which nobody else who was read has a record: the old directory is the only copy. */
export function onlyCopies(affected: readonly AffectedPartition[]): TopicPartition[] {
  return affected
    .filter(({ kind, otherCopies }) => kind === 'leaderless' && otherCopies === 'no')
    .map(({ state: { topic, partition } }) => ({ topic, partition }))
}

const NAMED = 5
/** The first few of them, and how many more. */
export function firstNames(partitions: readonly TopicPartition[]): string {
  const names = partitions.slice(0, NAMED).map(partitionName)
  const rest = partitions.length - names.length
  return `${names.join(' ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`
}
