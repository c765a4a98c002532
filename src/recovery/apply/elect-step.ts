import type { Election } from '../../cluster/cluster.js'
import { errorText } from '../../text/error-text.js'
import { assess, verdictOnLeader } from './assess.js'
import { type Candidate, undecided, type Verdict } from './candidate.js'
import { delayBeforeRetry, LATE_WRITE_MS, LOOK_AGAIN } from './retry.js'
import { enterPhase, lookNow, namesOf, noteInJournal, pauseBeforeRetry, type Run, readNow } from './run.js'
import { sendWrite, type WriteResult } from './write.js'

const NO_ANSWER: WriteResult = { kind: 'unsure', code: 'noAnswer', text: 'no answer' }

/**
 * Elects the designated leaders of these partitions and looks until they show. Afterwards each is decided. At most
 * 1 + electionAttempts requests name a partition. Throws ClusterLostError.
 */
export async function electStep(run: Run, candidates: readonly Candidate[], batch: number): Promise<void> {
  if (candidates.length === 0) return
  enterPhase(run, 'elect', batch)
  const results = new Map<string, WriteResult>()
  let pending = undecided(candidates)
  for (let tries = 0; pending.length > 0 && tries <= run.policy.retries; tries += 1) {
    if (tries > 0) await pauseBeforeRetry(run, tries, lastProblem(pending, results))
    if (!(await announce(run, pending, batch, tries + 1))) break
    const ready = await untilReady(run, pending)
    for (const [kind, group] of byKind(ready)) await electGroup(run, kind, group, results)
    await untilLeadersShow(run, ready, results)
    pending = undecided(pending)
  }
  for (const candidate of undecided(candidates)) decideWithoutLeader(run, candidate, results.get(candidate.name))
  const elected = candidates.flatMap(({ topic, partition, verdict }) =>
    verdict?.kind === 'elected' ? [{ topic, partition, leader: verdict.leader }] : [],
  )
  if (elected.length > 0) await noteInJournal(run, { type: 'elected', batch, partitions: elected })
}

async function announce(run: Run, pending: readonly Candidate[], batch: number, attempt: number): Promise<boolean> {
  try {
    for (const [kind, group] of byKind(pending)) {
      await run.journal.append({ type: 'about-to-elect', batch, attempt, kind, partitions: namesOf(group) })
    }
    return true
  } catch (error) {
    const text = `the journal could not be written, so no election was sent: ${errorText(error)}`
    for (const candidate of pending) {
      if (candidate.attempts === 0) candidate.decide({ kind: 'failed', code: 'journal', text, leader: null })
    }
    return false
  }
}

/** Reads until the orders show that we expect; gives back those that may be elected by the last reading, the rest is decided. */
async function untilReady(run: Run, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const { clock } = run.ports
  const deadline = clock.monotonicMs() + run.visibleWithinMs
  for (let look = 1; ; look += 1) {
    const reading = await readNow(run, undecided(candidates))
    const late = clock.monotonicMs() >= deadline
    const ready: Candidate[] = []
    let waiting = false
    for (const candidate of undecided(candidates)) {
      const assessment = assess(candidate, reading, run, candidate.orderForElection)
      if (assessment.kind === 'ready') ready.push(candidate)
      else if (assessment.kind === 'decided') candidate.decide(afterElections(candidate, assessment.verdict))
      else if (late) candidate.decide(assessment.ifNever)
      else waiting = true
    }
    if (!waiting) return ready
    await clock.sleep(delayBeforeRetry(LOOK_AGAIN, look))
  }
}

/** `stale` says that nothing was elected; once an election was sent, a change is that election's failure. */
function afterElections({ attempts }: Candidate, verdict: Verdict): Verdict {
  if (attempts === 0 || verdict.kind !== 'stale') return verdict
  return { kind: 'failed', code: verdict.code, text: `after ${timesText(attempts)}: ${verdict.text}`, leader: null }
}

function timesText(attempts: number): string {
  return attempts === 1 ? '1 election' : `${attempts} elections`
}

function byKind(candidates: readonly Candidate[]): [Election['kind'], Candidate[]][] {
  const groups = new Map<Election['kind'], Candidate[]>()
  for (const candidate of candidates) {
    const kind = candidate.planned.method === 'designated' ? 'designated' : 'unclean'
    const group = groups.get(kind)
    if (group) group.push(candidate)
    else groups.set(kind, [candidate])
  }
  return [...groups]
}

async function electGroup(
  run: Run,
  kind: Election['kind'],
  group: readonly Candidate[],
  results: Map<string, WriteResult>,
): Promise<void> {
  const election: Election =
    kind === 'unclean'
      ? { kind, partitions: namesOf(group) }
      : {
          kind,
          partitions: group.map(({ planned: p }) => ({
            topic: p.topic,
            partition: p.partition,
            leader: p.designatedLeader,
          })),
        }
  const written = await sendWrite(group, () => run.cluster.elect(election, run.options.requestTimeoutMs))
  for (const candidate of group) {
    const result = written.get(candidate.name) ?? NO_ANSWER
    results.set(candidate.name, result)
    if (result.kind === 'notSent') continue
    candidate.attempts += 1
    candidate.touched = true
    if (result.kind === 'unsure') candidate.lateElectionUntil = run.ports.clock.monotonicMs() + LATE_WRITE_MS
  }
}

/**
 * Looks until each of these has a leader, or its time is over. Error 0 and 84 (there is a leader already), and no answer, are
 * worth waiting for; after any other error one look has to do. A refusal is final once that look has shown no leader.
 */
async function untilLeadersShow(
  run: Run,
  sent: readonly Candidate[],
  results: ReadonlyMap<string, WriteResult>,
): Promise<void> {
  const { clock } = run.ports
  const deadline = clock.monotonicMs() + run.visibleWithinMs
  const waitsForLeader = ({ name }: Candidate) => {
    const result = results.get(name)
    return result?.kind === 'done' || result?.kind === 'unsure' || result?.code === 'ELECTION_NOT_NEEDED'
  }
  let pending = [...sent]
  for (let look = 1; pending.length > 0; look += 1) {
    const states = await lookNow(run, pending)
    for (const candidate of pending) {
      const state = states.get(candidate.name)
      if (state === undefined) continue
      candidate.lastState = state
      if (state.leader !== null) candidate.decide(verdictOnLeader(candidate, state.leader))
      else if (results.get(candidate.name)?.kind === 'refused' && !waitsForLeader(candidate)) {
        decideWithoutLeader(run, candidate, results.get(candidate.name))
      }
    }
    if (clock.monotonicMs() >= deadline) return
    pending = undecided(pending).filter((one) => waitsForLeader(one) || !states.has(one.name))
    if (pending.length > 0) await clock.sleep(delayBeforeRetry(LOOK_AGAIN, look))
  }
}

/** No leader shows after the last request. Where one had no answer, it may still be carried out. */
function decideWithoutLeader(run: Run, candidate: Candidate, result: WriteResult | undefined): void {
  const times = timesText(candidate.attempts)
  if (run.ports.clock.monotonicMs() < candidate.lateElectionUntil) {
    const last = result?.text ?? 'answered without an error'
    const text = `no leader shows after ${times} (the last: ${last}), and one that had no answer may still be carried out`
    candidate.decide({ kind: 'unknown', code: result?.code ?? 'noAnswer', text })
  } else if (result === undefined || result.kind === 'done') {
    const text = `no leader shows after ${times} that were answered without an error`
    candidate.decide({ kind: 'failed', code: 'noLeader', text, leader: null })
  } else {
    const text = `${times}, the last failed: ${result.text ?? ''}`
    candidate.decide({ kind: 'failed', code: result.code ?? 'noLeader', text, leader: null })
  }
}

function lastProblem(pending: readonly Candidate[], results: ReadonlyMap<string, WriteResult>): string {
  for (const { name } of pending) {
    const result = results.get(name)
    if (result?.text) return result.text
  }
  return 'no leader shows yet'
}
