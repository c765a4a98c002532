import { type LogDir, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { columns } from './columns.js'
import { bytesText, counted } from './words.js'

/** Every log directory, one row each, and below which partitions are offline because of those that failed. */
export function logDirsText(
  logDirs: readonly (LogDir & { readonly offline: readonly TopicPartition[] | null })[],
  width: number | null,
): string[] {
  return [
    ...columns(
      [
        { title: 'BROKER', align: 'right' },
        { title: 'LOG DIRECTORY', mayCut: true },
        { title: 'STATE' },
        { title: 'USABLE', align: 'right' },
        { title: 'TOTAL', align: 'right' },
        { title: 'REPLICAS', align: 'right' },
        { title: 'ERROR', mayCut: true },
      ],
      logDirs.map((dir) => [
        String(dir.broker),
        dir.path,
        `${dir.state === 'online' ? dir.state : dir.state.toUpperCase()}${dir.cordoned ? ', cordoned' : ''}`,
        bytesText(dir.usableBytes),
        bytesText(dir.totalBytes),
        dir.replicaCount === null ? '?' : String(dir.replicaCount),
        dir.error ?? '',
      ]),
      width,
    ),
    ...logDirs.flatMap(({ broker, path, offline }) =>
      offline === null || offline.length === 0
        ? []
        : `broker ${broker}, ${path}: ${counted(offline.length, 'replica')} offline: ${offline.map(partitionName).join(' ')}`,
    ),
  ]
}
