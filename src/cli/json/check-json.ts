import type { Alarm } from '../../recovery/returns/alarms.js'
import type { ClusterCheck } from '../../recovery/use-cases/check-cluster.js'
import { alarmToJson } from './status-json.js'

/** cli.md, "check". `method` null: ZooKeeper mode, where writing needs the method by name. */
export function checkToJson({ snapshot, capabilities, permissions, problems }: ClusterCheck, alarms: readonly Alarm[]) {
  return {
    clusterId: snapshot.clusterId,
    simulated: snapshot.simulated,
    method: capabilities.method,
    capabilities: {
      mode: capabilities.mode,
      elr: capabilities.elr,
      brokers: capabilities.brokers.map(({ id, designatedElection, replicaLogInfo, apis }) => ({
        id,
        designatedElection,
        replicaLogInfo,
        apis: Object.fromEntries([...apis].sort(([a], [b]) => (a < b ? -1 : 1))),
      })),
    },
    permissions,
    alarms: alarms.flatMap(alarmToJson),
    problems,
  }
}
