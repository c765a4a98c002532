import { type Broker, type ClusterSnapshot, type PartitionState, partitionName } from '../../cluster/snapshot.js'
import { lastLeader } from '../../recovery/returns/return-effect.js'
import type { ClusterStatus } from '../../recovery/use-cases/read-status.js'
import { adviceText } from './advice-text.js'
import { columns } from './columns.js'
import { byTopic, examplesOf, listsEach, namesText } from './grouping.js'
import { counted, ids, numberText, times } from './words.js'

export interface StatusTextOptions {
  /** Of the terminal; null: a pipe. */
  readonly width: number | null
  /** Every partition and broker, however many. */
  readonly all: boolean
}

/** Brokers beyond so many are listed only where something is wrong with them. */
const BROKERS = 12
const TOPICS = 10

/** What is wrong, the most urgent first; the sum comes last, where a terminal stops scrolling. */
export function statusText(status: ClusterStatus, heading: string, { width, all }: StatusTextOptions): string[] {
  const advice = adviceText(status.situation)
  return [
    heading,
    ...(status.alarms.length === 0 ? [] : advice),
    '',
    ...brokerLines(status.snapshot.brokers, width, all),
    '',
    ...offlineLines(status, width, all),
    ...failedLogDirLines(status, width),
    ...(status.alarms.length === 0 ? advice : []),
    ...summaryLines(status),
  ]
}

function brokerLines(brokers: readonly Broker[], width: number | null, all: boolean): string[] {
  const listed = listsEach(brokers.length, all, BROKERS) ? brokers : brokers.filter(({ state }) => state !== 'up')
  const up = brokers.length - listed.length
  const errors = new Map<string, number[]>()
  // The reason without the address: that stands in the table.
  for (const { id, host, port, error } of brokers) {
    if (error === null) continue
    const text = error.replace(`${host}:${port}: `, '')
    errors.set(text, [...(errors.get(text) ?? []), id])
  }
  return [
    ...(listed.length === 0
      ? []
      : columns(
          [
            { title: 'BROKER', align: 'right' },
            { title: 'STATE' },
            { title: 'ADDRESS', mayCut: true },
            { title: 'RACK', mayCut: true, drop: 1 },
          ],
          listed.map(({ id, state, host, port, rack }) => [
            String(id),
            state === 'up' ? state : state.toUpperCase(),
            host === null || host === '' ? '?' : `${host}:${port}`,
            rack ?? '-',
          ]),
          width,
        )),
    ...(up === 0 ? [] : [`${counted(up, 'other')} ${up === 1 ? 'is' : 'are'} up (--all lists them)`]),
    ...[...errors].map(([text, of]) => `broker ${of.join(' ')}: ${text}`),
  ]
}

function offlineLines({ offline, snapshot }: ClusterStatus, width: number | null, all: boolean): string[] {
  if (offline.length === 0) return [`offline partitions: none of ${numberText(snapshot.partitions.length)}`]
  const topics = byTopic(offline)
  const total = `OFFLINE: ${numberText(offline.length)} of ${counted(snapshot.partitions.length, 'partition')}, in ${counted(topics.length, 'topic')}`
  if (listsEach(offline.length, all)) return [total, ...partitionRows(offline, width)]
  const shown = topics.slice(0, TOPICS)
  return [
    total,
    ...columns(
      [
        { title: 'TOPIC', mayCut: true },
        { title: 'OFFLINE', align: 'right' },
        { title: 'LED LAST BY BROKER (PARTITIONS)', short: 'LED LAST BY' },
      ],
      shown.map(([topic, states]) => [topic, numberText(states.length), lastLeadersText(states)]),
      width,
    ),
    ...(topics.length > shown.length
      ? [`and ${counted(topics.length - shown.length, 'other topic')} (--all lists every partition)`]
      : []),
    `for instance (--all lists every one):`,
    ...partitionRows(examplesOf(offline), width),
  ]
}

/** `1 (134) 2 (133) ? (1)`: who led last, where the metadata tells; ? where it does not. */
function lastLeadersText(states: readonly PartitionState[]): string {
  const counts = new Map<string, number>()
  for (const state of states) {
    const name = String(lastLeader(state) ?? '?')
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const most = [...counts].sort(([, a], [, b]) => b - a)
  const shown = most.slice(0, 4).map(([broker, number]) => `${broker} (${numberText(number)})`)
  return [...shown, ...(most.length > 4 ? ['...'] : [])].join(' ')
}

function partitionRows(states: readonly PartitionState[], width: number | null): string[] {
  return columns(
    [
      { title: 'PARTITION', mayCut: true },
      { title: 'EPOCH', align: 'right', drop: 1 },
      { title: 'REPLICAS' },
      { title: 'ISR' },
      { title: 'ELR' },
      { title: 'LAST KNOWN ELR', short: 'LAST KNOWN' },
      { title: 'OFFLINE REPLICAS', short: 'OFFLINE' },
    ],
    states.map((state) => [
      partitionName(state),
      String(state.leaderEpoch),
      ids(state.replicas),
      ids(state.isr),
      ids(state.elr),
      ids(state.lastKnownElr),
      ids(state.offlineReplicas),
    ]),
    width,
  )
}

function failedLogDirLines({ failedLogDirs, snapshot }: ClusterStatus, width: number | null): string[] {
  const silent = silentAboutDirs(snapshot)
  const notTold =
    silent.length === 0
      ? ''
      : ` (broker ${silent.join(' ')} did not tell ${silent.length === 1 ? 'its own' : 'theirs'}: away, or not allowed)`
  if (failedLogDirs.length === 0) return [`failed log directories: none known${notTold}`]
  return [
    `FAILED LOG DIRECTORIES: ${numberText(failedLogDirs.length)}${notTold}`,
    ...columns(
      [
        { title: 'BROKER', align: 'right' },
        { title: 'LOG DIRECTORY', mayCut: true },
        { title: 'ERROR', mayCut: true },
      ],
      failedLogDirs.map(({ broker, path, error }) => [String(broker), path, error ?? '']),
      width,
    ),
  ]
}

/** Brokers that told no log directory: away, or the permission is missing. */
export function silentAboutDirs({ brokers, logDirs }: Pick<ClusterSnapshot, 'brokers' | 'logDirs'>): number[] {
  const told = new Set((logDirs ?? []).flatMap(({ broker, state }) => (state === 'unknown' ? [] : [broker])))
  return brokers.flatMap(({ id }) => (told.has(id) ? [] : [id]))
}

function summaryLines(status: ClusterStatus): string[] {
  const { underMinIsr, offline, snapshot, failedLogDirs, alarms, healthy } = status
  const led = underMinIsr.filter(({ leader }) => leader !== null)
  const offlineToo = underMinIsr.length - led.length
  const aside =
    offlineToo === 0
      ? ''
      : `, ${led.length > 0 ? `${numberText(offlineToo)} of them ` : offlineToo > 1 ? 'all of them ' : ''}offline`
  const names = led.length === 0 ? '' : `: ${namesText(led)}`
  const away = snapshot.brokers.filter(({ state }) => state !== 'up').length
  return [
    underMinIsr.length === 0
      ? 'under min ISR: none known'
      : `under min ISR: ${counted(underMinIsr.length, 'partition')}${aside}${names}`,
    healthy
      ? `all is well: ${counted(snapshot.partitions.length, 'partition')} on ${counted(snapshot.brokers.length, 'broker')}`
      : `in sum: ${times(offline.length, 'partition')} OFFLINE, ${numberText(led.length)} more under min ISR, ${times(away, 'broker')} away, ${times(failedLogDirs.length, 'failed log directory', 'failed log directories')}, ${times(alarms.length, 'alarm')}`,
  ]
}
