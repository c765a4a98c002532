import type { BrokerState } from './model/broker.js'
import type { SimulatedCluster } from './model/cluster.js'
import type { Registration } from './model/registration.js'
import type { ReplicaLog } from './model/replica-log.js'

export interface InspectedPartition extends Registration {
  readonly topic: string
  readonly topicId: string
  readonly partition: number
  /** By broker id; brokers that are down included. */
  readonly logs: ReadonlyMap<number, ReplicaLog>
}

/** The whole truth about a simulated cluster, for tests. Read-only; a copy of the moment. */
export interface Inspection {
  readonly brokers: ReadonlyMap<number, BrokerState>
  /** -1: no controller leads. */
  readonly controller: number
  /** Null: no such partition. */
  partition(topic: string, partition: number): InspectedPartition | null
  /** All, one after the other. */
  partitions(): Iterable<InspectedPartition>
}

export function inspect(cluster: SimulatedCluster): Inspection {
  const look = (topic: string, index: number): InspectedPartition | null => {
    const partition = cluster.partition(topic, index)
    if (partition === null) return null
    const { current } = partition.registration
    const logs = new Map<number, ReplicaLog>()
    for (const broker of current.replicas) {
      const log = partition.log(broker)
      if (log !== null) logs.set(broker, log)
    }
    return { ...current, topic, topicId: partition.topic.id, partition: index, logs }
  }
  return {
    brokers: new Map([...cluster.brokers.values()].map(({ id, state }) => [id, state.current])),
    controller: cluster.quorum.leader,
    partition: look,
    *partitions() {
      for (const partition of cluster.partitions()) {
        const found = look(partition.topic.name, partition.index)
        if (found !== null) yield found
      }
    },
  }
}
