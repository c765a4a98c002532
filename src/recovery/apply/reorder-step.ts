import { errorText } from '../../text/error-text.js'
import { assess } from './assess.js'
import { type Candidate, undecided } from './candidate.js'
import { sameOrder } from './put-back-guard.js'
import { enterPhase, namesOf, noteInJournal, pauseBeforeRetry, type Run, readNow } from './run.js'
import { sendWrite, type WriteResult } from './write.js'

/**
 * Re-orders the assignments of these partitions (none has a leader) so that the designated leader stands first. Afterwards each
 * is decided against, or its `reordering` is done or unsure. Throws ClusterLostError.
 */
export async function reorderStep(run: Run, candidates: readonly Candidate[], batch: number): Promise<void> {
  if (candidates.length === 0) return
  enterPhase(run, 'journal', batch)
  for (const candidate of candidates) candidate.reordering = 'never'
  if (!(await announce(run, candidates, batch))) return
  enterPhase(run, 're-order', batch)
  let pending: readonly Candidate[] = candidates
  for (let tries = 0; pending.length > 0 && tries <= run.policy.retries; tries += 1) {
    if (tries > 0) {
      await pauseBeforeRetry(run, tries, 're-ordering had no clear answer')
      if (!(await announce(run, pending, batch))) break
    }
    pending = await reorderOnce(run, pending, tries === run.policy.retries)
  }
  const done = candidates.filter(({ reordering }) => reordering === 'done')
  if (done.length > 0) await noteInJournal(run, { type: 'reordered', batch, partitions: namesOf(done) })
}

async function announce(run: Run, candidates: readonly Candidate[], batch: number): Promise<boolean> {
  const orders = candidates.map(({ planned, original }) => ({
    topic: planned.topic,
    topicId: planned.topicId,
    partition: planned.partition,
    original,
    election: planned.electionOrder,
  }))
  try {
    await run.journal.append({ type: 'about-to-reorder', clusterId: run.plan.clusterId, batch, orders })
    return true
  } catch (error) {
    const text = `the journal could not be written, so nothing more was sent: ${errorText(error)}`
    for (const candidate of candidates) candidate.decide({ kind: 'failed', code: 'journal', text, leader: null })
    return false
  }
}

/** Reads, checks, sends; gives back what is to be tried again. On the last try nothing is: it is decided, or left unsure. */
async function reorderOnce(run: Run, candidates: readonly Candidate[], last: boolean): Promise<Candidate[]> {
  const reading = await readNow(run, candidates)
  const again: Candidate[] = []
  const ready: Candidate[] = []
  for (const candidate of candidates) {
    const shown = reading.states.get(candidate.name)?.replicas
    if (candidate.touched && shown !== undefined && sameOrder(shown, candidate.planned.electionOrder)) {
      // The answer was lost, or spoke of an error, and it was carried out all the same.
      candidate.reordering = 'done'
      continue
    }
    const assessment = assess(candidate, reading, run, candidate.original)
    if (assessment.kind === 'ready') ready.push(candidate)
    else if (assessment.kind === 'decided') candidate.decide(assessment.verdict)
    else if (last) candidate.decide(assessment.ifNever)
    else again.push(candidate)
  }
  if (ready.length === 0) return again
  const orders = ready.map(({ planned: { topic, partition, electionOrder } }) => ({
    topic,
    partition,
    replicas: electionOrder,
  }))
  const written = await sendWrite(orders, () => run.cluster.reorder(orders, run.options.requestTimeoutMs))
  for (const candidate of ready) {
    if (noteResult(run, candidate, written.get(candidate.name), last)) again.push(candidate)
  }
  return undecided(again)
}

/** True: to be tried again. */
function noteResult(run: Run, candidate: Candidate, result: WriteResult | undefined, last: boolean): boolean {
  const kind = result?.kind ?? 'unsure'
  if (kind !== 'notSent') candidate.reorderings += 1
  if (kind !== 'notSent' && kind !== 'refused') candidate.touched = true
  if (kind === 'done') {
    candidate.reordering = 'done'
    return false
  }
  if (kind === 'unsure') {
    candidate.reordering = 'unsure'
    candidate.lateReorderingUntil = run.ports.clock.monotonicMs() + run.options.requestTimeoutMs
  }
  const wasUnsure = candidate.reordering === 'unsure'
  if (kind === 'refused' || (last && !wasUnsure)) {
    const text = `re-ordering failed: ${result?.text ?? 'no answer'}`
    candidate.decide({ kind: 'failed', code: result?.code ?? 'noAnswer', text, leader: null })
  }
  // On the last try an unsure one goes on: before the election its order has to show.
  return !last
}
