import type { TopicPartition } from '../../cluster/snapshot.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { AffectedPartition } from '../../repair/affected-partitions.js'
import { standingText } from '../../repair/diagnosis.js'
import { gateLines } from '../../repair/gate.js'
import type { HeldPartitions } from '../../repair/held-partitions.js'
import type { RestartImpact } from '../../repair/impact.js'
import { type ReturnProgress, shareCaughtUp } from '../../repair/progress.js'
import type { RepairStep, RepairWay, StepAction } from '../../repair/repair-step.js'
import { endText } from '../../repair/run-command.js'
import type { RunRecord } from '../../repair/run-records.js'
import { keepLines } from '../../repair/steps.js'
import type { RepairReading } from '../../repair/use-cases/read-repair.js'
import { wipedLines } from '../../repair/wiped.js'
import { commandLines, runLines } from '../command-line.js'
import type { ConnectionOptions } from '../options/connection.js'
import { alarmText } from './advice-text.js'
import { listsEach, namesText } from './grouping.js'
import { counted, numberText } from './words.js'

export interface RepairTextOptions {
  readonly width: number | null
  readonly all: boolean
}

/** What is known of the directory, and what its repair would do. */
export function diagnosisText(reading: RepairReading, { all }: RepairTextOptions): string[] {
  const { broker, path, directory, directories, situation, wiped, affected, held, impact, phase } = reading
  const others = directories.filter(
    ({ path: other, standing }) =>
      other !== path && other !== null && standing.kind !== 'online' && standing.kind !== directory.standing.kind,
  )
  const going = phase === 'failed' || phase === 'away'
  const failedToo = directories.filter(({ path: other, standing }) => other !== path && standing.kind === 'failed')
  return [
    ...alarmText(situation.alarms),
    ...wipedLines(wiped, path),
    ...(wiped.length === 0 ? [] : [`  ${namesText(wiped, all)}`]),
    `${sentence(standingText(directory))}.`,
    ...(failedToo.length === 0 || directory.standing.kind !== 'failed'
      ? []
      : [
          `Failed too: ${failedToo.map((dir) => dir.path).join(', ')}: repair both in one stop; each has its own gate.`,
        ]),
    ...(phase === 'away' && (held.source === 'seen' || held.source === 'unknown')
      ? [
          `It was NOT seen to fail: broker ${broker} is away. If only the broker is down, start it with its old disks (kafka-recovery status tells which first).`,
        ]
      : []),
    ...others.map((other) => `Another directory of broker ${broker}: ${standingText(other)}.`),
    ...anewLines(reading, all),
    ...heldLines(held, broker, all),
    ...affectedLines(broker, affected, all),
    ...(going ? keepLines(affected, path) : []),
    ...(phase === 'nothing' || phase === 'catchingUp' || phase === 'wiped' ? [] : impactLines(impact, all)),
  ]
}

function sentence(text: string): string {
  return text.startsWith('/') ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function anewLines({ directories }: RepairReading, all: boolean): string[] {
  return directories.flatMap(({ broker, path, madeAnew, ledFromFailed }) => [
    ...(madeAnew.length === 0
      ? []
      : [
          `Made anew, near-empty, in ${path} of broker ${broker}: ${counted(madeAnew.length, 'replica')} that ${madeAnew.length === 1 ? 'was' : 'were'} in ${[...new Set(madeAnew.map(({ from }) => from))].join(', ')}: ${namesText(madeAnew, all)}`,
        ]),
    ...(ledFromFailed.length === 0
      ? []
      : [
          `Led by broker ${broker} from a failed directory, though the metadata shows no error: ${counted(ledFromFailed.length, 'partition')}: ${namesText(ledFromFailed, all)}`,
        ]),
  ])
}

function heldLines({ source, at, exact, partitions, gone }: HeldPartitions, broker: number, all: boolean): string[] {
  const many = counted(partitions.length, 'partition')
  const time = at === null ? '' : ` at ${timeText(at)}`
  const how = {
    told: `It holds ${many}, as broker ${broker} tells.`,
    derived: `It held ${many}: those that broker ${broker} has on no good directory. Noted.`,
    noted: `It held ${many}, as noted${time}.`,
    seen: `It held ${many} when it was last seen as good${time}; that may have changed since.`,
    unknown: `Which partitions it held is NOT known: nobody looked before broker ${broker} went away. Every partition of it without a leader is counted.`,
  }[source]
  return [
    how,
    ...(exact || source === 'unknown'
      ? []
      : ['Several directories of it failed: some of these may have been in another one.']),
    ...(gone.length === 0 ? [] : [`Deleted or moved away since: ${namesText(gone, all)}`]),
  ]
}

/** Who lost its leader, who is served by whom, who has no copy left. */
function affectedLines(broker: number, affected: readonly AffectedPartition[], all: boolean): string[] {
  const leaderless = affected.filter(({ kind }) => kind === 'leaderless')
  const served = new Map<number, AffectedPartition[]>()
  for (const one of affected) {
    if (one.kind !== 'servedElsewhere' || one.leader === null) continue
    served.set(one.leader, [...(served.get(one.leader) ?? []), one])
  }
  const none = leaderless.filter(({ otherCopies }) => otherCopies === 'no')
  const unknown = leaderless.filter(({ otherCopies }) => otherCopies === 'unknown')
  const line = (title: string, some: readonly AffectedPartition[]) =>
    some.length === 0
      ? []
      : [
          `  ${title}: ${numberText(some.length)}: ${namesText(
            some.map(({ state }) => state),
            all,
          )}`,
        ]
  return [
    ...line('without a leader', leaderless),
    ...(listsEach(leaderless.length, all) ? leaderless.map((one) => `    ${copyText(one)}`) : []),
    ...[...served].sort(([a], [b]) => a - b).flatMap(([leader, some]) => line(`served by broker ${leader}`, some)),
    ...line(
      `led by broker ${broker}`,
      affected.filter(({ kind }) => kind === 'ledHere'),
    ),
    ...line('NO copy anywhere else', none),
    ...line('whether there is another copy is not known', unknown),
  ]
}

function copyText({ state, bestOther, unread, namedIn, otherCopies }: AffectedPartition): string {
  const best =
    bestOther === null
      ? ''
      : `; the furthest other log ends at ${numberText(bestOther.logEndOffset)} (broker ${bestOther.broker})`
  const named = namedIn.length === 0 ? 'names this broker in no list' : `names this broker in ${namedIn.join(' and ')}`
  const missing = unread.length === 0 ? '' : `; not read: broker ${unread.join(', ')}`
  return `${partitionName(state)}: ${named}${otherCopies === 'no' ? '; no other copy' : best}${missing}`
}

function impactLines(impact: RestartImpact, all: boolean): string[] {
  const { broker, away, quorum, metadataLog, emptiedLeads, noGoAhead } = impact
  const line = (text: string, some: readonly TopicPartition[]) =>
    some.length === 0 ? [] : [`  ${text}: ${numberText(some.length)}: ${namesText(some, all)}`]
  const stopping = away
    ? []
    : [
        ...line('go offline, since only its good directories hold them in sync', impact.goesOffline),
        ...line('have their only complete copy that is alive on it', impact.onlyCopy),
        ...line('come under min ISR', impact.underMinIsr),
        ...line('may come under min ISR (configuration not read)', impact.minIsrUnknown),
        ...line('change their leader', impact.changesLeader),
      ]
  const told = [...stopping, ...quorumLines(quorum, broker), ...metadataLines(metadataLog)]
  return [
    ...(away
      ? []
      : [
          `Stopping broker ${broker}:`,
          ...(stopping.length === 0 ? ['  takes no leader and brings nothing under min ISR'] : []),
        ]),
    ...told,
    ...(emptiedLeads.length === 0
      ? []
      : [
          `DANGER: started with this directory empty or gone, broker ${broker} would become leader of ${counted(emptiedLeads.length, 'partition')} with NOTHING, and the others would be cut to nothing:`,
          ...(listsEach(emptiedLeads.length, all) ? emptiedLeads : emptiedLeads.slice(0, 10)).map(
            ({ topic, partition, outcome }) => `  ${partitionName({ topic, partition })}: ${lossText(outcome.lost)}`,
          ),
          ...(listsEach(emptiedLeads.length, all) ? [] : [`  and ${numberText(emptiedLeads.length - 10)} more`]),
        ]),
    ...(noGoAhead === null ? [] : [noGoAhead]),
  ]
}

function quorumLines(quorum: RestartImpact['quorum'], broker: number): string[] {
  switch (quorum.kind) {
    case 'none':
      return []
    case 'unknown':
      return [`  whether the controller quorum holds without broker ${broker} is not known: ${quorum.reason}`]
    case 'member':
      return [
        `  it is one of ${quorum.voters} controllers, ${quorum.caughtUp} of them caught up, ${quorum.needed} needed: the quorum ${quorum.falls ? 'FALLS' : 'holds'} without it`,
      ]
  }
}

function metadataLines(metadataLog: boolean | null): string[] {
  return metadataLog === null ? ['  whether the directory holds the metadata log is not known'] : []
}

function lossText(lost: RestartImpact['emptiedLeads'][number]['outcome']['lost']): string {
  switch (lost.kind) {
    case 'nothing':
      return 'nothing is lost'
    case 'unknown':
      return 'what is lost is not known'
    case 'offsets':
    case 'all':
      return `${lost.kind === 'all' ? 'all that the others hold is lost: ' : ''}${numberText(lost.atLeast)}${lost.open ? ' + ?' : ''} offsets`
  }
}

const WAY_TITLES: Readonly<Record<RepairWay, string>> = {
  keep: 'keep the directory, remove the cause',
  replace: 'replace the disk',
  remove: 'take the directory out of log.dirs',
}

/** The steps of one way, each with where it stands; those that are done in one line. */
export function stepsText(
  steps: readonly RepairStep[],
  way: RepairWay,
  runs: readonly RunRecord[],
  connection: ConnectionOptions,
  { width, all }: RepairTextOptions,
): string[] {
  const others = (Object.keys(WAY_TITLES) as RepairWay[]).filter((one) => one !== way)
  return [
    `STEPS: ${WAY_TITLES[way]} (other ways: ${others.map((one) => `--way ${one}: ${WAY_TITLES[one]}`).join('; ')})`,
    ...steps.flatMap((step, index) => {
      const head = `${step.status === 'now' ? '>' : ' '}${index + 1}. [${STATUS_WORDS[step.status]}] ${step.title}`
      const last = runs.filter((run) => run.step === step.id).at(-1)
      const run = last === undefined ? [] : [`     last run here: ${timeText(last.startedAt)}: ${endText(last)}`]
      if (step.status === 'done' && !all)
        return [head, ...(step.seen === null || step.id === 'stop' ? [] : [`     ${step.seen}`]), ...run]
      return [
        head,
        `     why:   ${step.why}`,
        ...step.how.flatMap((action) => actionLines(action, connection, width)),
        `     check: ${step.check}`,
        ...(step.seen === null ? [] : [`     now:   ${step.seen}`]),
        ...run,
      ]
    }),
  ]
}

const STATUS_WORDS: Readonly<Record<RepairStep['status'], string>> = {
  done: 'done',
  now: 'NOW',
  byHand: 'by hand',
  later: 'later',
  blocked: 'NOT YET',
}

function actionLines(action: StepAction, connection: ConnectionOptions, width: number | null): string[] {
  switch (action.kind) {
    case 'words':
      return [`     do:    ${action.text}`]
    case 'config':
      return [`     set:   ${action.line}`]
    case 'onHost':
      return commandLines(action.words, width).map((line) => `     ${line}`)
    case 'program':
      return runLines(connection, action.words, width).map((line) => `     ${line}`)
  }
}

/** `2 of 5 in sync; orders-1 45% (450 of 1,000), 20 offsets/s, some 28 s`. */
export function progressText(progress: ReturnProgress, { all }: Pick<RepairTextOptions, 'all'>): string[] {
  const { broker, directory, replicas, inSync, done } = progress
  const where =
    directory === null
      ? 'directories not told'
      : directory === 'missing'
        ? 'directory not among its directories (any more)'
        : `directory ${directory}`
  const waiting = replicas.filter(({ state }) => state !== 'inSync' && state !== 'leads')
  const shown = listsEach(waiting.length, all) ? waiting : waiting.slice(0, 10)
  return [
    `broker ${broker}, ${where}; ${numberText(inSync)} of ${counted(replicas.length, 'replica')} in sync${done ? ': done' : ''}`,
    ...shown.map((one) => `  ${partitionName(one)}: ${replicaText(one)}`),
    ...(shown.length < waiting.length ? [`  and ${numberText(waiting.length - shown.length)} more`] : []),
  ]
}

function replicaText(one: ReturnProgress['replicas'][number]): string {
  switch (one.state) {
    case 'inSync':
    case 'leads':
      return 'in sync'
    case 'away':
      return 'its broker is away'
    case 'offline':
      return 'offline: its directory failed'
    case 'noLeader':
      return 'no leader to copy from'
    case 'givenUp':
      return 'written off, and without a leader: elect it empty (plan --accept empty), or create it anew'
    case 'unread':
      return "its log, or the leader's, was not read"
    case 'catchingUp': {
      const share = shareCaughtUp(one)
      const percent = share === null ? '?' : `${Math.floor(share * 100)}%`
      const rate = one.offsetsPerSecond === null ? '' : `, ${numberText(Math.round(one.offsetsPerSecond))} offsets/s`
      const rest = one.remainingMs === null ? '' : `, some ${numberText(Math.ceil(one.remainingMs / 1000))} s to go`
      return `${bar(share)} ${percent} (${numberText(one.logEndOffset)} of ${numberText(one.leaderEndOffset)} of broker ${one.leader ?? '?'})${rate}${rest}, not in ISR yet`
    }
  }
}

const BAR_WIDTH = 20
function bar(share: number | null): string {
  const full = Math.round((share ?? 0) * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`
}

export function gateText(reading: RepairReading): string[] {
  return gateLines(reading.gate, reading.broker).map((line) => `Gate ${reading.gate.open ? 'open' : 'SHUT'}: ${line}`)
}

function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
