import type { TopicPartition } from '../../cluster/snapshot.js'

/** The format of the files that this program writes. A reader refuses what is newer. */
export const JOURNAL_FORMAT = 1

/** Enough to tell whether the process that wrote a journal still runs: a pid alone is used again, also after a restart. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** Linux: /proc/sys/kernel/random/boot_id. Null: not told here. */
  readonly bootId: string | null
  /** Linux: start time in clock ticks since boot (/proc/PID/stat, field 22); elsewhere as ps tells it. Null: not told here. */
  readonly startTicks: string | null
  /** Linux: the namespace that the pid counts in (/proc/self/ns/pid): a container has its own. Null: not told here. */
  readonly pidNamespace: string | null
}

/** An assignment that is about to be re-ordered: all that putting it back needs. Both orders have the same members. */
export interface JournalledOrder extends TopicPartition {
  readonly topicId: string | null
  readonly original: readonly number[]
  readonly election: readonly number[]
}

/** One line of a journal. Each is on the disk before the request that it announces is sent. */
export type JournalEntry =
  | {
      readonly type: 'opened'
      readonly format: number
      readonly purpose: 'apply' | 'restore'
      readonly planId: string | null
      readonly clusterId: string
      readonly startedAt: string
      readonly owner: ProcessIdentity
    }
  | {
      readonly type: 'about-to-reorder'
      /** Here again: this line alone suffices for putting back, should the first one be damaged. */
      readonly clusterId: string
      readonly batch: number
      readonly orders: readonly JournalledOrder[]
    }
  | { readonly type: 'reordered'; readonly batch: number; readonly partitions: readonly TopicPartition[] }
  | {
      readonly type: 'about-to-elect'
      readonly batch: number
      readonly attempt: number
      readonly kind: 'unclean' | 'designated'
      readonly partitions: readonly TopicPartition[]
    }
  | {
      readonly type: 'elected'
      readonly batch: number
      readonly partitions: readonly (TopicPartition & { readonly leader: number })[]
    }
  | { readonly type: 'about-to-put-back'; readonly partitions: readonly TopicPartition[] }
  /** The original order was seen in place (also where the re-ordering was never carried out). */
  | { readonly type: 'put-back'; readonly partitions: readonly TopicPartition[] }
  /** Not put back, and said so to the operator, with the file that would do it. */
  | { readonly type: 'left'; readonly partitions: readonly (TopicPartition & { readonly reason: string })[] }
  /** The process that wrote it gave up on it, alive: `restore` may take over. */
  | { readonly type: 'suspended'; readonly reason: string }
  /** `restore` takes over. What stands on a damaged line just before it was a write that a crash cut off. */
  | { readonly type: 'taken-over' }
  | { readonly type: 'closed' }
