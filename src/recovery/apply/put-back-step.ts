import type { Candidate } from './candidate.js'
import { type OrderResult, type PutBackResults, putBackOrders, type Reordering } from './put-back.js'
import { enterPhase, namesOf, noteInJournal, type Run } from './run.js'

/**
 * Puts the original orders of a batch back, also of partitions whose election failed, and notes in the journal what became of
 * each. Never rejects. If the journal cannot be written any more it goes on: the original orders are in it already.
 */
export async function putBackStep(run: Run, candidates: readonly Candidate[], batch: number): Promise<PutBackResults> {
  const results = new Map<string, OrderResult>()
  const changed: { readonly candidate: Candidate; readonly reordering: Reordering }[] = []
  for (const candidate of candidates) {
    const { reordering } = candidate
    if (reordering === null) continue
    if (candidate.touched) changed.push({ candidate, reordering })
    else results.set(candidate.name, { kind: 'original', restored: false })
  }
  if (changed.length > 0) enterPhase(run, 'put back', batch)
  const put = changed.length > 0 ? await putBackChanged(run, changed) : { results, states: new Map() }
  for (const [name, result] of put.results) results.set(name, result)
  await noteResults(run, candidates, results)
  return { results, states: put.states }
}

async function putBackChanged(
  run: Run,
  changed: readonly { readonly candidate: Candidate; readonly reordering: Reordering }[],
): Promise<PutBackResults> {
  await noteInJournal(run, { type: 'about-to-put-back', partitions: namesOf(changed.map((one) => one.candidate)) })
  const items = changed.map(({ candidate, reordering }) => {
    const { topic, topicId, partition, electionOrder } = candidate.planned
    const { original, reorderings, lateReorderingUntil, lateElectionUntil } = candidate
    const order = { topic, topicId, partition, original, election: electionOrder }
    return {
      order,
      reordering,
      reorderedOnce: reorderings <= 1,
      lateReorderingUntil,
      lateElectionUntil,
      latePutBackUntil: 0,
    }
  })
  return putBackOrders(items, {
    cluster: run.cluster,
    clusterId: run.plan.clusterId,
    clock: run.ports.clock,
    policy: run.policy,
    visibleWithinMs: run.visibleWithinMs,
    requestTimeoutMs: run.options.requestTimeoutMs,
    topicConfigs: run.options.context.topicConfigs,
    ifNeverSeen: 'open',
    ifElectionMayCome: 'open',
    announceAgain: (orders) => noteInJournal(run, { type: 'about-to-put-back', partitions: namesOf(orders) }),
  })
}

async function noteResults(
  run: Run,
  candidates: readonly Candidate[],
  results: ReadonlyMap<string, OrderResult>,
): Promise<void> {
  const back: Candidate[] = []
  const left: { topic: string; partition: number; reason: string }[] = []
  for (const candidate of candidates) {
    const result = results.get(candidate.name)
    const { topic, partition } = candidate
    if (result?.kind === 'original') back.push(candidate)
    if (result?.kind !== 'left') continue
    left.push({ topic, partition, reason: result.reason })
    run.ordersLeft.push({ topic, partition, reason: result.reason, reassignmentJson: result.reassignmentJson })
  }
  if (back.length > 0) await noteInJournal(run, { type: 'put-back', partitions: namesOf(back) })
  if (left.length > 0) await noteInJournal(run, { type: 'left', partitions: left })
}
