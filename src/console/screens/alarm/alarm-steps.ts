import { type PartitionState, partitionName } from '../../../cluster/snapshot.js'
import type { Alarm } from '../../../recovery/alarms.js'
import { findPartition } from '../../../recovery/diagnosis.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'

export type StepId = 'stop' | 'wait' | 'plan' | 'gate' | 'start' | 'read' | 'quorum'

/** One thing to do, and how far it is, by what was read last. */
export interface Step {
  readonly id: StepId
  readonly text: string
  /** done: it is so now. now: this is next. later: not before those above it are done. */
  readonly state: 'done' | 'now' | 'later'
  /** What was seen: "broker 4 is up". */
  readonly seen: string
}

/** Of the alarm's partitions: how many have a leader by now, and how many are gone. */
export function alarmProgress({ partitions }: Alarm, { watched }: ConsoleData) {
  const states = watched.snapshot?.partitions ?? []
  const found = partitions.map((one) => findPartition(states, one))
  const led = found.filter((state): state is PartitionState => state !== undefined && state.leader !== null)
  return {
    total: partitions.length,
    led: led.length,
    missing: found.filter((state) => state === undefined).length,
    leaders: led,
  }
}

/** The steps that lead out of an alarm. What is done follows from what was read, never from what was clicked. */
export function alarmSteps(alarm: Alarm, data: ConsoleData): Step[] {
  const { broker, code } = alarm
  if (code === 'noQuorum' || broker === null) {
    return [
      {
        id: 'quorum',
        state: 'now',
        text: 'Bring a majority of the controllers back. Until then nothing can be elected, and nothing is sent.',
        seen: alarm.text,
      },
    ]
  }
  const { total, led } = alarmProgress(alarm, data)
  const state = data.watched.snapshot?.brokers.find(({ id }) => id === broker)?.state ?? 'down'
  const away = state !== 'up'
  const elected = total > 0 && led === total
  const host = data.watched.snapshot?.brokers.find(({ id }) => id === broker)?.host ?? null
  const name = host === null ? `broker ${broker}` : `broker ${broker} (${host})`
  const many = `${wholeNumber(total)} ${total === 1 ? 'partition' : 'partitions'}`
  const read: Step[] =
    code === 'unreadLogMayLead'
      ? [
          {
            id: 'read',
            state: away || elected ? 'done' : 'now',
            text: `Read the logs of ${name} first (ctrl-r): it may be slow rather than behind. Only if it holds less, or cannot be read: go on.`,
            seen: away ? `broker ${broker} is ${state}` : `its logs of ${many} were not read`,
          },
        ]
      : []
  return [
    ...read,
    {
      id: 'stop',
      state: away || elected ? 'done' : 'now',
      text: `Stop ${name} NOW, and whatever restarts it (systemd, Kubernetes). Start no other broker.`,
      seen: `broker ${broker} is ${state}`,
    },
    {
      id: 'wait',
      state: away || elected ? 'done' : 'later',
      text: 'Wait until it is fenced: some 9 s after a kill, at once after a clean stop.',
      seen: away ? `broker ${broker} is ${state === 'fenced' ? 'fenced' : 'out of the metadata'}` : 'not yet',
    },
    {
      id: 'plan',
      state: elected ? 'done' : away ? 'now' : 'later',
      text: `Plan exactly ${total === 1 ? 'this one' : `these ${wholeNumber(total)}`}, and elect (enter: opens the plan).`,
      seen: elected
        ? `all ${wholeNumber(total)} have a leader`
        : `${wholeNumber(led)} of ${wholeNumber(total)} have a leader`,
    },
    {
      id: 'gate',
      state: elected ? 'done' : away ? 'now' : 'later',
      text: `Gate: everything is read again before each write. While broker ${broker} is up nothing is sent for these.`,
      seen: away ? 'open' : 'closed',
    },
    {
      id: 'start',
      state: elected ? (away ? 'now' : 'done') : 'later',
      text: `Start ${broker} again, when all of these have a leader: it comes back as a follower, and copies from them.`,
      seen: elected ? leadersText(alarm, data) : 'not before',
    },
  ]
}

/** "orders-3 is led by 2, ...": whom the alarm's broker would follow; and what it led in spite of all. */
function leadersText(alarm: Alarm, data: ConsoleData): string {
  const { leaders } = alarmProgress(alarm, data)
  const own = leaders.filter(({ leader }) => leader === alarm.broker)
  if (own.length > 0) {
    const names = own.slice(0, 3).map(partitionName).join(', ')
    return `broker ${alarm.broker} itself leads ${names}${own.length > 3 ? ` and ${wholeNumber(own.length - 3)} more` : ''}`
  }
  return 'all are led by others'
}
