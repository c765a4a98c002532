import { partitionName } from '../../cluster/snapshot.js'
import { assess } from './assess.js'
import type { Candidate } from './candidate.js'
import { sameMembers, sameOrder } from './put-back-guard.js'
import { persistently } from './reading.js'
import { delayBeforeRetry } from './retry.js'
import { enterPhase, type Run, readNow } from './run.js'

/**
 * Reads states and logs of a batch anew and decides against whatever is not as it was planned. Sends nothing that writes.
 * The states are read once more right before each write: reading logs may take as long as the recovery duration.
 * Throws ClusterLostError.
 */
export async function readAgain(run: Run, candidates: readonly Candidate[], batch: number): Promise<void> {
  enterPhase(run, 'read logs', batch)
  const reading = await readTold(run, candidates)
  const toRead = candidates.flatMap((candidate) => {
    const state = reading.states.get(candidate.name)
    if (state === undefined || state.leader !== null) return []
    candidate.original = state.replicas
    return [state]
  })
  if (toRead.length > 0) {
    const evidences = await persistently(run.ports.clock, run.policy, () =>
      run.cluster.readReplicaLogs(toRead, {
        durationMs: run.options.recoveryDurationMs,
        history: false,
        expected: candidates.map(({ planned }) => planned.evidence),
      }),
    )
    const byName = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
    for (const candidate of candidates) candidate.evidence = byName.get(candidate.name) ?? null
  }
  for (const candidate of candidates) {
    decideIfReordered(candidate)
    const assessment = assess(candidate, reading, run, candidate.original)
    if (assessment.kind === 'decided') candidate.decide(assessment.verdict)
    else if (assessment.kind === 'lookAgain') candidate.decide(assessment.ifNever)
    if (!fitsTogether(candidate)) {
      const text =
        'the plan does not fit together: its order for the election is not one of its replicas with the leader first'
      candidate.decide({ kind: 'failed', code: 'malformedPlan', text, leader: null })
    }
  }
}

/**
 * An order that is not the plan's is somebody else's: of another machine that elects, perhaps, which will put its own original back.
 * There is no compare-and-set in Kafka (KIP-455), so nothing is built on such an order.
 */
function decideIfReordered(candidate: Candidate): void {
  const { planned, original } = candidate
  const before = planned.evidence.state.replicas
  if (original.length === 0 || sameOrder(original, before) || !sameMembers(original, before)) return
  const text = `its assignment was [${before.join(', ')}] when it was planned and is [${original.join(', ')}] now: someone else has re-ordered it`
  candidate.decide({ kind: 'stale', code: 'replicas', text })
}

/** Asks again for what was not told, as often as for anything transient. */
async function readTold(run: Run, candidates: readonly Candidate[]) {
  for (let tries = 1; ; tries += 1) {
    const reading = await readNow(run, candidates)
    const told = candidates.every(({ name }) => reading.states.has(name) || isGone(reading.missing.get(name)?.code))
    if (told || tries > run.policy.retries) return reading
    await run.ports.clock.sleep(delayBeforeRetry(run.policy, tries))
  }
}

function isGone(code: string | undefined): boolean {
  return code === 'unknownTopic' || code === 'unknownPartition' || code === 'permission'
}

/** A plan may come from a file: what it orders is looked at, whoever made it. */
function fitsTogether({ planned, original, verdict }: Candidate): boolean {
  if (verdict !== null) return true
  const { designatedLeader, method, electionOrder } = planned
  if (!original.includes(designatedLeader)) return false
  return method !== 'reorder' || (electionOrder[0] === designatedLeader && sameMembers(electionOrder, original))
}
