import { count } from '../text/wording.js'
import type { RestartImpact } from './impact.js'
import { otherFailedLines } from './other-failed.js'
import type { StepDraft, StepsInput } from './repair-step.js'

/** Steps that every way has. */

/** It is up again, and what its directory lost is made anew or being so. */
export const isBack = ({ phase }: StepsInput) => phase === 'catchingUp' || phase === 'wiped' || phase === 'nothing'
/** It is away: stopped, and not just unheard by the controller. */
export const isStopped = ({ brokerState }: StepsInput) => brokerState === 'down'

/** Before anything is touched. */
export function lookingSteps(input: StepsInput): StepDraft[] {
  const { broker, path, phase, held, seenEmptiedAt } = input
  const steps: StepDraft[] = [
    {
      id: 'note',
      title: 'Have the affected partitions noted',
      why: 'Once the broker is stopped nobody can tell which partitions were in the directory.',
      how: [{ kind: 'words', text: 'this program does it by itself whenever it looks at the directory' }],
      check: 'they are listed above',
      seen:
        held.source === 'unknown'
          ? 'nothing was noted: every leaderless partition of this broker will be counted'
          : `${count(held.partitions.length)} noted${held.exact ? '' : ', some of which may have been in another failed directory'}`,
      command: null,
      isDone: held.source === 'unknown' ? null : true,
      isReady: true,
    },
    {
      id: 'readLog',
      title: `Read the log of broker ${broker}`,
      why: `The broker reports ${path} offline; its own log tells why: a full disk, rights, a file in the way, or a bad disk. Without a restart it never takes it back, whatever is mended.`,
      how: [
        {
          kind: 'words',
          text: `server.log of broker ${broker}: look for "Error while" and ${path}, and the first I/O error before it`,
        },
      ],
      check: 'you know whether the disk itself is bad',
      seen: null,
      command: null,
      isDone: null,
      isReady: true,
    },
    {
      id: 'checkDisk',
      title: 'Check the disk',
      why: 'A disk that is good keeps the data: then only the cause has to be removed, and nothing is made anew.',
      how: [
        { kind: 'onHost', words: ['df', '-h', path] },
        { kind: 'onHost', words: ['dmesg', '--level=err,warn'] },
      ],
      check: 'the directory can be read and written by the user that Kafka runs as, and has room',
      seen: null,
      command: 'checkDisk',
      isDone: null,
      isReady: true,
    },
  ]
  // An emptied directory was not seen to fail, and its disk is not the one that may have.
  const isEmptied = phase === 'emptyBack' || seenEmptiedAt !== null
  return isEmptied ? steps.filter(({ id }) => id === 'note') : steps
}

/**
 * Measured on 4.4.0, 12 partitions in state Z for each signal: neither signal alone touched any. Touched after the end of the process, before the session
 * had run out: 12 of 12 led by the dead broker after SIGKILL, none after SIGTERM (test/kafka/repair-state-z.test.ts).
 */
const WHY_SIGTERM =
  'SIGTERM tells the controller at once. After SIGKILL it takes the broker for alive until its session runs out (broker.session.timeout.ms, 9 s), and may still make it leader. Only if SIGTERM does not end it within seconds: SIGKILL, and start nothing before it is fenced'

export function stopStep(input: StepsInput): StepDraft {
  const { broker, brokerState, impact, phase } = input
  const cost = costText(impact)
  const urgent = phase === 'emptyBack'
  return {
    id: 'stop',
    title: urgent
      ? `Stop broker ${broker} AT ONCE, and whatever restarts it`
      : `Stop broker ${broker}, and whatever restarts it`,
    why: urgent
      ? 'It is up with emptied replicas that Kafka may make leader at any moment, which wipes the good ones. Start no other broker before it is stopped.'
      : 'The directory comes back only with a restart; and the steps after this one are safe only while the broker is away.',
    how: [
      {
        kind: 'words',
        text: 'switch off what starts it again (systemd, Kubernetes, a watchdog), then end it with SIGTERM',
      },
      { kind: 'onHost', words: ['kafka-server-stop.sh'] },
      ...(urgent ? [{ kind: 'words', text: WHY_SIGTERM } as const] : []),
    ],
    check: `broker ${broker} is down: it is in no metadata and does not answer`,
    seen: `broker ${broker} is ${brokerState}${brokerState === 'fenced' ? ': it still runs, and is not heard by the controller' : ''}. ${cost}`,
    command: 'stop',
    isDone: isStopped(input) || isBack(input),
    isReady: impact.noGoAhead === null,
  }
}

export function startStep(input: StepsInput, passGate: boolean): StepDraft {
  const { broker, brokerState } = input
  return {
    id: 'start',
    title: `Start broker ${broker}`,
    why: 'It returns as a follower, and makes the lost replicas anew from their leaders.',
    how: [{ kind: 'onHost', words: ['kafka-server-start.sh', '-daemon', 'SERVER.PROPERTIES'] }],
    check: `broker ${broker} is up and unfenced`,
    seen: [`broker ${broker} is ${brokerState}`, ...otherFailedLines(input.otherFailed ?? [], broker)].join('; '),
    command: 'start',
    isDone: isBack(input),
    isReady: passGate,
  }
}

export function watchStep({ broker, path, progress, phase, held }: StepsInput): StepDraft {
  return {
    id: 'watch',
    title: 'Watch the return until all replicas are in sync',
    why: 'Until then the others are the only complete copies: stop none of them.',
    how: [{ kind: 'program', words: ['repair', '--broker', String(broker), '--log-dir', path, '--watch'] }],
    check: 'every replica that was in the directory is in the ISR again',
    seen: `${count(progress.inSync)} of ${count(held.partitions.length)} in sync`,
    command: null,
    isDone: phase === 'nothing',
    isReady: true,
  }
}

export function costText(impact: RestartImpact): string {
  if (impact.away) return 'What its absence takes has happened already.'
  return `Cost while it is away: ${costNumbers(impact)}.`
}

/** How many partitions are in which case while the broker is away. */
export function costNumbers({ goesOffline, underMinIsr, minIsrUnknown, changesLeader }: RestartImpact): string {
  return `${count(goesOffline.length)} more offline, ${count(underMinIsr.length)}${minIsrUnknown.length > 0 ? ' or more' : ''} under min ISR, ${count(changesLeader.length)} change their leader`
}
