import { type BrokerState, partitionName, type TopicPartition } from '../cluster/snapshot.js'
import { brokerList, count } from '../recovery/wording.js'
import type { AffectedPartition } from './affected-partitions.js'
import { type Gate, gateLines } from './gate.js'
import type { HeldPartitions } from './held-partitions.js'
import type { RestartImpact } from './impact.js'
import type { RepairPhase } from './phase.js'
import type { ReturnProgress } from './progress.js'
import type { RepairCommandName } from './repair-commands.js'

/** keep: the cause is removed, the old directory stays as it is. replace: an empty disk in its place. remove: taken out of log.dirs. */
export type RepairWay = 'keep' | 'replace' | 'remove'
export const REPAIR_WAYS: readonly RepairWay[] = ['keep', 'replace', 'remove']

export type StepId =
  | 'readLog'
  | 'checkDisk'
  | 'note'
  | 'stop'
  | 'elect'
  | 'gate'
  | 'swapDisk'
  | 'format'
  | 'editConfig'
  | 'start'
  | 'watch'

/**
 * done: the cluster shows it, or it needs none. now: to be done next. byHand: whether it was done cannot be seen from here. later: after the one
 * that is now. blocked: must not be done yet.
 */
export type StepStatus = 'done' | 'now' | 'byHand' | 'later' | 'blocked'

/** What to do in a step: this program's own command (words), a command on the broker's host, a line of its configuration, or in words. */
export type StepAction =
  | { readonly kind: 'program'; readonly words: readonly string[] }
  | { readonly kind: 'onHost'; readonly words: readonly string[] }
  | { readonly kind: 'config'; readonly line: string }
  | { readonly kind: 'words'; readonly text: string }

export interface RepairStep {
  readonly id: StepId
  readonly title: string
  readonly why: string
  readonly how: readonly StepAction[]
  /** How to see that it worked. */
  readonly check: string
  /** What the cluster shows of it now; null: nothing. */
  readonly seen: string | null
  readonly status: StepStatus
  /** The profile's command that can do it. */
  readonly command: RepairCommandName | null
  /** Whom an election is needed for. */
  readonly partitions: readonly TopicPartition[]
}

export interface StepsInput {
  readonly broker: number
  readonly path: string
  readonly way: RepairWay
  readonly phase: RepairPhase
  readonly brokerState: BrokerState
  readonly directoryOnline: boolean
  /** It was up with emptied replicas of the directory before: its disk is not the old one any more. */
  readonly seenEmptied: boolean
  readonly held: HeldPartitions
  readonly affected: readonly AffectedPartition[]
  readonly impact: RestartImpact
  readonly gate: Gate
  readonly progress: ReturnProgress
  readonly clusterId: string
  readonly mode: 'kraft' | 'zookeeper' | 'unknown'
  /** log.dirs as far as known; null: not. */
  readonly logDirs: readonly string[] | null
}

/** Partitions for which the best of the others has to be elected while the broker is away: what keeps the gate shut, and somebody else may have. */
export function toElect({ holds }: Gate): TopicPartition[] {
  return holds
    .filter(({ otherCopies }) => otherCopies === 'yes' || otherCopies === 'unknown')
    .map(({ topic, partition }) => ({ topic, partition }))
}

/** Partitions without a leader of which nobody else who was read has a record: the old directory is the only copy. */
export function onlyCopies(affected: readonly AffectedPartition[]): TopicPartition[] {
  return affected
    .filter(({ kind, otherCopies }) => kind === 'leaderless' && otherCopies === 'no')
    .map(({ state: { topic, partition } }) => ({ topic, partition }))
}

/**
 * Which way to take: with partitions that nobody else has the old directory must stay; else a new disk, as it keeps the broker's capacity.
 * After it has happened: the way that it has gone.
 */
export function advisedWay({
  affected,
  phase,
  held,
  seenEmptied,
  gone,
}: Pick<StepsInput, 'affected' | 'phase' | 'held' | 'seenEmptied'> & {
  /** The directory is not among the broker's any more. */
  readonly gone: boolean
}): RepairWay {
  if (gone) return 'remove'
  if ((phase !== 'failed' && phase !== 'away') || seenEmptied) return 'replace'
  // A broker that is only away has its old disks until somebody says otherwise.
  const failed = held.source === 'noted' || held.source === 'derived'
  return onlyCopies(affected).length > 0 || !failed ? 'keep' : 'replace'
}

/** The steps of one way in the safe order, each with where it stands. Pure. */
export function repairSteps(input: StepsInput): RepairStep[] {
  // What was wiped no step brings back.
  if (input.phase === 'wiped') return []
  const all = input.way === 'keep' && input.phase !== 'emptyBack' ? keepSteps(input) : emptyingSteps(input)
  return withStatuses(all)
}

/** Without its status: `ready` is what has to hold before it may be done. */
type Draft = Omit<RepairStep, 'status' | 'partitions'> & {
  readonly partitions?: readonly TopicPartition[]
  /** null: cannot be seen from here. */
  readonly isDone: boolean | null
  readonly isReady: boolean
}

function withStatuses(drafts: readonly Draft[]): RepairStep[] {
  let found = false
  return drafts.map(({ isDone, isReady, partitions = [], ...step }, index) => {
    const rest = drafts.slice(index + 1)
    // What cannot be seen has been done where something after it is.
    const passed = isDone === true || (isDone === null && rest.some((later) => later.isDone === true))
    const status: StepStatus = passed
      ? 'done'
      : !isReady
        ? 'blocked'
        : isDone === null && !found
          ? 'byHand'
          : found
            ? 'later'
            : 'now'
    if (status === 'now' || status === 'blocked') found = true
    return { ...step, partitions, status }
  })
}

const back = ({ phase }: StepsInput) => phase === 'catchingUp' || phase === 'wiped' || phase === 'nothing'
/** It is away: stopped, and not just unheard by the controller. */
const stopped = ({ brokerState }: StepsInput) => brokerState === 'down'

function looking({ broker, path, phase, held }: StepsInput): Draft[] {
  const isFailed = phase === 'failed'
  return [
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
      isDone: true,
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
      isDone: isFailed ? null : true,
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
      isDone: isFailed ? null : true,
      isReady: true,
    },
  ]
}

function stopStep(input: StepsInput): Draft {
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
    ],
    check: `broker ${broker} is down: it is in no metadata and does not answer`,
    seen: `broker ${broker} is ${brokerState}${brokerState === 'fenced' ? ': it still runs, and is not heard by the controller' : ''}. ${cost}`,
    command: 'stop',
    isDone: stopped(input) || back(input),
    isReady: impact.noGoAhead === null,
  }
}

function emptyingSteps(input: StepsInput): Draft[] {
  const { broker, path, way, gate, phase, clusterId, mode, logDirs, seenEmptied } = input
  const elect = toElect(gate)
  const emptied = phase === 'emptyBack' || seenEmptied
  const isBack = back(input)
  const passGate = gate.open || isBack
  const steps: Draft[] = [...looking(input), stopStep(input)]
  steps.push({
    id: 'elect',
    title: 'Elect the best of the others, for exactly these partitions',
    why: `broker ${broker} led them last. Started with an empty directory it would lead them again, with nothing, and every other replica would be cut to nothing (measured).`,
    how:
      elect.length === 0
        ? [{ kind: 'words', text: 'nothing to elect' }]
        : [
            {
              kind: 'words',
              text: 'if another missing broker holds more of them, start that one first, with its old disks (kafka-recovery status tells)',
            },
            { kind: 'program', words: ['repair', '--broker', String(broker), '--log-dir', path, '--run', 'elect'] },
          ],
    check: 'each of them has a leader',
    seen:
      elect.length === 0 ? 'none of them waits for an election' : `${count(elect.length)} to elect: ${namesOf(elect)}`,
    command: null,
    partitions: elect,
    isDone: isBack || (elect.length === 0 && phase !== 'emptyBack'),
    isReady: stopped(input) || isBack,
  })
  steps.push({
    id: 'gate',
    title: `Gate: nothing may take broker ${broker}'s empty log for the leader`,
    why: `Only when no partition without a leader names broker ${broker} in ISR, ELR or last known ELR any more does it return as a follower.`,
    how: gate.holds.some(({ otherCopies }) => otherCopies === 'no')
      ? [
          {
            kind: 'words',
            text: `nobody else has a copy of some: KEEP the old directory as it is, and bring it back (--way keep), or copy it to the new disk. Giving them up is done by name: --write-off TOPIC-PARTITION`,
          },
        ]
      : [{ kind: 'words', text: 'this program looks each time' }],
    check: 'the gate is open',
    seen: gateLines(gate, broker).join('; '),
    command: null,
    isDone: passGate,
    isReady: true,
  })
  if (emptied) return [...steps, startStep(input, passGate), watchStep(input)]
  if (way === 'replace') {
    steps.push({
      id: 'swapDisk',
      title: `Replace the disk of ${path}`,
      why: 'The pulled disk may hold the only copy of what was never replicated: keep it, unformatted, until everything is in sync and checked.',
      how: [
        {
          kind: 'words',
          text: `mount the new disk at ${path}: empty, owned by the user that Kafka runs as. Label the old one with broker, path and date, and keep it`,
        },
      ],
      check: `${path} is there, empty and writable`,
      seen: null,
      command: null,
      isDone: isBack ? true : null,
      isReady: passGate,
    })
    if (mode !== 'zookeeper') {
      steps.push({
        id: 'format',
        title: 'Format the new directory',
        why: 'A KRaft broker refuses to start with a directory that has no meta.properties. --ignore-formatted leaves the others as they are.',
        how: [
          {
            kind: 'onHost',
            words: [
              'kafka-storage.sh',
              'format',
              '--ignore-formatted',
              '--cluster-id',
              clusterId,
              '--config',
              'SERVER.PROPERTIES',
            ],
          },
        ],
        check: `${path}/meta.properties is there`,
        seen: null,
        command: null,
        isDone: isBack ? true : null,
        isReady: passGate,
      })
    }
  } else {
    const left = logDirs?.filter((dir) => dir !== path) ?? null
    steps.push({
      id: 'editConfig',
      title: `Take ${path} out of log.dirs`,
      why: 'The broker makes the lost replicas anew in its other directories: they need the room. The old directory must not come back later: the broker would not start ("Duplicate log directories").',
      how: [
        left === null
          ? { kind: 'words', text: `in the broker's server.properties take ${path} out of log.dirs` }
          : left.length === 0
            ? {
                kind: 'words',
                text: `${path} is its only directory: a broker needs one. Replace the disk instead (--way replace)`,
              }
            : { kind: 'config', line: `log.dirs=${left.join(',')}` },
      ],
      check: 'server.properties names the other directories only',
      seen: logDirs === null ? null : `the broker told log.dirs=${logDirs.join(',')}`,
      command: null,
      isDone: isBack ? true : null,
      isReady: passGate && (left === null || left.length > 0),
    })
  }
  return [...steps, startStep(input, passGate), watchStep(input)]
}

function keepSteps(input: StepsInput): Draft[] {
  const { broker, path, phase, brokerState, directoryOnline, seenEmptied } = input
  const done = brokerState === 'up' && directoryOnline && phase !== 'failed'
  return [
    ...looking(input),
    {
      id: 'swapDisk',
      title: 'Remove the cause, and leave the directory as it is',
      why: 'Nothing is made anew then, and what only this directory holds comes back with it.',
      how: [
        {
          kind: 'words',
          text: `make room, mend rights or the mount. If the disk is going bad: copy all of ${path}, meta.properties included, to a new one (ddrescue, then rsync -a) and mount that in its place. Do NOT format it`,
        },
      ],
      check: `${path} has its old contents and can be written`,
      seen: null,
      command: null,
      isDone: done ? true : null,
      isReady: true,
    },
    {
      id: 'start',
      title: `Restart broker ${broker}`,
      why: 'A broker takes a failed directory back only with a restart.',
      how: [
        { kind: 'onHost', words: ['kafka-server-stop.sh'] },
        { kind: 'onHost', words: ['kafka-server-start.sh', '-daemon', 'SERVER.PROPERTIES'] },
      ],
      check: `broker ${broker} is up, ${path} is online`,
      seen: `broker ${broker} is ${brokerState}. ${seenEmptied ? 'It was up with EMPTIED replicas of this directory before: only once the old disk is back in its place, else it wipes the others' : costText(input.impact)}`,
      command: brokerState === 'up' ? 'restart' : 'start',
      isDone: done,
      isReady: input.impact.noGoAhead === null && input.gate.alarms.length === 0 && !seenEmptied,
    },
    watchStep(input),
  ]
}

function startStep(input: StepsInput, passGate: boolean): Draft {
  const { broker, brokerState } = input
  return {
    id: 'start',
    title: `Start broker ${broker}`,
    why: 'It returns as a follower, and makes the lost replicas anew from their leaders.',
    how: [{ kind: 'onHost', words: ['kafka-server-start.sh', '-daemon', 'SERVER.PROPERTIES'] }],
    check: `broker ${broker} is up and unfenced`,
    seen: `broker ${broker} is ${brokerState}`,
    command: 'start',
    isDone: back(input),
    isReady: passGate,
  }
}

function watchStep({ broker, path, progress, phase, held }: StepsInput): Draft {
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

function costText({ away, goesOffline, underMinIsr, minIsrUnknown, changesLeader }: RestartImpact): string {
  if (away) return 'What its absence takes has happened already.'
  return `Cost while it is away: ${count(goesOffline.length)} more offline, ${count(underMinIsr.length)}${minIsrUnknown.length > 0 ? ' or more' : ''} under min ISR, ${count(changesLeader.length)} change their leader.`
}

const NAMED = 5
function namesOf(partitions: readonly TopicPartition[]): string {
  const names = partitions.slice(0, NAMED).map(partitionName)
  const rest = partitions.length - names.length
  return `${names.join(' ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`
}

/** What must not be done while the old directory is the only copy; empty: it is not. */
export function keepLines(affected: readonly AffectedPartition[], path: string): string[] {
  const only = onlyCopies(affected)
  const unknown = affected.filter(({ kind, otherCopies }) => kind === 'leaderless' && otherCopies === 'unknown')
  const unread = [...new Set(unknown.flatMap((one) => one.unread))].sort((a, b) => a - b)
  return [
    ...(only.length === 0
      ? []
      : [
          `KEEP ${path} as it is, and do not format it: ${namesOf(only)} ${only.length === 1 ? 'has' : 'have'} no copy anywhere else`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `Keep ${path} until ${brokerList(unread)} ${unread.length === 1 ? 'was' : 'were'} read: whether ${count(unknown.length)} ${unknown.length === 1 ? 'partition has' : 'partitions have'} a copy there is not known`,
        ]),
  ]
}
