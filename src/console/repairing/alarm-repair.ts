import { findPartition } from '../../recovery/diagnosis/diagnosis.js'
import type { Alarm } from '../../recovery/returns/alarms.js'
import type { RepairTarget } from '../../repair/use-cases/read-repair.js'
import type { ConsoleData } from '../console-data.js'

/**
 * The directory in which the replicas of an alarm lie on its broker: its repair has the same steps, with the gate and the way back. Of several the
 * one with the most. Null: an alarm about the whole cluster, or nobody told.
 */
export function alarmedDirectory({ broker, partitions }: Alarm, { diagnosis }: ConsoleData): RepairTarget | null {
  if (broker === null || diagnosis === null) return null
  const counts = new Map<string, number>()
  for (const one of partitions) {
    const evidence = findPartition(diagnosis.partitions, one)?.decided?.evidence
    const replica = evidence?.replicas.find((read) => read.broker === broker)
    const log = replica?.kind === 'read' ? replica : (replica?.shown ?? null)
    if (log?.logDir != null) counts.set(log.logDir, (counts.get(log.logDir) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most === undefined ? null : { broker, path: most[0] }
}
