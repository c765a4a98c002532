import { REPAIR_WAYS, type RepairWay } from '../../repair/repair-step.js'
import { stepsOf } from '../../repair/use-cases/read-repair-steps.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { clockText } from '../layout/amounts.js'
import { wrapSentence } from '../layout/wrap.js'
import { changeRepair, type RepairState } from './repair-state.js'

type Control = ConsoleControl<ConsoleData>

/**
 * The next way, by the operator. To keep a directory that was seen emptied is refused: an emptied log is not the old disk. Once its broker is
 * stopped the operator may type that the old disk is back, which opens no gate.
 */
export async function chooseNextWay(control: Control, state: RepairState): Promise<void> {
  const { repair, broker, path } = state
  if (repair === null) return
  const next = after(repair.way)
  const { seenEmptiedAt, brokerState, phase } = repair.reading
  if (next !== 'keep' || (seenEmptiedAt === null && phase !== 'emptyBack')) return take(control, state, next, false)
  const at = clockText(seenEmptiedAt ?? repair.reading.snapshot.readAt)
  const seen = `Not "keep the directory": its log was seen EMPTY at ${at}, which is not the old disk`
  if (brokerState !== 'down') {
    control.notice(`${seen}. Stop broker ${broker} first`, 'warning')
    return take(control, state, after(next), false)
  }
  const text = `the old disk of broker ${broker} is back`
  const typed = await control.ask({
    label: `Type: ${text}`,
    expected: text,
    body: [
      ...wrapSentence(
        `The log in ${path} was seen EMPTY at ${at}: an emptied log is not the old disk. Keep the directory only if you have put the OLD disk back in its place: nobody sees that from here. The broker is started through the gate all the same.`,
        58,
      ),
    ],
  })
  if (typed === null) control.notice(seen, 'warning')
  take(control, state, typed === null ? after(next) : next, typed !== null)
}

function after(way: RepairWay): RepairWay {
  return REPAIR_WAYS[(REPAIR_WAYS.indexOf(way) + 1) % REPAIR_WAYS.length] ?? way
}

/** Whoever was asked may have taken minutes: by what is known now. */
function take(control: Control, target: RepairState, way: RepairWay, oldDiskBack: boolean): void {
  changeRepair(control, target, (now) => {
    if (now.repair === null) return now
    // Meanwhile it was seen with an empty log again.
    if (way === 'keep' && oldDiskBack && now.repair.reading.brokerState !== 'down') return now
    const made = stepsOf(now.repair.reading, way, { before: now.repair.taken, oldDiskBack })
    return { ...now, way, oldDiskBack, repair: { ...now.repair, ...made } }
  })
}
