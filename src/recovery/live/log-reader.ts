import type { Capabilities, Cluster } from '../../cluster/cluster.js'
import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { type PartitionState, partitionName } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'

export interface LogsRead {
  /** Of each partition asked for, in that order; undefined: it was not told. Null: reading failed as a whole. */
  readonly evidences: readonly (PartitionEvidence | undefined)[] | null
  /** By partitionName; null: not told. */
  readonly reassigning: ReadonlySet<string> | null
  /** Null: not asked for, or not told. */
  readonly capabilities: Capabilities | null
  /** One line each. */
  readonly problems: readonly string[]
}

/**
 * The logs of these partitions, with all that planning them needs besides. Never rejects: what was not told is named, and the rest is
 * there. That reassignments are not told is no reason to show nothing: they are looked up again before anything is sent.
 */
export async function readLogs(
  cluster: Pick<Cluster, 'readReplicaLogs' | 'reassignments' | 'capabilities'>,
  partitions: readonly PartitionState[],
  options: {
    readonly durationMs: number
    readonly capabilities: boolean
    /** What is known of them: what is found as it was is the same object, and takes no memory twice. */
    readonly expected: readonly PartitionEvidence[]
    readonly onProgress: (done: number, brokers: number) => void
  },
): Promise<LogsRead> {
  const problems: string[] = []
  const orProblem = async <T>(what: string, read: Promise<T>): Promise<T | null> => {
    try {
      return await read
    } catch (error) {
      problems.push(`${what}: ${errorText(error)}`)
      return null
    }
  }
  const { durationMs, expected, onProgress } = options
  const none = partitions.length === 0
  const [evidences, reassigning, capabilities] = await Promise.all([
    none
      ? []
      : orProblem(
          'replica logs',
          cluster.readReplicaLogs(partitions, { durationMs, history: true, expected, onProgress }),
        ),
    none ? new Set<string>() : orProblem('reassignments under way', cluster.reassignments(partitions)),
    options.capabilities ? orProblem('what the brokers offer', cluster.capabilities()) : null,
  ])
  return { evidences: evidences && inOrder(partitions, evidences), reassigning, capabilities, problems }
}

/** The port promises no order. */
function inOrder(
  partitions: readonly PartitionState[],
  evidences: readonly PartitionEvidence[],
): readonly (PartitionEvidence | undefined)[] {
  const ordered = partitions.every((state, index) => {
    const told = evidences[index]?.state
    return told?.topic === state.topic && told.partition === state.partition
  })
  if (ordered) return evidences
  const byName = new Map(evidences.map((evidence) => [partitionName(evidence.state), evidence]))
  return partitions.map((state) => byName.get(partitionName(state)))
}
