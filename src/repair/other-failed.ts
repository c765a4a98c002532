import type { ClusterSnapshot } from '../cluster/snapshot.js'
import { count } from '../text/wording.js'
import { affectedPartitions } from './affected-partitions.js'
import type { DiagnosedDirectory } from './diagnosis.js'
import { type GateInput, gateOf } from './gate.js'
import { heldPartitions } from './held-partitions.js'
import type { SeenCluster } from './seen-placements.js'

/** Another directory of the same broker that failed too. It has a gate of its own: one start brings all of them back, with whatever is in them. */
export interface OtherFailed {
  readonly path: string
  /** How many of its partitions have no leader and name the broker: started with this one empty, too, they would be lost. 0: its gate is open. */
  readonly holds: number
  /** It did not fail, but was seen with an empty log. Left out: it was not. */
  readonly emptied?: true
}

/**
 * The broker's other directories that are failed, or were when it was last up, each by its partitions' roles alone: their logs are not read. Those that
 * were written off by name do not count. `emptied`: paths of those that were seen with an empty log: they count, too. Pure.
 */
export function otherFailed(
  path: string,
  directories: readonly DiagnosedDirectory[],
  snapshot: ClusterSnapshot,
  seen: SeenCluster,
  gate: Pick<GateInput, 'broker' | 'context' | 'writtenOff'>,
  emptied: ReadonlySet<string> = new Set(),
): OtherFailed[] {
  return directories.flatMap((dir): OtherFailed[] => {
    if (dir.path === null || dir.path === path) return []
    const held = heldPartitions(gate.broker, dir.path, snapshot, seen)
    const failed = held.source === 'derived' || held.source === 'noted'
    if (!failed && !emptied.has(dir.path)) return []
    const affected = affectedPartitions(gate.broker, held, [], gate.context.brokers)
    const { holds } = gateOf({
      ...gate,
      held,
      affected,
      partitions: snapshot.partitions,
      alarms: [],
      noGoAhead: null,
    })
    return [{ path: dir.path, holds: holds.length, ...(emptied.has(dir.path) ? { emptied: true } : {}) }]
  })
}

/** What they mean for the start of the broker, one line each. */
export function otherFailedLines(others: readonly OtherFailed[], broker: number): string[] {
  return others.map(({ path, holds, emptied }) =>
    holds === 0
      ? `${path} of broker ${broker} ${emptied ? 'was emptied' : 'failed'} too: its gate is open`
      : `${path} of broker ${broker} ${emptied ? 'was emptied' : 'failed'} too, and its own gate is SHUT (${count(holds)} ${holds === 1 ? 'partition' : 'partitions'}): start the broker only ${emptied ? '' : 'with its OLD contents there, or '}after the steps of that directory`,
  )
}
