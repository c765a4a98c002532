import type { Cluster } from '../../cluster/cluster.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import { readLogDirs } from './read-log-dirs.js'
import { NoSuchDirectoryError, type RepairOptions, type RepairReading, readRepair } from './read-repair.js'

/** The repairs of one broker: a start brings all its directories back at once, with whatever is in them, so each one's gate has to be open. */
export interface BrokerRepairs {
  readonly broker: number
  readonly snapshot: ClusterSnapshot
  /** One for each directory that failed, or of which something is not as it should be yet; by path. */
  readonly repairs: readonly RepairReading[]
  /** All its directories that are told of or remembered. */
  readonly paths: readonly string[]
  /** What could not be read or kept, one line each. */
  readonly problems: readonly string[]
}

/** Reads how every directory of a broker stands. Sends nothing that writes. @throws NoSuchDirectoryError */
export async function readBrokerRepairs(
  cluster: Cluster,
  broker: number,
  options: RepairOptions,
): Promise<BrokerRepairs> {
  const { snapshot, directories, problems } = await readLogDirs(cluster, options.placements)
  if (snapshot.brokers.every(({ id }) => id !== broker)) {
    const ids = snapshot.brokers.map(({ id }) => id).join(', ')
    throw new NoSuchDirectoryError(`the cluster has no broker ${broker}; its brokers: ${ids}`)
  }
  const paths = directories.flatMap((dir) => (dir.broker === broker && dir.path !== null ? [dir.path] : []))
  if (paths.length === 0) {
    throw new NoSuchDirectoryError(
      `which log directories broker ${broker} has is not known: it does not tell, and nothing was noted; name one with --log-dir`,
    )
  }
  const repairs: RepairReading[] = []
  // One after the other: each reads the logs of all that its directory held.
  for (const path of paths) {
    const reading = await readRepair(cluster, { broker, path }, options)
    if (isToRepair(reading)) repairs.push(reading)
  }
  const told = new Set([...problems, ...repairs.flatMap((reading) => reading.problems)])
  return { broker, snapshot, repairs, paths, problems: [...told] }
}

/** While its broker is away a directory counts only if it was seen, or is known, to have failed, or was seen emptied. */
function isToRepair({ phase, held, seenEmptiedAt }: RepairReading): boolean {
  if (phase === 'away') return held.source === 'noted' || held.source === 'derived' || seenEmptiedAt !== null
  return phase !== 'nothing'
}
