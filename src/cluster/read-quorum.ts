import { ErrorCode } from '../protocol/error-codes.js'
import { DescribeQuorum, METADATA_TOPIC } from '../protocol/rpc/describe-quorum.js'
import type { BrokerLink } from './connections.js'
import { knownOffsetFromWire, offsetFromWire } from './offset.js'
import type { Quorum } from './snapshot.js'

export type QuorumRead =
  | {
      readonly kind: 'read'
      readonly quorum: Quorum
      /** Brokers whose view of the metadata lags behind the controller's. */
      readonly behind: ReadonlySet<number>
    }
  | { readonly kind: 'noQuorum'; readonly text: string }
  | { readonly kind: 'notAllowed' }
  /** ZooKeeper mode. */
  | { readonly kind: 'notOffered' }

/** A broker fetches metadata all the time (a no-op record every 500 ms): one that did not for so long has a stale view. ms */
const STALE_AFTER_MS = 3_000

/** @throws TransportError */
export async function readQuorum(link: BrokerLink, timeoutMs: number): Promise<QuorumRead> {
  if ((await link.versionFor(DescribeQuorum, timeoutMs)) === null) return { kind: 'notOffered' }
  const { body } = await link.request(
    DescribeQuorum,
    { topics: [{ topicName: METADATA_TOPIC, partitions: [{ partitionIndex: 0 }] }] },
    { timeoutMs },
  )
  const partition = body.topics[0]?.partitions[0]
  const errorCode = body.errorCode !== 0 ? body.errorCode : (partition?.errorCode ?? 0)
  if (errorCode === ErrorCode.CLUSTER_AUTHORIZATION_FAILED) return { kind: 'notAllowed' }
  if (errorCode !== 0 || partition === undefined || partition.leaderId < 0) {
    return { kind: 'noQuorum', text: `the controller quorum has no leader (DescribeQuorum answered ${errorCode})` }
  }
  const highWatermark = offsetFromWire(partition.highWatermark)
  const leaderTime = partition.currentVoters.find(
    (voter) => voter.replicaId === partition.leaderId,
  )?.lastCaughtUpTimestamp
  const behind = new Set<number>()
  for (const observer of [...partition.observers, ...partition.currentVoters]) {
    if (observer.replicaId === partition.leaderId || observer.logEndOffset >= partition.highWatermark) continue
    const known = leaderTime !== undefined && leaderTime > 0n && observer.lastCaughtUpTimestamp > 0n
    const lag = known ? leaderTime - observer.lastCaughtUpTimestamp : null
    if (lag === null || lag > BigInt(STALE_AFTER_MS)) behind.add(observer.replicaId)
  }
  return {
    kind: 'read',
    behind,
    quorum: {
      leader: partition.leaderId,
      highWatermark,
      voters: partition.currentVoters.map((voter) => ({
        id: voter.replicaId,
        logEndOffset: knownOffsetFromWire(voter.logEndOffset),
        caughtUp: !behind.has(voter.replicaId),
      })),
      observers: new Map(partition.observers.map((o) => [o.replicaId, offsetFromWire(o.logEndOffset)])),
    },
  }
}
