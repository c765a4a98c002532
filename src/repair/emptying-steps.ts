import { count } from '../text/wording.js'
import { isBack, isStopped, lookingSteps, startStep, stopStep, watchStep } from './common-steps.js'
import { gateLines } from './gate.js'
import { otherFailedLines } from './other-failed.js'
import { firstNames, type StepDraft, type StepsInput, toElect } from './repair-step.js'

/** With an empty disk in the directory's place, or without the directory: what was in it is made anew from others. */
export function emptyingSteps(input: StepsInput): StepDraft[] {
  const { broker, path, way, gate, phase, clusterId, mode, logDirs, progress } = input
  const elect = toElect(gate)
  const emptied = phase === 'emptyBack' || input.seenEmptiedAt !== null
  const returned = isBack(input)
  const passGate = gate.open || returned
  // One start brings all directories back, with whatever is in them.
  const passAllGates = returned || (passGate && (input.otherFailed ?? []).every(({ holds }) => holds === 0))
  const steps: StepDraft[] = [...lookingSteps(input), stopStep(input)]
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
      elect.length === 0
        ? 'none of them waits for an election'
        : `${count(elect.length)} to elect: ${firstNames(elect)}`,
    command: null,
    partitions: elect,
    isDone: returned || (elect.length === 0 && phase !== 'emptyBack'),
    isReady: isStopped(input) || returned,
  })
  steps.push({
    id: 'gate',
    title: `Gate: nothing may take broker ${broker}'s empty log for the leader`,
    why: `Only when no partition without a leader names broker ${broker} in ISR, ELR or last known ELR any more does it return as a follower.`,
    how: gate.holds.some(({ otherCopies }) => otherCopies === 'no')
      ? [
          {
            kind: 'words',
            text: `nobody else has a copy of some: ${emptied ? 'only the disk that was there before may have it: KEEP it as it is, unformatted' : 'KEEP the old directory as it is, and bring it back (--way keep), or copy it to the new disk'}. Giving them up is done by name: --write-off TOPIC-PARTITION`,
          },
        ]
      : [{ kind: 'words', text: 'this program looks each time' }],
    check: 'the gate is open',
    seen: [...gateLines(gate, broker), ...otherFailedLines(input.otherFailed ?? [], broker)].join('; '),
    command: null,
    isDone: passGate,
    isReady: true,
  })
  if (emptied && way !== 'remove')
    return [...steps, ...emptiedSteps(input, passGate), ...startEmptied(input, passAllGates)]
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
      isDone: null,
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
        isDone: null,
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
      isDone: progress.directory === 'missing' ? true : null,
      isReady: passGate && (left === null || left.length > 0),
    })
  }
  return [...steps, startStep(input, passAllGates), watchStep(input)]
}

/** What stands between the gate and the start where the directory was seen emptied: nobody saw how, and its log is the evidence that it was. */
function emptiedSteps(
  { path, broker, way, seenEmptiedAt, oldDiskBack, mode, progress }: StepsInput,
  passGate: boolean,
): StepDraft[] {
  const at = seenEmptiedAt ?? progress.at
  if (way === 'keep') {
    return [
      {
        id: 'swapDisk',
        title: `Put the old disk back at ${path}`,
        why: `${AN_EMPTIED_LOG}. Only the old disk, with its meta.properties, has what was in it; its broker is started through the gate all the same.`,
        how: [
          {
            kind: 'words',
            text: `with broker ${broker} down, mount the old disk at ${path}, and say so (w, then the text)`,
          },
        ],
        check: `${path} has its old contents and can be written`,
        seen: oldDiskBack === true ? 'you typed that it is back; that is not seen from here' : 'its log was seen empty',
        command: null,
        isDone: null,
        isReady: passGate && oldDiskBack === true,
      },
    ]
  }
  const replaced: StepDraft = {
    id: 'swapDisk',
    title: `Replace the disk of ${path}`,
    why: `Nobody saw it done from here. ${AN_EMPTIED_LOG}: that is the evidence that the disk was replaced, or emptied. Keep the old one, unformatted.`,
    how: [{ kind: 'words', text: 'nothing more: it has happened. Label the old disk with broker, path and date' }],
    check: `${path} is there and writable`,
    seen: 'its log was seen empty',
    command: null,
    isDone: null,
    isReady: true,
    alreadyAt: at,
  }
  if (mode === 'zookeeper') return [replaced]
  const formatted: StepDraft = {
    id: 'format',
    title: 'Format the new directory',
    why: 'A KRaft broker refuses to start with a directory that has no meta.properties, and this one was up with it.',
    how: [{ kind: 'words', text: `nothing, as long as ${path} is the directory that broker ${broker} was up with` }],
    check: `${path}/meta.properties is there`,
    seen: `broker ${broker} was up with this directory`,
    command: null,
    isDone: null,
    isReady: true,
    alreadyAt: at,
  }
  return mode === 'kraft' ? [replaced, formatted] : [replaced]
}

const AN_EMPTIED_LOG = 'An emptied log is not the old disk'

/** With the old disk only by the operator's word; and never past the gate. */
function startEmptied(input: StepsInput, passAllGates: boolean): StepDraft[] {
  const refused = input.way === 'keep' && input.oldDiskBack !== true
  const start = startStep(input, passAllGates && !refused)
  const why = refused ? `; it was seen with an EMPTY log: ${AN_EMPTIED_LOG.toLowerCase()}` : ''
  return [{ ...start, seen: `${start.seen ?? ''}${why}` }, watchStep(input)]
}
