import { brokerList, count } from '../text/wording.js'
import type { AffectedPartition } from './affected-partitions.js'
import { costText, lookingSteps, watchStep } from './common-steps.js'
import { emptyingSteps } from './emptying-steps.js'
import {
  firstNames,
  onlyCopies,
  type RepairStep,
  type StepDraft,
  type StepStatus,
  type StepsInput,
} from './repair-step.js'

/** The steps of one way in the safe order, each with where it stands. Pure. */
export function repairSteps(input: StepsInput): RepairStep[] {
  // What was wiped no step brings back; and where nothing is to be repaired none was seen to be done.
  if (input.phase === 'wiped' || input.phase === 'nothing') return []
  const isEmptied = input.phase === 'emptyBack' || input.seenEmptiedAt !== null
  const all = input.way === 'keep' && !isEmptied ? keepSteps(input) : emptyingSteps(input)
  return withStatuses(all)
}

/** Seen as done they show that what stands before them is not to be done any more: an election or a gate may be done because none was needed. */
const SHOWS_EARLIER: ReadonlySet<RepairStep['id']> = new Set(['stop', 'start', 'watch'])

function withStatuses(drafts: readonly StepDraft[]): RepairStep[] {
  let found = false
  return drafts.map(({ isDone, isReady, alreadyAt, partitions = [], ...step }, index) => {
    const rest = drafts.slice(index + 1)
    // What cannot be seen is behind us where something after it is done; that is no evidence that anybody did it.
    const passed = isDone === null && rest.some((later) => later.isDone === true && SHOWS_EARLIER.has(later.id))
    const status: StepStatus =
      alreadyAt !== undefined
        ? 'already'
        : isDone === true
          ? 'done'
          : passed
            ? 'unseen'
            : !isReady
              ? 'blocked'
              : isDone === null && !found
                ? 'byHand'
                : found
                  ? 'later'
                  : 'now'
    if (status === 'now' || status === 'blocked') found = true
    return { ...step, partitions, seenAt: alreadyAt ?? null, status }
  })
}

function keepSteps(input: StepsInput): StepDraft[] {
  const { broker, path, phase, brokerState, directoryOnline } = input
  const done = brokerState === 'up' && directoryOnline && phase !== 'failed'
  return [
    ...lookingSteps(input),
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
      isDone: null,
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
      seen: `broker ${broker} is ${brokerState}. ${costText(input.impact)}`,
      command: brokerState === 'up' ? 'restart' : 'start',
      isDone: done,
      isReady: input.impact.noGoAhead === null && input.gate.alarms.length === 0,
    },
    watchStep(input),
  ]
}

/** What must not be done while the old directory is the only copy; empty: it is not. */
export function keepLines(affected: readonly AffectedPartition[], path: string, emptied: boolean): string[] {
  const what = emptied ? `the disk that was at ${path} before` : path
  const only = onlyCopies(affected)
  const unknown = affected.filter(({ kind, otherCopies }) => kind === 'leaderless' && otherCopies === 'unknown')
  const unread = [...new Set(unknown.flatMap((one) => one.unread))].sort((a, b) => a - b)
  return [
    ...(only.length === 0
      ? []
      : [
          `KEEP ${what} as it is, and do not format it: ${firstNames(only)} ${only.length === 1 ? 'has' : 'have'} no copy anywhere else`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `Keep ${what} until ${brokerList(unread)} ${unread.length === 1 ? 'was' : 'were'} read: whether ${count(unknown.length)} ${unknown.length === 1 ? 'partition has' : 'partitions have'} a copy there is not known`,
        ]),
  ]
}
