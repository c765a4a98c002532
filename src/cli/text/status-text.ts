import { partitionName } from '../../cluster/snapshot.js'
import type { ClusterStatus } from '../../recovery/use-cases/read-status.js'
import { columns } from './columns.js'
import { counted, ids } from './words.js'

/** What is wrong, the most urgent first. `width`: of the terminal, null: a pipe. */
export function statusText(status: ClusterStatus, heading: string, width: number | null): string[] {
  return [
    heading,
    ...status.alarms.map(({ text }) => `ALARM: ${text}`),
    '',
    ...columns(
      [
        { title: 'BROKER', align: 'right' },
        { title: 'STATE' },
        { title: 'ADDRESS', mayCut: true },
        { title: 'RACK', mayCut: true },
        { title: 'ERROR', mayCut: true },
      ],
      status.snapshot.brokers.map(({ id, state, host, port, rack, error }) => [
        String(id),
        state === 'up' ? state : state.toUpperCase(),
        host === '' ? '?' : `${host}:${port}`,
        rack ?? '-',
        error ?? '',
      ]),
      width,
    ),
    '',
    ...offlineLines(status, width),
    ...failedLogDirLines(status, width),
    status.underMinIsr.length === 0
      ? 'under min ISR: none known'
      : `under min ISR: ${counted(status.underMinIsr.length, 'partition')}: ${status.underMinIsr.map(partitionName).join(' ')}`,
  ]
}

function offlineLines({ offline, snapshot }: ClusterStatus, width: number | null): string[] {
  if (offline.length === 0) return [`offline partitions: none of ${snapshot.partitions.length}`]
  return [
    `OFFLINE: ${offline.length} of ${counted(snapshot.partitions.length, 'partition')}`,
    ...columns(
      [
        { title: 'PARTITION', mayCut: true },
        { title: 'EPOCH', align: 'right' },
        { title: 'REPLICAS' },
        { title: 'ISR' },
        { title: 'ELR' },
        { title: 'LAST KNOWN ELR' },
        { title: 'OFFLINE REPLICAS' },
      ],
      offline.map((state) => [
        partitionName(state),
        String(state.leaderEpoch),
        ids(state.replicas),
        ids(state.isr),
        ids(state.elr),
        ids(state.lastKnownElr),
        ids(state.offlineReplicas),
      ]),
      width,
    ),
  ]
}

function failedLogDirLines({ failedLogDirs, snapshot }: ClusterStatus, width: number | null): string[] {
  const unknown = (snapshot.logDirs ?? []).filter(({ state }) => state === 'unknown')
  const notTold =
    unknown.length === 0 ? '' : ` (not told by broker ${[...new Set(unknown.map(({ broker }) => broker))].join(' ')})`
  if (failedLogDirs.length === 0) return [`failed log directories: none known${notTold}`]
  return [
    `FAILED LOG DIRECTORIES: ${failedLogDirs.length}${notTold}`,
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
