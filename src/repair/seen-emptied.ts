import { type BrokerState, type PartitionState, partitionName } from '../cluster/snapshot.js'

/**
 * Whether a directory that was seen emptied still has to be taken for that: as long as its broker is away, and after that until each of its
 * replicas is in sync, or is without a leader and has records: then the old disk is there. Pure.
 */
export function stillEmptied(
  broker: number,
  state: BrokerState,
  partitions: readonly PartitionState[],
  {
    withRecords,
    writtenOff,
  }: {
    /** partitionName of those of which the broker's own log was read, and has records. */
    readonly withRecords?: ReadonlySet<string> | undefined
    readonly writtenOff?: ReadonlySet<string> | undefined
  },
): boolean {
  if (state !== 'up') return true
  return partitions.some((one) => {
    const name = partitionName(one)
    if (!one.replicas.includes(broker)) return false
    if (one.leader !== null) return !one.isr.includes(broker)
    return withRecords?.has(name) !== true && writtenOff?.has(name) !== true
  })
}
