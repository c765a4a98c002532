import { partitionName } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import { type Journal, startJournal } from '../journal/journal.js'
import type { PlannedPartition, RecoveryPlan } from '../planning/plan.js'
import { RefusedError } from '../refused.js'
import { runBatch } from './batch.js'
import type { OrderLeft, PartitionOutcome, RecoveryEvent, RecoveryReport } from './outcome.js'
import { outcomeNotAttempted, outcomeOfSkipped } from './partition-outcome.js'
import {
  type ApplyOptions,
  type ApplyPorts,
  type ClusterToRecover,
  DEFAULT_VISIBLE_WITHIN_MS,
  MAX_BATCH,
} from './ports.js'
import { reportOf } from './report.js'
import type { Run } from './run.js'

/**
 * Carries a plan out and reports one outcome for each of its partitions, planned and skipped. Throws RefusedError
 * (or that the cluster does not answer: RequestFailedError) before anything that writes was sent; after that it never rejects. It does not depend on anybody listening: what
 * `emit` throws is ignored.
 */
export async function runPlan(
  cluster: ClusterToRecover,
  plan: RecoveryPlan,
  ports: ApplyPorts,
  options: ApplyOptions,
  emit: (event: RecoveryEvent) => void,
): Promise<RecoveryReport> {
  const started = ports.clock.monotonicMs()
  const tell = (event: RecoveryEvent) => {
    try {
      emit(event)
    } catch {
      // Whoever renders must not be able to leave assignments re-ordered.
    }
  }
  const outcomes: PartitionOutcome[] = []
  const finishOutcomes = (some: readonly PartitionOutcome[]) => {
    for (const outcome of some) {
      outcomes.push(outcome)
      tell({ type: 'outcome', outcome })
    }
  }
  const batches = batchesOf(plan, options)
  const journal = await openFor(cluster, plan, ports, options)
  tell({ type: 'started', total: plan.partitions.length + plan.skipped.length, batches: batches.length })
  finishOutcomes(plan.skipped.map(outcomeOfSkipped))
  const ordersLeft: OrderLeft[] = []
  let openJournal: string | null = null
  if (journal !== null) {
    const run = runOf(cluster, plan, ports, options, journal, batches.length, started, tell, ordersLeft)
    const ordersOpen = await runBatches(run, batches, finishOutcomes)
    openJournal = await finishJournal(run, ordersOpen)
  }
  const durationMs = Math.round(ports.clock.monotonicMs() - started)
  const report = reportOf(outcomes, { durationMs, ordersLeft, openJournal })
  tell({ type: 'finished', report })
  return report
}

function batchesOf({ partitions }: RecoveryPlan, options: ApplyOptions): PlannedPartition[][] {
  const size = Math.max(1, Math.min(options.batchSize ?? MAX_BATCH, MAX_BATCH))
  const batches: PlannedPartition[][] = []
  for (let from = 0; from < partitions.length; from += size) batches.push(partitions.slice(from, from + size))
  return batches
}

/** Refuses, or gives the journal; null where the plan has nothing to write. */
async function openFor(
  cluster: ClusterToRecover,
  plan: RecoveryPlan,
  ports: ApplyPorts,
  options: ApplyOptions,
): Promise<Journal | null> {
  refuseDoubles(plan)
  if (plan.partitions.length === 0) return null
  if (options.readOnly)
    throw new RefusedError('readOnly', 'read-only: nothing is elected; run it again without --read-only')
  const [first] = plan.partitions
  const connectedTo = first === undefined ? plan.clusterId : await clusterIdOf(cluster, first)
  if (connectedTo !== plan.clusterId) {
    const text = `the plan is of cluster ${plan.clusterId}, this is ${connectedTo}: connect to that one, or make a new plan here`
    throw new RefusedError('otherCluster', text)
  }
  const place = { ...ports.journals, now: () => ports.clock.now() }
  const bytes = estimatedBytes(plan.partitions)
  return startJournal(place, { purpose: 'apply', planId: plan.planId, clusterId: plan.clusterId, bytes })
}

async function clusterIdOf(cluster: ClusterToRecover, first: PlannedPartition): Promise<string> {
  return (await cluster.readPartitions([{ topic: first.topic, partition: first.partition }])).clusterId
}

function refuseDoubles({ partitions, skipped }: RecoveryPlan): void {
  const seen = new Set<string>()
  for (const partition of [...partitions, ...skipped]) {
    const name = partitionName(partition)
    if (seen.has(name))
      throw new RefusedError('malformedPlan', `the plan names ${name} twice: name each partition once`)
    seen.add(name)
  }
}

/** Each partition is named in up to seven entries, at most so many bytes each beside its topic (JSON may escape a character in six). */
function estimatedBytes(partitions: readonly PlannedPartition[]): number {
  return partitions.reduce(
    (sum, { topic, electionOrder }) => sum + 7 * (6 * topic.length + 60) + 24 * electionOrder.length,
    8192,
  )
}

function runOf(
  cluster: ClusterToRecover,
  plan: RecoveryPlan,
  ports: ApplyPorts,
  options: ApplyOptions,
  journal: Journal,
  batches: number,
  started: number,
  emit: (event: RecoveryEvent) => void,
  ordersLeft: OrderLeft[],
): Run {
  const stopReason = () => {
    if (options.stop?.aborted) return { code: 'stopped', text: 'not begun: stopped before its turn' }
    const late = options.timeLimitMs !== null && ports.clock.monotonicMs() - started >= options.timeLimitMs
    return late ? { code: 'timeLimit', text: `not begun: the time limit of ${options.timeLimitMs} ms is over` } : null
  }
  return {
    cluster,
    plan,
    ports,
    options,
    policy: { retries: options.electionAttempts, firstDelayMs: 250, maxDelayMs: 5000 },
    visibleWithinMs: options.visibleWithinMs ?? DEFAULT_VISIBLE_WITHIN_MS,
    journal,
    batches,
    stopReason,
    emit,
    ordersLeft,
  }
}

/** True: of some order it is not known where it stands. */
async function runBatches(
  run: Run,
  batches: readonly (readonly PlannedPartition[])[],
  finishOutcomes: (outcomes: readonly PartitionOutcome[]) => void,
): Promise<boolean> {
  let stop: { code: string; text: string } | null = null
  let ordersOpen = false
  for (const [index, batch] of batches.entries()) {
    if (stop === null) {
      stop = run.stopReason()
      if (stop !== null) run.emit({ type: 'stopping', reason: stop.text })
    }
    const why = stop
    if (why !== null) {
      finishOutcomes(batch.map((planned) => outcomeNotAttempted(planned, why)))
      continue
    }
    const result = await runBatch(run, batch, index + 1)
    finishOutcomes(result.outcomes)
    ordersOpen ||= result.ordersOpen
    if (result.lost !== null) {
      stop = { code: 'clusterLost', text: `not begun: the cluster was lost: ${result.lost}` }
      run.emit({ type: 'stopping', reason: result.lost })
    } else if (run.journal.failure !== null && stop === null) {
      // Room may come back in between; what a disk says after a failed sync is not to be relied on.
      const text = `the journal ${run.journal.path} could not be written: ${run.journal.failure}`
      stop = { code: 'journal', text: `not begun: ${text}` }
      if (index + 1 < batches.length) run.emit({ type: 'stopping', reason: text })
    }
  }
  return ordersOpen
}

/** The path of the journal if it stays open. */
async function finishJournal({ journal, emit }: Run, ordersOpen: boolean): Promise<string | null> {
  try {
    if (ordersOpen) await journal.suspend('some orders are not known to be back')
    else await journal.close()
  } catch (error) {
    // What it says is settled all the same; the next start finds it and says so.
    emit({ type: 'notice', text: `the journal ${journal.path} could not be closed: ${errorText(error)}` })
  }
  return ordersOpen ? journal.path : null
}
