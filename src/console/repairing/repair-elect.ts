import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { toElect } from '../../repair/repair-step.js'
import { electRefusal } from '../../repair/run-refusal.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { openPlan } from '../planning/open-plan.js'
import type { ConsoleServices } from '../services.js'
import type { RepairState } from './repair-state.js'

type Control = ConsoleControl<ConsoleData>

/** Opens the plan of exactly those partitions that keep the gate shut; the preview and what has to be typed are those of every plan. */
export function planForGate(control: Control, services: ConsoleServices, { broker, path, repair }: RepairState): void {
  const refusal = repair === null ? 'Nothing was read of it yet.' : electRefusal(repair.reading)
  if (repair === null || refusal !== null) {
    control.notice(refusal ?? '', 'warning')
    return
  }
  const partitions = toElect(repair.reading.gate)
  planWithout(control, services, {
    broker,
    partitions,
    title: `the ${wholeNumber(partitions.length)} that ${partitions.length === 1 ? 'keeps' : 'keep'} the gate of ${path} shut, broker ${broker} stopped`,
    onlyWhileDown: true,
  })
}

/**
 * The plan of exactly these partitions. The broker's own logs of them count as lost from here on, so that they do not "wait" for it; all others that it
 * would bring back do.
 */
export function planWithout(
  control: Control,
  { live, ...services }: ConsoleServices,
  {
    broker,
    partitions,
    title,
    onlyWhileDown = false,
  }: {
    readonly broker: number
    readonly partitions: readonly TopicPartition[]
    readonly title: string
    /** Nothing is elected unless the broker is down: what it led last could come back to it in the middle. */
    readonly onlyWhileDown?: boolean
  },
): void {
  const stoppedForRepair = new Map(control.data.stoppedForRepair).set(broker, new Set(partitions.map(partitionName)))
  control.update((data) => ({ ...data, stoppedForRepair }), 'now')
  live.change({ stoppedForRepair })
  openPlan(control, { live, ...services }, { title, partitions, ...(onlyWhileDown ? { whileDown: broker } : {}) })
}
