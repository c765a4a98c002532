import type { Cluster } from '../../cluster/cluster.js'
import type { RepairStep, RepairWay } from '../repair-step.js'
import type { RunRecord, RunRecords } from '../run-records.js'
import { advisedWay, repairSteps } from '../steps.js'
import { type RepairOptions, type RepairReading, type RepairTarget, readRepair } from './read-repair.js'

/** A repair as read, with the steps of the way that was chosen or is advised. */
export interface Repair {
  readonly reading: RepairReading
  readonly way: RepairWay
  readonly steps: readonly RepairStep[]
  /** Commands that were run for it, the oldest first. */
  readonly runs: readonly RunRecord[]
}

export interface RepairStepsOptions extends RepairOptions {
  /** Null: the advised one. */
  readonly way: RepairWay | null
  readonly records: RunRecords
}

/** Reads where a repair stands, and what comes next. Sends nothing that writes. @throws as readRepair */
export async function readRepairSteps(
  cluster: Cluster,
  target: RepairTarget,
  { way: chosen, records, ...options }: RepairStepsOptions,
): Promise<Repair> {
  const reading = await readRepair(cluster, target, options)
  const runs = await records.load(reading.snapshot.clusterId, target.broker, target.path).catch(() => [])
  return { reading, runs, ...stepsOf(reading, chosen) }
}

/** The steps of one way for what was read already. Pure. */
export function stepsOf(reading: RepairReading, chosen: RepairWay | null): Pick<Repair, 'way' | 'steps'> {
  const { standing } = reading.directory
  const way = chosen ?? advisedWay({ ...reading, gone: standing.kind === 'missing' })
  const steps = repairSteps({
    ...reading,
    way,
    directoryOnline: standing.kind === 'online',
    clusterId: reading.snapshot.clusterId,
    logDirs: reading.config?.logDirs ?? null,
  })
  return { way, steps }
}
