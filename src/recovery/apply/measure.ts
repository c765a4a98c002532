import { partitionName } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import type { Candidate } from './candidate.js'
import { measuredLoss } from './measured-loss.js'
import { enterPhase, type Run } from './run.js'

/**
 * Loss by partitionName, worked out from the new leaders' logs; null: not measured. Never rejects: the elections are made, a
 * log that cannot be read now takes nothing from that.
 */
export async function measureLosses(
  run: Run,
  candidates: readonly Candidate[],
  batch: number,
): Promise<ReadonlyMap<string, number | null>> {
  const losses = new Map<string, number | null>()
  const elected = candidates.flatMap((candidate) => {
    const { verdict, lastState } = candidate
    return verdict?.kind === 'elected' && lastState !== null
      ? [{ candidate, leader: verdict.leader, state: lastState }]
      : []
  })
  if (elected.length === 0) return losses
  enterPhase(run, 'verify', batch)
  try {
    // Narrowed to the leader: the other logs are being truncated to it now, and tell nothing any more.
    const evidences = await run.cluster.readReplicaLogs(
      elected.map(({ state, leader }) => ({ ...state, replicas: [leader] })),
      {
        durationMs: run.options.recoveryDurationMs,
        history: true,
        placements: false,
        expected: elected.map(({ candidate }) => candidate.planned.evidence),
      },
    )
    const byName = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
    for (const { candidate, leader } of elected) {
      const log = byName.get(candidate.name)?.replicas.find(({ broker }) => broker === leader)
      losses.set(candidate.name, log?.kind === 'read' ? measuredLoss(candidate.planned.evidence, log) : null)
    }
  } catch (error) {
    run.emit({ type: 'notice', text: `the losses could not be measured: ${errorText(error)}` })
  }
  return losses
}
