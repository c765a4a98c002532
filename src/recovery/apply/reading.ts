import { type PartitionsRead, RequestFailedError } from '../../cluster/cluster.js'
import { type BrokerState, type PartitionState, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import type { Clock } from './clock.js'
import type { OrdersOfCluster } from './ports.js'
import { delayBeforeRetry, type RetryPolicy } from './retry.js'

/** The state of some partitions, read just now. */
export interface Reading {
  readonly states: ReadonlyMap<string, PartitionState>
  /** Named and not found, by partitionName. One that is in neither map was simply not told: ask again. */
  readonly missing: ReadonlyMap<string, PartitionsRead['missing'][number]>
  readonly reassigning: ReadonlySet<string>
  readonly brokers: ReadonlyMap<number, BrokerState>
}

/** The cluster did not answer, tries and all; or it is another one now. Nothing more is to be written to it. */
export class ClusterLostError extends Error {
  override readonly name = 'ClusterLostError'
}

/** Reads states and reassignments anew, with retries. Throws ClusterLostError. */
export async function readStates(
  cluster: Pick<OrdersOfCluster, 'readPartitions' | 'reassignments'>,
  partitions: readonly TopicPartition[],
  clusterId: string,
  clock: Clock,
  policy: RetryPolicy,
): Promise<Reading> {
  const [read, reassigning] = await persistently(clock, policy, () =>
    bothOf(cluster.readPartitions(partitions), cluster.reassignments(partitions)),
  )
  refuseOtherCluster(read, clusterId)
  const states = new Map(read.found.map((state) => [partitionName(state), state]))
  const brokers = new Map<number, BrokerState>([...read.brokersUp].map((id) => [id, 'up']))
  for (const { replicas } of read.found) {
    for (const id of replicas) if (!brokers.has(id)) brokers.set(id, 'down')
  }
  return { states, missing: new Map(read.missing.map((one) => [partitionName(one), one])), reassigning, brokers }
}

/**
 * Reads just the states, to see who leads: any broker tells that, also when the controller is gone right after an election, and nobody
 * tells of reassignments. Nothing may be written by it. Throws ClusterLostError.
 */
export async function readStatesAlone(
  cluster: Pick<OrdersOfCluster, 'readPartitions'>,
  partitions: readonly TopicPartition[],
  clusterId: string,
  clock: Clock,
  policy: RetryPolicy,
): Promise<Reading['states']> {
  const read = await persistently(clock, policy, () => cluster.readPartitions(partitions))
  refuseOtherCluster(read, clusterId)
  return new Map(read.found.map((state) => [partitionName(state), state]))
}

function refuseOtherCluster(read: PartitionsRead, clusterId: string): void {
  if (read.clusterId === clusterId) return
  throw new ClusterLostError(`connected to cluster ${read.clusterId} now, instead of ${clusterId}`)
}

/** Waits for both even if one fails: no request of ours is to be under way when the caller goes on. */
async function bothOf<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([a, b])
  if (first.status === 'rejected') throw first.reason
  if (second.status === 'rejected') throw second.reason
  return [first.value, second.value]
}

/** For reads: a failure of any kind but a plainly final one is tried again; then ClusterLostError. */
export async function persistently<T>(clock: Clock, policy: RetryPolicy, read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; ) {
    try {
      return await read()
    } catch (error) {
      const message = errorText(error)
      const final = error instanceof RequestFailedError && !error.retriable && error.reason !== 'connection'
      tries += 1
      if (final || tries > policy.retries) throw new ClusterLostError(message, { cause: error })
      await clock.sleep(delayBeforeRetry(policy, tries))
    }
  }
}
