import { partitionName, type TopicPartition } from '../cluster/snapshot.js'
import { count, counted } from '../text/wording.js'
import type { AffectedPartition } from './affected-partitions.js'
import { standingText } from './diagnosis.js'
import { gateLines } from './gate.js'
import type { HeldPartitions } from './held-partitions.js'
import type { RestartImpact } from './impact.js'
import type { ReplicaProgress } from './progress.js'
import type { RepairStep, RepairWay } from './repair-step.js'
import { keepLines } from './steps.js'
import type { RepairReading } from './use-cases/read-repair.js'
import { wipedLines } from './wiped.js'

/** What is known of a repair, in words, for every front end: how much of it fits, and how it looks, they decide. */
export interface RepairLine {
  readonly text: string
  /** How far it stands to the right: 0, 1. */
  readonly indent: number
  readonly tone: 'plain' | 'warning' | 'danger'
  /** Whom it is about: their names belong behind the text. */
  readonly partitions: readonly TopicPartition[]
  /** One line about each, where there is room for that. */
  readonly each: readonly string[]
}

function line(text: string, part: Partial<RepairLine> = {}): RepairLine {
  return { text, indent: 0, tone: 'plain', partitions: [], each: [], ...part }
}

/** Nothing where there are none. */
function about(text: string, partitions: readonly TopicPartition[], part: Partial<RepairLine> = {}): RepairLine[] {
  return partitions.length === 0 ? [] : [line(text, { ...part, partitions })]
}

/** What is known of the directory, without what its repair would do. Alarms are not in it: they are about more than it. */
export function diagnosisLines(reading: RepairReading, timeText: (at: Date) => string): RepairLine[] {
  const { broker, path, directory, directories, wiped, affected, held, phase, seenEmptiedAt } = reading
  const others = directories.filter(
    ({ path: other, standing }) =>
      other !== path && other !== null && standing.kind !== 'online' && standing.kind !== directory.standing.kind,
  )
  const going = phase === 'failed' || phase === 'away'
  const failedToo = directories.filter(({ path: other, standing }) => other !== path && standing.kind === 'failed')
  return [
    ...wipedLines(wiped, path).map((text, index) =>
      line(text, { tone: 'danger', partitions: index === 0 && wiped.length > 1 ? wiped : [] }),
    ),
    line(`${sentence(standingText(directory))}.`, {
      tone: directory.standing.kind === 'online' || directory.standing.kind === 'missing' ? 'plain' : 'warning',
    }),
    ...(failedToo.length === 0 || directory.standing.kind !== 'failed'
      ? []
      : [
          line(
            `Failed too: ${failedToo.map((dir) => dir.path).join(', ')}: repair both in one stop; each has its own gate.`,
          ),
        ]),
    ...(seenEmptiedAt === null
      ? []
      : [
          line(
            `Its log was seen EMPTY at ${timeText(seenEmptiedAt)}: an emptied log is not the old disk. Start broker ${broker} only through the gate.`,
            { tone: 'danger' },
          ),
        ]),
    ...(phase === 'away' && seenEmptiedAt === null && (held.source === 'seen' || held.source === 'unknown')
      ? [
          line(
            `It was NOT seen to fail: broker ${broker} is away. If only the broker is down, start it with its old disks (kafka-recovery status tells which first).`,
            { tone: 'warning' },
          ),
        ]
      : []),
    ...others.map((other) => line(`Another directory of broker ${broker}: ${standingText(other)}.`)),
    ...anewLines(reading),
    ...heldLines(held, broker, timeText),
    ...affectedLines(broker, affected),
    ...(going ? keepLines(affected, path, seenEmptiedAt !== null).map((text) => line(text, { tone: 'danger' })) : []),
  ]
}

/** Whether its impact is still of interest. */
export function hasImpact({ phase }: Pick<RepairReading, 'phase'>): boolean {
  return phase !== 'nothing' && phase !== 'catchingUp' && phase !== 'wiped'
}

/** Why there is nothing to repair; for the phase `nothing`. */
export function nothingText({
  broker,
  path,
  directory,
  held,
  progress,
}: Pick<RepairReading, 'broker' | 'path' | 'directory' | 'held' | 'progress'>): string {
  const cordoned =
    directory.standing.kind === 'online' && directory.standing.cordoned ? ' (it is cordoned, which is no failure)' : ''
  if (directory.standing.kind === 'missing') {
    return `Nothing to repair: ${path} was taken out of log.dirs of broker ${broker}, and all that was in it is in sync again.`
  }
  const back = held.source === 'noted' && progress.done ? ', and all that was lost is in sync again' : ''
  return `Nothing to repair: ${path} of broker ${broker} is online${cordoned}${back}.`
}

function sentence(text: string): string {
  return text.startsWith('/') ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function anewLines({ directories }: RepairReading): RepairLine[] {
  return directories.flatMap(({ broker, path, madeAnew, ledFromFailed }) => [
    ...about(
      `Made anew, near-empty, in ${path} of broker ${broker}: ${counted(madeAnew.length, 'replica')} that ${madeAnew.length === 1 ? 'was' : 'were'} in ${[...new Set(madeAnew.map(({ from }) => from))].join(', ')}`,
      madeAnew,
    ),
    ...about(
      `Led by broker ${broker} from a failed directory, though the metadata shows no error: ${counted(ledFromFailed.length, 'partition')}`,
      ledFromFailed,
      { tone: 'warning' },
    ),
  ])
}

function heldLines(
  { source, at, exact, partitions, gone }: HeldPartitions,
  broker: number,
  timeText: (at: Date) => string,
): RepairLine[] {
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
    line(how, { tone: source === 'unknown' ? 'warning' : 'plain' }),
    ...(exact || source === 'unknown'
      ? []
      : [line('Several directories of it failed: some of these may have been in another one.', { tone: 'warning' })]),
    ...about('Deleted or moved away since', gone),
  ]
}

/** Who lost its leader, who is served by whom, who has no copy left. */
function affectedLines(broker: number, affected: readonly AffectedPartition[]): RepairLine[] {
  const leaderless = affected.filter(({ kind }) => kind === 'leaderless')
  const served = new Map<number, AffectedPartition[]>()
  for (const one of affected) {
    if (one.kind !== 'servedElsewhere' || one.leader === null) continue
    served.set(one.leader, [...(served.get(one.leader) ?? []), one])
  }
  const group = (title: string, some: readonly AffectedPartition[], part: Partial<RepairLine> = {}) =>
    about(
      `${title}: ${count(some.length)}`,
      some.map(({ state }) => state),
      { indent: 1, ...part },
    )
  return [
    ...group('without a leader', leaderless, { tone: 'warning', each: leaderless.map(copyText) }),
    ...[...served].sort(([a], [b]) => a - b).flatMap(([leader, some]) => group(`served by broker ${leader}`, some)),
    ...group(
      `led by broker ${broker}`,
      affected.filter(({ kind }) => kind === 'ledHere'),
    ),
    ...group(
      'NO copy anywhere else',
      leaderless.filter(({ otherCopies }) => otherCopies === 'no'),
      { tone: 'danger' },
    ),
    ...group(
      'whether there is another copy is not known',
      leaderless.filter(({ otherCopies }) => otherCopies === 'unknown'),
      { tone: 'warning' },
    ),
  ]
}

function copyText({ state, bestOther, unread, namedIn, otherCopies }: AffectedPartition): string {
  const best =
    bestOther === null
      ? ''
      : `; the furthest other log ends at ${count(bestOther.logEndOffset)} (broker ${bestOther.broker})`
  const named = namedIn.length === 0 ? 'names this broker in no list' : `names this broker in ${namedIn.join(' and ')}`
  const missing = unread.length === 0 ? '' : `; not read: broker ${unread.join(', ')}`
  return `${partitionName(state)}: ${named}${otherCopies === 'no' ? '; no other copy' : best}${missing}`
}

/** What stopping the broker costs, and starting it with the directory empty or gone. */
export function impactLines(impact: RestartImpact): RepairLine[] {
  const { broker, away, quorum, metadataLog, emptiedLeads, noGoAhead } = impact
  const group = (text: string, some: readonly TopicPartition[], part: Partial<RepairLine> = {}) =>
    about(`${text}: ${count(some.length)}`, some, { indent: 1, ...part })
  const stopping = away
    ? []
    : [
        ...group('go offline, since only its good directories hold them in sync', impact.goesOffline, {
          tone: 'warning',
        }),
        ...group('have their only complete copy that is alive on it', impact.onlyCopy, { tone: 'warning' }),
        ...group('come under min ISR', impact.underMinIsr, { tone: 'warning' }),
        ...group('may come under min ISR (configuration not read)', impact.minIsrUnknown),
        ...group('change their leader', impact.changesLeader),
      ]
  return [
    ...(away
      ? []
      : [
          line(`Stopping broker ${broker}:`),
          ...(stopping.length === 0
            ? [line('takes no leader and brings nothing under min ISR', { indent: 1 })]
            : stopping),
        ]),
    ...quorumLines(quorum, broker),
    ...(metadataLog === null
      ? [line('whether the directory holds the metadata log is not known', { indent: 1, tone: 'warning' })]
      : []),
    ...(emptiedLeads.length === 0
      ? []
      : [
          line(
            `DANGER: started with this directory empty or gone, broker ${broker} would become leader of ${counted(emptiedLeads.length, 'partition')} with NOTHING, and the others would be cut to nothing:`,
            {
              tone: 'danger',
              each: emptiedLeads.map((one) => `${partitionName(one)}: ${lossText(one.outcome.lost)}`),
            },
          ),
        ]),
    ...(noGoAhead === null ? [] : [line(noGoAhead, { tone: 'danger' })]),
  ]
}

function quorumLines(quorum: RestartImpact['quorum'], broker: number): RepairLine[] {
  switch (quorum.kind) {
    case 'none':
      return []
    case 'unknown':
      return [
        line(`whether the controller quorum holds without broker ${broker} is not known: ${quorum.reason}`, {
          indent: 1,
          tone: 'warning',
        }),
      ]
    case 'member':
      return [
        line(
          `it is one of ${quorum.voters} controllers, ${quorum.caughtUp} of them caught up, ${quorum.needed} needed: the quorum ${quorum.falls ? 'FALLS' : 'holds'} without it`,
          { indent: 1, tone: quorum.falls ? 'danger' : 'plain' },
        ),
      ]
  }
}

function lossText(lost: RestartImpact['emptiedLeads'][number]['outcome']['lost']): string {
  switch (lost.kind) {
    case 'nothing':
      return 'nothing is lost'
    case 'unknown':
      return 'what is lost is not known'
    case 'offsets':
    case 'all':
      return `${lost.kind === 'all' ? 'all that the others hold is lost: ' : ''}${count(lost.atLeast)}${lost.open ? ' + ?' : ''} offsets`
  }
}

/** `Gate SHUT: ...`, one line for each reason. */
export function gateText({ gate, broker }: Pick<RepairReading, 'gate' | 'broker'>): string[] {
  return gateLines(gate, broker).map((text) => `Gate ${gate.open ? 'open' : 'SHUT'}: ${text}`)
}

export const WAY_TITLES: Readonly<Record<RepairWay, string>> = {
  keep: 'keep the directory, remove the cause',
  replace: 'replace the disk',
  remove: 'take the directory out of log.dirs',
}

export const STATUS_WORDS: Readonly<Record<RepairStep['status'], string>> = {
  done: 'done',
  now: 'NOW',
  byHand: 'by hand',
  later: 'later',
  blocked: 'NOT YET',
  unseen: 'not seen',
  already: 'already',
}

/** How one replica stands, in words; what is catching up has numbers and a bar besides. */
export const REPLICA_WORDS: Readonly<Record<ReplicaProgress['state'], string>> = {
  inSync: 'in sync',
  leads: 'in sync',
  away: 'its broker is away',
  offline: 'offline: its directory failed',
  noLeader: 'no leader to copy from',
  givenUp: 'written off, and without a leader: elect it empty (plan --accept empty), or create it anew',
  unread: "its log, or the leader's, was not read",
  catchingUp: 'not in ISR yet',
}
