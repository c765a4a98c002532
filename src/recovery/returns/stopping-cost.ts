import type { PartitionState, TopicConfig } from '../../cluster/snapshot.js'

/** What stopping a broker takes from partitions that are well without it. */
export interface StoppingCost {
  /** Partitions that would lose their leader: it is their only ISR member. */
  readonly offline: number
  /** Partitions that keep a leader, and would come below min.insync.replicas. At least so many. */
  readonly underMinIsr: number
  /** The configuration of some of their topics was not read, so that there may be more. */
  readonly minIsrUnknown: boolean
}

/** Works it out from the cluster as it is; ELR aside, which only helps once the ISR is below its minimum. */
export function costOfStopping(
  broker: number,
  partitions: readonly PartitionState[],
  topicConfigs: ReadonlyMap<string, TopicConfig>,
): StoppingCost {
  let offline = 0
  let underMinIsr = 0
  let minIsrUnknown = false
  for (const { topic, leader, isr } of partitions) {
    if (leader === null || !isr.includes(broker)) continue
    const remaining = isr.length - 1
    const minimum = topicConfigs.get(topic)?.minInsyncReplicas ?? null
    if (remaining === 0) offline += 1
    else if (minimum === null) minIsrUnknown = true
    else if (remaining < minimum && isr.length >= minimum) underMinIsr += 1
  }
  return { offline, underMinIsr, minIsrUnknown }
}
