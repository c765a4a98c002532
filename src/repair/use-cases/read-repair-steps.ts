import type { Cluster } from '../../cluster/cluster.js'
import type { RepairStep, RepairWay } from '../repair-step.js'
import type { RunRecord, RunRecords } from '../run-records.js'
import { repairSteps } from '../steps.js'
import { type TakenWay, takeWay } from '../way.js'
import { type RepairOptions, type RepairReading, type RepairTarget, readRepair } from './read-repair.js'

/** A repair as read, with the steps of the way that was chosen or is advised. */
export interface Repair {
  readonly reading: RepairReading
  readonly way: RepairWay
  /** The same, with why. */
  readonly taken: TakenWay
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
export function stepsOf(
  reading: RepairReading,
  chosen: RepairWay | null,
  {
    before = null,
    oldDiskBack = false,
  }: {
    /** The way as it was taken when this repair was read before. */
    readonly before?: TakenWay | null
    readonly oldDiskBack?: boolean
  } = {},
): Pick<Repair, 'way' | 'taken' | 'steps'> {
  const { standing } = reading.directory
  const taken = takeWay(chosen, before, { ...reading, gone: standing.kind === 'missing' })
  const { way } = taken
  const steps = repairSteps({
    ...reading,
    way,
    oldDiskBack,
    directoryOnline: standing.kind === 'online',
    clusterId: reading.snapshot.clusterId,
    logDirs: reading.config?.logDirs ?? null,
  })
  return { way, taken, steps }
}
