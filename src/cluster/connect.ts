import { readCapabilities } from './capabilities.js'
import type { Cluster } from './cluster.js'
import { readBrokerConfig } from './read-broker-config.js'
import { readEvidence } from './read-evidence.js'
import { readLogDirs } from './read-log-dirs.js'
import { readPartitions } from './read-partitions.js'
import { readPermissions } from './read-permissions.js'
import { readLastRecordTime } from './read-record-time.js'
import { readSnapshot } from './read-snapshot.js'
import { readTopicConfigs } from './read-topic-configs.js'
import { refreshSnapshot } from './refresh-snapshot.js'
import { ClusterSession, type SessionOptions } from './session.js'
import type { ClusterSnapshot } from './snapshot.js'
import { elect, reassignmentsUnderWay, reorder, writingTarget } from './write.js'

export interface ConnectedCluster extends Cluster {
  /**
   * The same cluster for one job of reading that takes at most `timeMs` in all, however many brokers are silent: what has not
   * answered by then is a problem in what was read.
   */
  within(timeMs: number): Cluster
}

/**
 * Connects to a cluster over the wire protocol.
 * @throws NoBrokerReachableError when no bootstrap server answers
 */
export async function connectCluster(options: SessionOptions): Promise<ConnectedCluster> {
  const session = new ClusterSession(options)
  try {
    await session.clusterId()
  } catch (error) {
    await session.close()
    throw error
  }
  return { ...clusterOf(session), within: (timeMs) => clusterOf(session.within(timeMs)) }
}

function clusterOf(session: ClusterSession): Cluster {
  return {
    snapshot: async (snapshotOptions) => withMixture(session, await readSnapshot(session, snapshotOptions)),
    refresh: (previous) => refreshSnapshot(session, previous),
    readPartitions: (partitions) => readPartitions(session, partitions),
    readReplicaLogs: (partitions, logOptions) => readEvidence(session, partitions, logOptions),
    lastRecordTime: (partition, broker) => readLastRecordTime(session, partition, broker),
    reassignments: (partitions) => reassignmentsUnderWay(session, partitions),
    capabilities: () => readCapabilities(session),
    permissions: (topics) => readPermissions(session, topics),
    directories: async (broker) => {
      const link = session.connections.link(broker)
      if (link === null) return { kind: 'error', text: `the address of broker ${broker} is not known` }
      return readLogDirs(link, broker, null, true, session.requestTimeoutMs)
    },
    brokerConfig: (broker) => readBrokerConfig(session, broker),
    topicConfigs: async (topics) => {
      if (topics.length === 0) return new Map()
      const { link } = await session.freshView()
      return (await readTopicConfigs(link, topics, session.requestTimeoutMs)).configs
    },
    refuseMixedClusters: () => session.refuseMixedClusters(),
    reorder: (orders, timeoutMs) => reorder(session, orders, timeoutMs),
    elect: (election, timeoutMs) => elect(session, election, timeoutMs),
    writingTarget: () => writingTarget(session),
    close: () => session.close(),
  }
}

async function withMixture(session: ClusterSession, snapshot: ClusterSnapshot): Promise<ClusterSnapshot> {
  const mixture = await session.mixture()
  if (mixture === null) return snapshot
  const text = `${mixture}; ${snapshot.clusterId} answered first and is the one that is read; nothing is written until only servers of one are named`
  return { ...snapshot, problems: [{ code: 'mixedClusters', broker: null, text }, ...snapshot.problems] }
}
