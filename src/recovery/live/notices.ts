import {
  type Broker,
  type BrokerState,
  type LogDir,
  partitionName,
  type TopicPartition,
} from '../../cluster/snapshot.js'
import type { Alarm, AlarmCode } from '../returns/alarms.js'

/** Something that was noticed while watching, for the Activity view. Texts from the cluster are not escaped. */
export type Notice = { readonly at: Date } & (
  | {
      readonly kind: 'leadersCameBack'
      readonly leader: number
      readonly partitions: readonly TopicPartition[]
      /** False: this program had an election under way for them. */
      readonly byItself: boolean
    }
  | { readonly kind: 'wentOffline'; readonly partitions: readonly TopicPartition[] }
  /** Deleted, or not shown to this user any more. */
  | { readonly kind: 'vanished'; readonly partitions: readonly TopicPartition[] }
  /** Null: in no list of the cluster. */
  | {
      readonly kind: 'broker'
      readonly broker: number
      readonly from: BrokerState | null
      readonly to: BrokerState | null
    }
  | { readonly kind: 'logDir'; readonly broker: number; readonly path: string; readonly now: 'failed' | 'returned' }
  | {
      readonly kind: 'alarmRaised' | 'alarmEnded'
      readonly code: AlarmCode
      readonly broker: number | null
      readonly text: string
    }
  /** What the alarm warned of has happened: its broker leads these now, and the others lose what it lacks. */
  | {
      readonly kind: 'alarmCameTrue'
      readonly broker: number
      readonly partitions: readonly TopicPartition[]
      readonly text: string
    }
  | { readonly kind: 'readFailed'; readonly text: string }
  | { readonly kind: 'readWorksAgain' }
)

/** Which brokers are in another state than before, with both; by id. */
export function changedBrokers(before: readonly Broker[], now: readonly Broker[]) {
  const was = new Map(before.map(({ id, state }) => [id, state]))
  const is = new Map(now.map(({ id, state }) => [id, state]))
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort((a, b) => a - b)
    .map((broker) => ({ broker, from: was.get(broker) ?? null, to: is.get(broker) ?? null }))
    .filter(({ from, to }) => from !== to)
}

/**
 * Log directories that failed, or are there again. A directory that is not told, as its broker is away, has not changed: `known` keeps
 * the last state of each between reads.
 */
export function logDirNotices(known: Map<string, 'failed' | 'good'>, now: readonly LogDir[], at: Date): Notice[] {
  const notices: Notice[] = []
  for (const { broker, path, state } of now) {
    if (state === 'unknown') continue
    const key = `${broker} ${path}`
    const was = known.get(key)
    const is = state === 'offline' ? 'failed' : 'good'
    known.set(key, is)
    if (was !== undefined && was !== is) {
      notices.push({ at, kind: 'logDir', broker, path, now: is === 'failed' ? 'failed' : 'returned' })
    }
  }
  return notices
}

export function alarmNotices(
  before: readonly Alarm[],
  now: readonly Alarm[],
  gotLeader: readonly (TopicPartition & { readonly leader: number })[],
  at: Date,
): Notice[] {
  const key = ({ code, broker }: Alarm) => `${code} ${broker}`
  const was = new Set(before.map(key))
  const is = new Set(now.map(key))
  const came = before.flatMap((alarm) => cameTrue(alarm, gotLeader, at))
  const notice = (kind: 'alarmRaised' | 'alarmEnded', { code, broker, text }: Alarm): Notice => ({
    at,
    kind,
    code,
    broker,
    text,
  })
  return [
    ...came,
    ...now.filter((alarm) => !was.has(key(alarm))).map((alarm) => notice('alarmRaised', alarm)),
    ...before.filter((alarm) => !is.has(key(alarm))).map((alarm) => notice('alarmEnded', alarm)),
  ]
}

function cameTrue(
  { code, broker, partitions, text }: Alarm,
  gotLeader: readonly (TopicPartition & { readonly leader: number })[],
  at: Date,
): Notice[] {
  // Of a log that was not read nobody knows what its lead has cost.
  if (broker === null || code === 'noQuorum' || code === 'unreadLogMayLead') return []
  const led = new Set(gotLeader.filter(({ leader }) => leader === broker).map(partitionName))
  const lost = partitions.filter((partition) => led.has(partitionName(partition)))
  return lost.length === 0 ? [] : [{ at, kind: 'alarmCameTrue', broker, partitions: lost, text }]
}

/** One notice for each leader, and for each whether it came by itself. */
export function leaderNotices(
  gotLeader: readonly (TopicPartition & { readonly leader: number })[],
  byItself: (partition: TopicPartition) => boolean,
  at: Date,
): Notice[] {
  const found = new Map<string, { leader: number; byItself: boolean; partitions: TopicPartition[] }>()
  for (const { topic, partition, leader } of gotLeader) {
    const alone = byItself({ topic, partition })
    const key = `${leader} ${alone}`
    const entry = found.get(key) ?? { leader, byItself: alone, partitions: [] }
    found.set(key, entry)
    entry.partitions.push({ topic, partition })
  }
  return [...found.values()].map((entry): Notice => ({ at, kind: 'leadersCameBack', ...entry }))
}
