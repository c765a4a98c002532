import { ErrorCode } from '../../../protocol/error-codes.js'
import { Metadata } from '../../../protocol/rpc/metadata.js'
import { ZERO_UUID } from '../../../protocol/schema/types.js'
import type { SimulatedCluster } from '../../model/cluster.js'
import { SimulatedPartition, type SimulatedTopic } from '../../model/partition.js'
import { emptyLog } from '../../model/replica-log.js'
import { api, type RequestContext } from '../api.js'

export const HOST = '127.0.0.1'
/** An authorized-operations field that was not asked for. */
export const NO_OPERATIONS_TOLD = -2147483648
const VALID_NAME = /^[A-Za-z0-9._-]{1,249}$/
const INTERNAL = new Set(['__consumer_offsets', '__transaction_state', '__share_group_state'])

export function isInternal(topic: string): boolean {
  return INTERNAL.has(topic)
}

/** Asked for all, a broker leaves out what the user may not see. */
export function visibleTopics(cluster: SimulatedCluster): readonly string[] {
  return cluster.topicNames().filter((name) => cluster.authorizer.allowsOnTopic('DESCRIBE', name))
}

/** Brokers that the asked one believes alive: unfenced. */
export function aliveBrokers({ cluster, broker }: RequestContext) {
  const time = cluster.viewTime(broker)
  return [...cluster.brokers.values()].filter((one) => one.state.at(time) === 'up')
}

/** In KRaft a broker names any live broker as controller; the simulator the first, so that runs repeat. */
export function controllerId(context: RequestContext): number {
  return aliveBrokers(context)[0]?.id ?? -1
}

export interface PartitionView {
  readonly errorCode: number
  readonly partitionIndex: number
  readonly leaderId: number
  readonly leaderEpoch: number
  readonly replicaNodes: number[]
  readonly isrNodes: number[]
  readonly eligibleLeaderReplicas: number[]
  readonly lastKnownElr: number[]
  readonly offlineReplicas: number[]
}

/** A partition as the asked broker's view of the metadata has it. */
export function describePartition(context: RequestContext, partition: SimulatedPartition): PartitionView {
  const { cluster, broker } = context
  const time = cluster.viewTime(broker)
  const registration = partition.registration.at(time)
  const isAlive = (id: number): boolean => cluster.brokers.get(id)?.state.at(time) === 'up'
  // A leader that is not alive (yet to be noticed) is told as none.
  const leader = registration.leader >= 0 && isAlive(registration.leader) ? registration.leader : -1
  return {
    errorCode: leader === -1 ? ErrorCode.LEADER_NOT_AVAILABLE : ErrorCode.NONE,
    partitionIndex: partition.index,
    leaderId: leader,
    leaderEpoch: registration.leaderEpoch,
    replicaNodes: registration.replicas as number[],
    isrNodes: registration.isr as number[],
    eligibleLeaderReplicas: registration.elr as number[],
    lastKnownElr: registration.lastKnownElr as number[],
    offlineReplicas: registration.replicas.filter((id) => !isAlive(id) || hasFailedDirectory(cluster, partition, id)),
  }
}

function hasFailedDirectory(cluster: SimulatedCluster, partition: SimulatedPartition, id: number): boolean {
  const host = cluster.brokers.get(id)
  if (host === undefined || host.failedLogDirs.size === 0) return false
  const log = partition.log(id)
  return log !== null && !host.isOnline(log.logDir)
}

function describeTopic(context: RequestContext, topic: SimulatedTopic, withOperations: boolean) {
  const fault = context.faultFor(topic.name, -1)
  return {
    errorCode: fault,
    name: topic.name,
    topicId: topic.id,
    isInternal: isInternal(topic.name),
    partitions:
      fault === ErrorCode.NONE ? topic.partitions.map((partition) => describePartition(context, partition)) : [],
    topicAuthorizedOperations: withOperations
      ? context.cluster.authorizer.topicOperations(topic.name)
      : NO_OPERATIONS_TOLD,
  }
}

function missingTopic(
  errorCode: number,
  name: string | null,
  topicId: string,
  topicAuthorizedOperations = NO_OPERATIONS_TOLD,
) {
  return {
    errorCode,
    name,
    topicId,
    isInternal: name !== null && isInternal(name),
    partitions: [],
    topicAuthorizedOperations,
  }
}

/** What auto.create.topics.enable (on by default) does to whoever asks with allowAutoTopicCreation: one partition, one replica. */
function autoCreate({ cluster, ...context }: RequestContext, name: string): void {
  const leader = controllerId({ cluster, ...context })
  const logDir = cluster.brokers.get(leader)?.logDirs[0]
  if (logDir === undefined) return
  const topic: SimulatedTopic = { name, id: cluster.newTopicId(name, 1), config: new Map(), partitions: [] }
  const registration = {
    replicas: [leader],
    isr: [leader],
    elr: [],
    lastKnownElr: [],
    leader,
    leaderEpoch: 0,
    removing: [],
    adding: [],
  }
  topic.partitions = [new SimulatedPartition(topic, 0, registration, new Map([[leader, emptyLog(logDir)]]), null)]
  cluster.addTopic(topic)
  cluster.recordMetadata()
}

export const metadata = api({
  rpc: Metadata,
  needs: { topic: 'DESCRIBE' },
  handle(request, context) {
    const { cluster } = context
    const names = request.topics ?? visibleTopics(cluster).map((name) => ({ name, topicId: ZERO_UUID }))
    const withOperations = request.includeTopicAuthorizedOperations
    const topics = names.map(({ name, topicId }) => {
      if (name === null) {
        const topic = cluster.topicById(topicId)
        return topic === null
          ? missingTopic(ErrorCode.UNKNOWN_TOPIC_ID, null, topicId)
          : describeTopic(context, topic, withOperations)
      }
      const topic = cluster.topics.get(name)
      if (!cluster.authorizer.allowsOnTopic('DESCRIBE', name)) {
        return missingTopic(ErrorCode.TOPIC_AUTHORIZATION_FAILED, name, ZERO_UUID)
      }
      if (topic !== undefined) return describeTopic(context, topic, withOperations)
      if (!VALID_NAME.test(name) || name === '.' || name === '..') {
        return missingTopic(ErrorCode.INVALID_TOPIC_EXCEPTION, name, ZERO_UUID)
      }
      if (request.allowAutoTopicCreation) autoCreate(context, name)
      // What would be allowed on it is told all the same (measured on 4.4.0); of one that may not be seen, nothing is.
      const operations = withOperations ? cluster.authorizer.topicOperations(name) : NO_OPERATIONS_TOLD
      return missingTopic(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, name, ZERO_UUID, operations)
    })
    return {
      brokers: aliveBrokers(context).map(({ id, port, rack }) => ({ nodeId: id, host: HOST, port, rack })),
      clusterId: cluster.clusterId,
      controllerId: controllerId(context),
      topics,
      ...(request.includeClusterAuthorizedOperations
        ? { clusterAuthorizedOperations: cluster.authorizer.clusterOperations() }
        : {}),
    }
  },
  refuse: (request, { code }) => ({
    brokers: [],
    topics: (request.topics ?? []).map(({ name, topicId }) => missingTopic(code, name, topicId)),
    errorCode: code,
  }),
})
