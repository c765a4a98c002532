import { type BrokerState, partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import { findPartition } from '../../../recovery/diagnosis/diagnosis.js'
import type { Alarm } from '../../../recovery/returns/alarms.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'

export type StepId = 'stop' | 'wait' | 'plan' | 'gate' | 'start' | 'read' | 'quorum'

/** One thing to do, and how far it is, by what was read last. */
export interface Step {
  readonly id: StepId
  /** What to do; of a step that is done what has come of it. */
  readonly text: string
  /** done: it is so now. now: this is next. later: not before those above it are done. */
  readonly state: 'done' | 'now' | 'later'
  /** What is seen of it, where that is not in the text. */
  readonly seen: string | null
}

/** Where an alarm has come to. */
export type AlarmStage =
  /** Its broker is up and may become leader at any moment. */
  | 'stands'
  /** Its broker is away, and some of its partitions have no leader. */
  | 'stopped'
  /** All have a leader, others than its broker, which is still away. */
  | 'elected'
  /** The same, and its broker is up again. */
  | 'over'
  /** What it warned of: its broker leads some of them. */
  | 'cameTrue'
  /** Its broker is up, and the alarm is gone though somewhat has no leader: its log is another now, or its roles are. */
  | 'gone'

/** How far the alarm's partitions and its broker are, by what was read last. */
export interface AlarmProgress {
  readonly stage: AlarmStage
  readonly broker: number
  readonly host: string | null
  readonly state: BrokerState
  readonly total: number
  readonly led: number
  /** Led by its own broker. */
  readonly ledByIt: readonly TopicPartition[]
}

/** Null: an alarm about the whole cluster. */
export function alarmProgress(
  { broker, code, partitions }: Alarm,
  { watched, diagnosis }: ConsoleData,
): AlarmProgress | null {
  if (broker === null) return null
  const states = watched.snapshot?.partitions ?? []
  const led = partitions.flatMap((one) => {
    const state = findPartition(states, one)
    return state === undefined || state.leader === null ? [] : [state]
  })
  const ledByIt = led.filter(({ leader }) => leader === broker)
  const seen = watched.snapshot?.brokers.find(({ id }) => id === broker)
  const state = seen?.state ?? 'down'
  const elected = partitions.length > 0 && led.length === partitions.length
  const stands = diagnosis?.alarms.some((alarm) => alarm.code === code && alarm.broker === broker) === true
  const stage =
    ledByIt.length > 0
      ? 'cameTrue'
      : elected
        ? state === 'up'
          ? 'over'
          : 'elected'
        : state !== 'up'
          ? 'stopped'
          : stands
            ? 'stands'
            : 'gone'
  return { stage, broker, host: seen?.host ?? null, state, total: partitions.length, led: led.length, ledByIt }
}

/** Where it stands, in one or two sentences; what is done is told as done. */
export function stageText({ stage, broker, state, total, led, ledByIt }: AlarmProgress): string {
  const all = total === 1 ? 'its partition is' : `all ${wholeNumber(total)} of its partitions are`
  switch (stage) {
    case 'stands':
      return `The alarm about broker ${broker} STANDS.`
    case 'stopped':
      return `Broker ${broker} is ${state}: the danger waits until it is started. ${wholeNumber(led)} of ${wholeNumber(total)} have a leader: elect ${total - led === 1 ? 'the one that has none' : 'the others'} before.`
    case 'elected':
      return `The alarm about broker ${broker} is over: ${all} led by others. What is left: start ${broker} again.`
    case 'over':
      return `The alarm about broker ${broker} is over: ${all} led by others, and ${broker} is up as a follower. Nothing is left to do.`
    case 'cameTrue': {
      const names = ledByIt.slice(0, 3).map(partitionName).join(', ')
      const more = ledByIt.length > 3 ? ` and ${wholeNumber(ledByIt.length - 3)} more` : ''
      return `What the alarm warned of has HAPPENED: broker ${broker} leads ${names}${more}. Others cut their logs to its own: stop none of them, and keep their disks as they are.`
    }
    case 'gone':
      return `This alarm about broker ${broker} does not stand any more, though ${wholeNumber(total - led)} of ${wholeNumber(total)} have no leader: its log or its roles are others now. See what can be done in [1].`
  }
}

/** The steps that lead out of an alarm. What is done follows from what was read, never from what was clicked. */
export function alarmSteps(alarm: Alarm, data: ConsoleData): Step[] {
  const progress = alarmProgress(alarm, data)
  if (alarm.code === 'noQuorum' || progress === null) {
    return [
      {
        id: 'quorum',
        state: 'now',
        text: 'Bring a majority of the controllers back. Until then nothing can be elected, and nothing is sent.',
        seen: alarm.text,
      },
    ]
  }
  const { stage, broker, host, state, total, led } = progress
  if (stage === 'cameTrue' || stage === 'gone') return []
  const name = host === null ? `broker ${broker}` : `broker ${broker} (${host})`
  const elected = stage === 'elected' || stage === 'over'
  const away = stage === 'stopped' || stage === 'elected'
  const done = away || elected
  const these = total === 1 ? 'this one' : `these ${wholeNumber(total)}`
  const read: Step[] =
    alarm.code === 'unreadLogMayLead'
      ? [
          done
            ? { id: 'read', state: 'done', text: `The logs of ${name} were not read while it was up.`, seen: null }
            : {
                id: 'read',
                state: 'now',
                text: `Read the logs of ${name} first (ctrl-r): it may be slow rather than behind. Only if it holds less, or cannot be read: go on.`,
                seen: `its logs of ${these} were not read`,
              },
        ]
      : []
  return [
    ...read,
    done
      ? {
          id: 'stop',
          state: 'done',
          text: !away
            ? `${capital(name)} was stopped.`
            : `${capital(name)} is stopped.${elected ? '' : ' Start no other broker.'}`,
          seen: null,
        }
      : {
          id: 'stop',
          state: 'now',
          text: `Stop ${name} NOW, and whatever restarts it (systemd, Kubernetes). Start no other broker.`,
          seen: `broker ${broker} is up`,
        },
    done
      ? {
          id: 'wait',
          state: 'done',
          text: away
            ? `It is ${state === 'fenced' ? 'fenced' : 'out of the metadata'}: it can become no leader.`
            : 'It was fenced, so it could become no leader.',
          seen: null,
        }
      : {
          id: 'wait',
          state: 'later',
          text: 'Wait until it is fenced: some 9 s after a kill, at once after a clean stop.',
          seen: null,
        },
    elected
      ? {
          id: 'plan',
          state: 'done',
          text: `${total === 1 ? 'It has' : `All ${wholeNumber(total)} have`} a leader.`,
          seen: null,
        }
      : {
          id: 'plan',
          state: away ? 'now' : 'later',
          text: `Plan exactly ${these}, and elect (enter: opens the plan).`,
          seen: away ? `${wholeNumber(led)} of ${wholeNumber(total)} have a leader` : null,
        },
    elected
      ? {
          id: 'gate',
          state: 'done',
          text: 'The gate was passed: everything was read again before each write.',
          seen: null,
        }
      : {
          id: 'gate',
          state: away ? 'now' : 'later',
          text: `Gate: everything is read again before each write. While broker ${broker} is up nothing is sent for ${total === 1 ? 'it' : 'these'}.`,
          seen: away ? 'open' : null,
        },
    stage === 'over'
      ? {
          id: 'start',
          state: 'done',
          text: `Broker ${broker} is up again, as a follower: all are led by others.`,
          seen: null,
        }
      : {
          id: 'start',
          state: stage === 'elected' ? 'now' : 'later',
          text: `Start ${broker} again, ${elected ? 'now that' : 'when'} all of these have a leader: it comes back as a follower, and copies from them.`,
          seen: null,
        },
  ]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
