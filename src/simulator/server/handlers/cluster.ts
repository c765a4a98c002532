import { ErrorCode } from '../../../protocol/error-codes.js'
import { ApiVersions } from '../../../protocol/rpc/api-versions.js'
import { DescribeCluster } from '../../../protocol/rpc/describe-cluster.js'
import { DescribeQuorum, METADATA_TOPIC } from '../../../protocol/rpc/describe-quorum.js'
import { ZERO_UUID } from '../../../protocol/schema/types.js'
import { apiError } from '../../errors.js'
import type { SimulatedBroker } from '../../model/broker.js'
import type { SimulatedCluster } from '../../model/cluster.js'
import { api } from '../api.js'
import { aliveBrokers, controllerId, HOST } from './metadata.js'

const CONTROLLER_ENDPOINTS = 2
const MISMATCHED_ENDPOINT_TYPE = 114
/** The leader forgets an observer that has not fetched for so long (Kafka: LeaderState). */
const OBSERVER_SESSION_MS = 300_000

export interface AdvertisedVersion {
  readonly apiKey: number
  readonly minVersion: number
  readonly maxVersion: number
}

/** @param advertised what the answer lists: the table is made after the handlers */
export function apiVersions(advertised: (cluster: SimulatedCluster) => readonly AdvertisedVersion[]) {
  return api({
    rpc: ApiVersions,
    handle: (_request, { cluster }) => ({
      errorCode: ErrorCode.NONE,
      apiKeys: [...advertised(cluster)],
      supportedFeatures: [
        { name: 'eligible.leader.replicas.version', minVersion: 0, maxVersion: 1 },
        { name: 'metadata.version', minVersion: 7, maxVersion: 30 },
      ],
      finalizedFeaturesEpoch: BigInt(cluster.metadataEnd.current),
      finalizedFeatures: [
        ...(cluster.elrEnabled
          ? [{ name: 'eligible.leader.replicas.version', maxVersionLevel: 1, minVersionLevel: 1 }]
          : []),
        { name: 'metadata.version', maxVersionLevel: 30, minVersionLevel: 30 },
      ],
    }),
    refuse: (_request, { code }) => ({ errorCode: code, apiKeys: [] }),
  })
}

export const describeCluster = api({
  rpc: DescribeCluster,
  handle(request, context) {
    const { cluster } = context
    if (request.endpointType === CONTROLLER_ENDPOINTS) {
      return refusedCluster(MISMATCHED_ENDPOINT_TYPE, 'The request was sent to an endpoint of the wrong type.')
    }
    const alive = new Set(aliveBrokers(context))
    // With fenced ones: every registered broker, stopped ones included (measured on 4.4.0).
    const listed = request.includeFencedBrokers ? [...cluster.brokers.values()] : [...alive]
    return {
      throttleTimeMs: 0,
      errorCode: ErrorCode.NONE,
      clusterId: cluster.clusterId,
      controllerId: controllerId(context),
      brokers: listed.map((broker) => ({
        brokerId: broker.id,
        host: HOST,
        port: broker.port,
        rack: broker.rack,
        isFenced: !alive.has(broker),
      })),
      ...(request.includeClusterAuthorizedOperations
        ? { clusterAuthorizedOperations: cluster.authorizer.clusterOperations() }
        : {}),
    }
  },
  refuse: (_request, { code, message }) => refusedCluster(code, message),
})

function refusedCluster(errorCode: number, errorMessage: string | null) {
  return { throttleTimeMs: 0, errorCode, errorMessage, clusterId: '', brokers: [] }
}

export const describeQuorum = api({
  rpc: DescribeQuorum,
  forwarded: true,
  needs: { cluster: 'DESCRIBE' },
  handle(request, context) {
    const { cluster } = context
    const topics = request.topics.map(({ topicName, partitions }) => ({
      topicName,
      partitions: partitions.map(({ partitionIndex }) =>
        topicName === METADATA_TOPIC && partitionIndex === 0
          ? quorumPartition(cluster)
          : unknownPartition(partitionIndex),
      ),
    }))
    return {
      errorCode: ErrorCode.NONE,
      topics,
      nodes: cluster.quorum.voters.map((nodeId) => ({
        nodeId,
        listeners: [{ name: 'CONTROLLER', host: HOST, port: 0 }],
      })),
    }
  },
  refuse: (_request, { code, message }) => ({ errorCode: code, errorMessage: message, topics: [] }),
})

function unknownPartition(partitionIndex: number) {
  const { code, message } = apiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
  return {
    partitionIndex,
    errorCode: code,
    errorMessage: message,
    leaderId: -1,
    leaderEpoch: -1,
    highWatermark: -1n,
    currentVoters: [],
  }
}

function quorumPartition(cluster: SimulatedCluster) {
  const { quorum, clock } = cluster
  const now = BigInt(clock.now())
  const end = BigInt(cluster.metadataEnd.current)
  const state = (replicaId: number, logEndOffset: bigint, at: bigint, isLeader: boolean) => ({
    replicaId,
    replicaDirectoryId: ZERO_UUID,
    logEndOffset,
    lastFetchTimestamp: isLeader ? -1n : at,
    lastCaughtUpTimestamp: at,
  })
  const observers = [...cluster.brokers.values()]
    .filter((broker) => !quorum.voters.includes(broker.id))
    .flatMap((broker) => {
      const seen = lastSeen(cluster, broker)
      return seen === null ? [] : [state(broker.id, BigInt(seen.end), BigInt(seen.at), false)]
    })
  return {
    partitionIndex: 0,
    errorCode: ErrorCode.NONE,
    leaderId: quorum.leader,
    leaderEpoch: quorum.leaderEpoch,
    highWatermark: end,
    currentVoters: quorum.voters.map((id) => state(id, end, now, id === quorum.leader)),
    observers,
  }
}

/** How far that broker has read the metadata log; one that stopped is remembered for a while. */
function lastSeen(cluster: SimulatedCluster, broker: SimulatedBroker): { end: number; at: number } | null {
  const now = cluster.clock.now()
  if (broker.state.current !== 'down') {
    return { end: cluster.metadataEnd.at(cluster.viewTime(broker)), at: now }
  }
  const stopped = broker.stoppedAt
  return stopped !== null && now - stopped.at < OBSERVER_SESSION_MS ? stopped : null
}
