import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import type { ConsoleServices } from '../services.js'
import { changeRepair, type RepairState } from './repair-state.js'

type Control = ConsoleControl<ConsoleData>

/** The operator gives these up: they keep the gate shut no longer. Wants the name typed, or how many of which place. */
export async function writeOff(
  control: Control,
  { repairs }: ConsoleServices,
  state: RepairState,
  partitions: readonly TopicPartition[],
): Promise<void> {
  const [first] = partitions
  if (first === undefined) return
  const text =
    partitions.length === 1
      ? `write off ${partitionName(first)}`
      : `write off ${partitions.length} ${control.data.place.name}`
  const typed = await control.ask({
    label: `Type: ${text}`,
    expected: text,
    body: [
      ...wrapSentence(
        `${partitions.length === 1 ? 'This partition' : `These ${wholeNumber(partitions.length)} partitions`} will not keep broker ${state.broker} from starting with ${state.path} emptied. What only that directory holds of ${partitions.length === 1 ? 'it' : 'them'} is LOST then, and other copies may be wiped.`,
        58,
      ),
      ...partitions.map((one): Line => [span('danger', partitionName(one))]),
    ],
  })
  if (typed === null) return
  const names = partitions.map(partitionName)
  changeRepair(control, state, (now) => ({ ...now, writtenOff: new Set([...now.writtenOff, ...names]) }))
  await repairs.keeper.readNow(control, state)
}

/** Takes all of it back. */
export async function takeBackWriteOffs(
  control: Control,
  { repairs }: ConsoleServices,
  state: RepairState,
): Promise<void> {
  changeRepair(control, state, (now) => ({ ...now, writtenOff: new Set() }))
  await repairs.keeper.readNow(control, state)
}
