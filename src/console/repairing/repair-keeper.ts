import type { Cluster } from '../../cluster/cluster.js'
import type { SeenEmptyStorage } from '../../recovery/returns/seen-empty.js'
import type { RunRecords } from '../../repair/run-records.js'
import type { SeenPlacementsStorage } from '../../repair/seen-placements.js'
import type { RepairTarget } from '../../repair/use-cases/read-repair.js'
import { type Repair, readRepairSteps, stepsOf } from '../../repair/use-cases/read-repair-steps.js'
import { errorText } from '../../text/error-text.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { topView } from '../state/ui-state.js'
import { changeRepair, type RepairState, repairKey, repairTarget } from './repair-state.js'

type Control = ConsoleControl<ConsoleData>

/** Reads the repair that is on the screen, again and again: so the screen is a watch, too. Sends nothing that writes. */
export interface RepairKeeper {
  /** Called often: reads the one that shows, when it is due. */
  look(control: Control): void
  /** Reads it now, after a reading that is under way. Null: it could not be read; the state says why. */
  readNow(control: Control, target: RepairTarget): Promise<Repair | null>
  stop(): void
}

export interface RepairKeeperServices {
  readonly cluster: Cluster
  readonly placements: SeenPlacementsStorage
  readonly records: RunRecords
  readonly memory?: SeenEmptyStorage
  readonly requestTimeoutMs: number
  /** Time between readings at least. ms */
  readonly refreshMs: number
}

/** A reading may take this share of the time at most: a sick cluster is not to be loaded. */
const READING_SHARE = 0.2

/** By the way that is taken: it may have been changed meanwhile, and stays as it was unless facts change it. */
function takenOn(state: RepairState, repair: Repair): RepairState {
  const { phase } = repair.reading
  const before = state.repair?.taken ?? null
  const made = stepsOf(repair.reading, state.way, { before, oldDiskBack: state.oldDiskBack })
  // Its log is empty at this moment: whatever was said of the old disk does not hold.
  const refuted = phase === 'emptyBack'
  return {
    ...state,
    way: state.way === 'keep' && refuted ? null : state.way,
    oldDiskBack: state.oldDiskBack && !refuted,
    repair: { ...repair, ...made },
  }
}

export function createRepairKeeper(services: RepairKeeperServices): RepairKeeper {
  let underWay: Promise<unknown> = Promise.resolve()
  let busy = 0
  let stopped = false
  /** Monotonic, ms, by repairKey; none: at once. */
  const dueAt = new Map<string, number>()

  async function read(control: Control, target: RepairTarget): Promise<Repair | null> {
    const key = repairKey(target)
    const state = control.data.repairs.get(key)
    if (state === undefined || stopped) return null
    const startedAt = performance.now()
    changeRepair(control, target, (now) => ({ ...now, reading: true }), 'soon')
    try {
      const repair = await readRepairSteps(services.cluster, target, {
        durationMs: services.requestTimeoutMs,
        writtenOff: state.writtenOff,
        placements: services.placements,
        records: services.records,
        way: state.way,
        // The console notes what lies in the directories of all brokers by itself.
        otherBrokers: false,
        ...(services.memory === undefined ? {} : { memory: services.memory }),
        ...(state.repair === null ? {} : { previous: state.repair.reading.progress }),
      })
      changeRepair(control, target, (now) => ({ ...takenOn(now, repair), reading: false, failure: null }))
      return control.data.repairs.get(key)?.repair ?? null
    } catch (error) {
      const failure = errorText(error)
      changeRepair(control, target, (now) => ({ ...now, reading: false, failure }))
      return null
    } finally {
      const took = performance.now() - startedAt
      dueAt.set(key, performance.now() + Math.max(services.refreshMs, took / READING_SHARE - took))
    }
  }

  function readNow(control: Control, target: RepairTarget): Promise<Repair | null> {
    busy += 1
    const reading = underWay
      .then(() => read(control, target))
      .finally(() => {
        busy -= 1
      })
    underWay = reading.catch(() => {})
    return reading
  }

  return {
    look(control) {
      const target = repairTarget(topView(control.ui))
      if (target === null || busy > 0 || stopped) return
      if (performance.now() < (dueAt.get(repairKey(target)) ?? 0)) return
      void readNow(control, target)
    },
    readNow,
    stop() {
      stopped = true
    },
  }
}
