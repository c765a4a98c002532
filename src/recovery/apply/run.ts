import type { TopicPartition } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import type { JournalEntry } from '../journal/entry.js'
import type { Journal } from '../journal/journal.js'
import type { RecoveryPlan } from '../planning/plan.js'
import type { OrderLeft, RecoveryEvent, RecoveryPhase } from './outcome.js'
import type { ApplyOptions, ApplyPorts, ClusterToRecover } from './ports.js'
import { type Reading, readStates, readStatesAlone } from './reading.js'
import { delayBeforeRetry, type RetryPolicy } from './retry.js'

/** One application of a plan: what its steps share. */
export interface Run {
  readonly cluster: ClusterToRecover
  readonly plan: RecoveryPlan
  readonly ports: ApplyPorts
  readonly options: ApplyOptions
  readonly policy: RetryPolicy
  readonly visibleWithinMs: number
  readonly journal: Journal
  readonly batches: number
  /** Why no further batch, nor a write of one that has sent nothing yet, may begin; null: go on. */
  readonly stopReason: () => { readonly code: string; readonly text: string } | null
  readonly emit: (event: RecoveryEvent) => void
  readonly ordersLeft: OrderLeft[]
}

export function readNow(run: Run, partitions: readonly TopicPartition[]): Promise<Reading> {
  return readStates(run.cluster, partitions, run.plan.clusterId, run.ports.clock, run.policy)
}

/** Who leads, read now: for looking alone, never before a write. */
export function lookNow(run: Run, partitions: readonly TopicPartition[]): Promise<Reading['states']> {
  return readStatesAlone(run.cluster, partitions, run.plan.clusterId, run.ports.clock, run.policy)
}

export function enterPhase(run: Run, phase: RecoveryPhase, batch: number): void {
  run.emit({ type: 'phase', phase, batch, batches: run.batches })
}

/** Waits before retry `n`, from 1, and says so. */
export async function pauseBeforeRetry(run: Run, n: number, reason: string): Promise<void> {
  run.emit({ type: 'retry', attempt: n, of: run.policy.retries, reason })
  await run.ports.clock.sleep(delayBeforeRetry(run.policy, n))
}

/** For entries that no write depends on: what they tell, `restore` can find out. */
export async function noteInJournal(run: Run, entry: JournalEntry): Promise<void> {
  try {
    await run.journal.append(entry)
  } catch (error) {
    run.emit({ type: 'notice', text: `the journal ${run.journal.path} could not be written: ${errorText(error)}` })
  }
}

export function namesOf(partitions: readonly TopicPartition[]): TopicPartition[] {
  return partitions.map(({ topic, partition }) => ({ topic, partition }))
}
