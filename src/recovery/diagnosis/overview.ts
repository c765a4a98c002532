import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import { count } from '../../text/wording.js'
import type { Alarm } from '../returns/alarms.js'
import type { StartLine } from '../returns/start-lines.js'

/** The numbers above everything: how bad it is, and what to start first. */
export interface Overview {
  readonly clusterId: string
  readonly simulated: boolean
  /** Broker ids, ascending. */
  readonly brokers: {
    readonly up: readonly number[]
    readonly down: readonly number[]
    readonly fenced: readonly number[]
  }
  readonly offline: number
  /** All partitions of the cluster that are shown to this user. */
  readonly partitions: number
  /** Topics that have an offline partition. */
  readonly offlineTopics: number
  /** Internal topics among them, by name. */
  readonly internal: readonly { readonly topic: string; readonly offline: number }[]
  readonly failedLogDirs: number
  /** The gravest first. */
  readonly alarms: readonly Alarm[]
  /** Offline partitions whose logs are still to be read, or read again: whether there is an alarm in them is not known yet. */
  readonly toBeRead: number
  /** Brokers of which some replica of an offline partition was not read, by id: what is on them is unknown. */
  readonly notReadable: readonly UnreadBroker[]
  /** Brokers that are away and were seen with empty logs before: not to be started as they are. By id; none while an alarm stands. */
  readonly seenEmpty: readonly { readonly broker: number; readonly text: string }[]
  /** startNothing: while an alarm stands that some broker may wipe others, every start may set it off. */
  readonly advice:
    | { readonly kind: 'start'; readonly lines: readonly StartLine[] }
    | { readonly kind: 'startNothing'; readonly becauseOf: readonly number[] }
}

/**
 * How much of a broker could not be read. away: nothing of it, it is down or fenced. logDir: it is up, and what lies in directories
 * that failed is not readable. other: it is up, and some of its logs were late, refused or moving.
 */
export interface UnreadBroker {
  readonly broker: number
  readonly why: 'away' | 'logDir' | 'other'
}

export interface OverviewInput {
  readonly snapshot: Pick<ClusterSnapshot, 'clusterId' | 'simulated' | 'brokers' | 'logDirs'> & {
    readonly partitions: { readonly length: number }
  }
  /** Offline partitions of each topic. */
  readonly offlineByTopic: ReadonlyMap<string, number>
  readonly isInternal: (topic: string) => boolean
  readonly alarms: readonly Alarm[]
  readonly toBeRead: number
  readonly notReadable: ReadonlyMap<number, UnreadBroker['why']>
  readonly seenEmpty: Overview['seenEmpty']
  readonly startLines: readonly StartLine[]
}

export function overviewOf(input: OverviewInput): Overview {
  const { snapshot, offlineByTopic, alarms } = input
  const inState = (wanted: string) => snapshot.brokers.filter(({ state }) => state === wanted).map(({ id }) => id)
  let offline = 0
  for (const number of offlineByTopic.values()) offline += number
  const wiping = alarms.flatMap(({ broker, partitions }) => (broker !== null && partitions.length > 0 ? [broker] : []))
  return {
    clusterId: snapshot.clusterId,
    simulated: snapshot.simulated,
    brokers: { up: inState('up'), down: inState('down'), fenced: inState('fenced') },
    offline,
    partitions: snapshot.partitions.length,
    offlineTopics: offlineByTopic.size,
    internal: [...offlineByTopic]
      .filter(([topic]) => input.isInternal(topic))
      .map(([topic, number]) => ({ topic, offline: number })),
    failedLogDirs: (snapshot.logDirs ?? []).filter(({ state }) => state === 'offline').length,
    alarms,
    toBeRead: input.toBeRead,
    notReadable: [...input.notReadable].map(([broker, why]) => ({ broker, why })).sort((a, b) => a.broker - b.broker),
    seenEmpty: wiping.length > 0 ? [] : input.seenEmpty,
    // No quorum is an alarm, too, but then nothing can become leader: a start may be just what it needs.
    advice:
      wiping.length > 0
        ? { kind: 'startNothing', becauseOf: [...new Set(wiping)].sort((a, b) => a - b) }
        : { kind: 'start', lines: input.startLines },
  }
}

/**
 * "Alarms: none found; not readable: 7 8, a disk of 9; late or refused: 4.": never a bare "none". The alarms themselves are lines of
 * their own.
 */
export function alarmsSentence({ alarms, toBeRead, notReadable }: Overview): string {
  const ids = (wanted: UnreadBroker['why']) =>
    notReadable.filter(({ why }) => why === wanted).map(({ broker }) => broker)
  const found = `${alarms.length === 0 ? 'none' : count(alarms.length)} found`
  const reading = toBeRead === 0 ? '' : `, ${count(toBeRead)} ${toBeRead === 1 ? 'partition' : 'partitions'} being read`
  const away = ids('away').join(' ')
  const disks = ids('logDir')
  const unread = [away, disks.length === 0 ? '' : `${disks.length === 1 ? 'a disk' : 'disks'} of ${disks.join(' ')}`]
    .filter((text) => text !== '')
    .join(', ')
  const late = ids('other').join(' ')
  return `Alarms: ${found}${reading}${unread === '' ? '' : `; not readable: ${unread}`}${late === '' ? '' : `; late or refused: ${late}`}.`
}

/** "Start nothing yet: broker 4 may wipe others." Null: starts may be advised. */
export function startNothingSentence({ advice }: Overview): string | null {
  if (advice.kind === 'start') return null
  const many = advice.becauseOf.length > 1
  return `Start nothing yet: ${many ? 'brokers' : 'broker'} ${advice.becauseOf.join(', ')} may become leader and wipe others.`
}
