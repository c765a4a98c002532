import { type BrokerState, type PartitionState, partitionName } from '../cluster/snapshot.js'
import { type SeenEmptyPartition, wasInSync } from '../recovery/returns/seen-empty.js'

/**
 * Whether a directory that was seen emptied still has to be taken for that: as long as its broker is away, unless all that waited for it then show that it was in
 * sync since; after that until each of its
 * replicas is in sync, or is without a leader and has records: then the old disk is there. Pure.
 */
export function stillEmptied(
  broker: number,
  state: BrokerState,
  partitions: readonly PartitionState[],
  {
    withRecords,
    writtenOff,
    emptiedOf,
  }: {
    /** partitionName of those of which the broker's own log was read, and has records. */
    readonly withRecords?: ReadonlySet<string> | undefined
    readonly writtenOff?: ReadonlySet<string> | undefined
    /** What waited for the broker when it was seen emptied (SeenDirectory). */
    readonly emptiedOf?: readonly SeenEmptyPartition[] | undefined
  },
): boolean {
  if (state !== 'up') return !wereInSync(broker, partitions, emptiedOf ?? [])
  return partitions.some((one) => {
    const name = partitionName(one)
    if (!one.replicas.includes(broker)) return false
    if (one.leader !== null) return !one.isr.includes(broker)
    return withRecords?.has(name) !== true && writtenOff?.has(name) !== true
  })
}

/** All of them, and at least one: of a broker that is away nothing else tells what its disk holds. */
function wereInSync(
  broker: number,
  partitions: readonly PartitionState[],
  emptiedOf: readonly SeenEmptyPartition[],
): boolean {
  const states = new Map(partitions.map((one) => [partitionName(one), one]))
  return (
    emptiedOf.length > 0 &&
    emptiedOf.every((seen) => {
      const now = states.get(partitionName(seen))
      return now !== undefined && wasInSync(broker, seen, now)
    })
  )
}
