import type { ClusterSnapshot, LogDir, TopicPartition } from '../../cluster/snapshot.js'
import type { Alarm } from '../../recovery/returns/alarms.js'
import type { StartAdvice } from '../../recovery/returns/start-advice.js'
import type { ClusterStatus } from '../../recovery/use-cases/read-status.js'

/** cli.md, "status". `name`: of the saved profile; null: connected without one. */
export function statusToJson(status: ClusterStatus, name: string | null) {
  const { snapshot } = status
  return {
    cluster: clusterToJson(snapshot, name),
    offlinePartitions: status.offline.map((state) => ({
      topic: state.topic,
      topicId: state.topicId,
      partition: state.partition,
      leaderEpoch: state.leaderEpoch,
      replicas: state.replicas,
      isr: state.isr,
      elr: state.elr,
      lastKnownElr: state.lastKnownElr,
      offlineReplicas: state.offlineReplicas,
    })),
    logDirs: (snapshot.logDirs ?? []).map(logDirToJson),
    underMinIsr: status.underMinIsr.map(({ topic, partition }) => ({ topic, partition })),
    alarms: status.alarms.flatMap(alarmToJson),
    start: status.situation.starts.map(startToJson),
    seenEmpty: status.situation.seenEmpty.map(({ broker, seenAt, partitions }) => ({ broker, seenAt, partitions })),
    problems: snapshot.problems,
    readAt: snapshot.readAt.toISOString(),
  }
}

/** One entry for each partition that it is about; one without partition where it is about the cluster. */
export function alarmToJson({ code, text, broker, partitions }: Alarm) {
  const places: readonly (TopicPartition | null)[] = partitions.length === 0 ? [null] : partitions
  return places.map((at) => ({ code, text, topic: at?.topic ?? null, partition: at?.partition ?? null, broker }))
}

/** In the order in which to start them; none while an alarm stands. Numbers are of partitions. */
function startToJson({ broker, state, order, bringsBack, once, before, harms, emptiedWipes }: StartAdvice) {
  const counted = (others: StartAdvice['once']) =>
    others.map(({ broker: other, partitions }) => ({ broker: other, partitions: partitions.length }))
  return {
    broker,
    state,
    order,
    bringsBack: bringsBack.length,
    once: counted(once),
    before: counted(before),
    harms: harms.length,
    emptiedWipes: emptiedWipes.length,
  }
}

function clusterToJson(snapshot: ClusterSnapshot, name: string | null) {
  return {
    id: snapshot.clusterId,
    name,
    simulated: snapshot.simulated,
    controller: snapshot.controller,
    brokers: snapshot.brokers.map(({ id, host, port, rack, state, error }) => ({ id, host, port, rack, state, error })),
  }
}

export function logDirToJson({ broker, path, state, error, totalBytes, usableBytes, cordoned, replicaCount }: LogDir) {
  return { broker, path, state, error, totalBytes, usableBytes, cordoned, replicas: replicaCount }
}
