import { errorName } from '../protocol/error-codes.js'
import { DEBUGGING_REPLICA_ID, ListOffsets, MAX_TIMESTAMP } from '../protocol/rpc/list-offsets.js'
import type { LastRecordTime } from './cluster.js'
import { knownOffsetFromWire } from './offset.js'
import { readLogDirs } from './read-log-dirs.js'
import type { ClusterSession } from './session.js'
import type { PartitionState } from './snapshot.js'

/** The first version that knows timestamp -3 (KIP-734), and the one that was measured to answer from the local log. */
const VERSION = 7

/**
 * Asks one replica's broker for the record with the greatest timestamp in its own log. The broker reads segments for it, so its
 * directories are looked at right before: with a failed one, or if they are not told, nothing is asked.
 * @throws TransportError
 */
export async function readLastRecordTime(
  session: ClusterSession,
  { topic, partition }: PartitionState,
  broker: number,
): Promise<LastRecordTime> {
  const refused = (reason: string): LastRecordTime => ({ kind: 'refused', reason })
  const link = session.connections.link(broker)
  if (session.brokerState(broker) !== 'up' || link === null) return refused(`broker ${broker} is not up`)
  const timeoutMs = session.requestTimeoutMs
  const identity = await session.identity(broker, link)
  if (identity.kind === 'wrong' || (identity.kind === 'unconfirmed' && session.connections.hasEndpoint(broker))) {
    return refused(identity.text)
  }
  const dirs = await readLogDirs(link, broker, [{ topic, partition }], true, timeoutMs)
  if (dirs.kind !== 'read') {
    const why = dirs.kind === 'notAllowed' ? 'DescribeLogDirs needs DESCRIBE on the cluster' : dirs.text
    return refused(`whether broker ${broker} has failed log directories is not known: ${why}`)
  }
  const failed = dirs.logDirs.filter(({ state }) => state !== 'online').map(({ path }) => path)
  if (failed.length > 0) return refused(`broker ${broker} has a failed log directory: ${failed.join(', ')}`)
  const offered = await link.versionFor(ListOffsets, timeoutMs)
  if (offered === null || offered < VERSION) {
    return refused(`broker ${broker} does not offer to look for a time (ListOffsets ${VERSION})`)
  }
  const { body } = await link.request(
    ListOffsets,
    {
      replicaId: DEBUGGING_REPLICA_ID,
      topics: [{ name: topic, partitions: [{ partitionIndex: partition, timestamp: MAX_TIMESTAMP }] }],
    },
    { timeoutMs, maxVersion: VERSION },
  )
  const answer = body.topics.find(({ name }) => name === topic)?.partitions.at(0)
  if (answer === undefined) return refused(`broker ${broker} left this partition out of its answer`)
  if (answer.errorCode !== 0) return refused(`broker ${broker} answered ${errorName(answer.errorCode)}`)
  const offset = knownOffsetFromWire(answer.offset)
  const time = knownOffsetFromWire(answer.timestamp)
  return offset === null || time === null ? { kind: 'none' } : { kind: 'time', offset, at: new Date(time) }
}
