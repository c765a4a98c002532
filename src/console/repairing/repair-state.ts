import type { RepairWay } from '../../repair/repair-step.js'
import type { RepairTarget } from '../../repair/use-cases/read-repair.js'
import type { Repair } from '../../repair/use-cases/read-repair-steps.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'

/** Ids of the screens of a repair. */
export const REPAIR_SCREEN = 'repair'
export const REPAIR_TEXT_SCREEN = 'repair-text'
export const REPAIR_GATE_SCREEN = 'repair-gate'
export const REPAIR_RETURN_SCREEN = 'repair-return'
export const REPAIR_COMMAND_SCREEN = 'repair-command'

/** One directory's repair, as far as this console has looked into it. */
export interface RepairState extends RepairTarget {
  /** The way that the operator chose; null: the advised one. */
  readonly way: RepairWay | null
  /** The operator has typed that the old disk is back in place, after it was seen emptied. */
  readonly oldDiskBack: boolean
  /** partitionName of those that the operator gave up by name. */
  readonly writtenOff: ReadonlySet<string>
  /** As it was read last; null: it was not yet. */
  readonly repair: Repair | null
  readonly reading: boolean
  /** Why the last reading failed, one line; null: it did not. */
  readonly failure: string | null
}

/** A directory's name in maps and rows: "1 /data/b". */
export function repairKey({ broker, path }: RepairTarget): string {
  return `${broker} ${path}`
}

/** Which directory a view of a repair is about; null: it is none. */
export function repairTarget({ params }: { readonly params: Readonly<Record<string, string>> }): RepairTarget | null {
  const { broker, logDir } = params
  return broker === undefined || logDir === undefined ? null : { broker: Number(broker), path: logDir }
}

/** The repair that a view is about; null: none, or it was never opened. */
export function repairOf(
  data: ConsoleData,
  view: { readonly params: Readonly<Record<string, string>> },
): RepairState | null {
  const target = repairTarget(view)
  return target === null ? null : (data.repairs.get(repairKey(target)) ?? null)
}

/** What a view of this repair is named by. */
export function repairParams({ broker, path }: RepairTarget): Readonly<Record<string, string>> {
  return { broker: String(broker), logDir: path }
}

/** Opens the Repair screen of a directory; it is read from then on as long as it shows. */
export function openRepair(control: ConsoleControl<ConsoleData>, target: RepairTarget): void {
  const { broker, path } = target
  control.update((data) => {
    if (data.repairs.has(repairKey(target))) return data
    const opened: RepairState = {
      broker,
      path,
      way: null,
      oldDiskBack: false,
      writtenOff: new Set(),
      repair: null,
      reading: false,
      failure: null,
    }
    return { ...data, repairs: new Map(data.repairs).set(repairKey(target), opened) }
  }, 'now')
  control.open(REPAIR_SCREEN, repairParams(target))
}

export function changeRepair(
  control: ConsoleControl<ConsoleData>,
  target: RepairTarget,
  change: (state: RepairState) => RepairState,
  when: 'now' | 'soon' = 'now',
): void {
  control.update((data) => {
    const state = data.repairs.get(repairKey(target))
    if (state === undefined) return data
    return { ...data, repairs: new Map(data.repairs).set(repairKey(target), change(state)) }
  }, when)
}
