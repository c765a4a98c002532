import type { LogDir, TopicPartition } from '../../cluster/snapshot.js'
import { columns } from './columns.js'
import { namesText } from './grouping.js'
import type { PlanTextOptions } from './plan-text.js'
import { bytesText, counted, numberText } from './words.js'

/** Every log directory, one row each; which brokers told none (`silent`), and which partitions are offline because of those that failed. */
export function logDirsText(
  logDirs: readonly (LogDir & { readonly offline: readonly TopicPartition[] | null })[],
  silent: readonly number[],
  { width, all }: PlanTextOptions,
): string[] {
  return [
    ...columns(
      [
        { title: 'BROKER', align: 'right' },
        { title: 'LOG DIRECTORY', mayCut: true },
        { title: 'STATE' },
        { title: 'USABLE', align: 'right' },
        { title: 'TOTAL', align: 'right', drop: 1 },
        { title: 'REPLICAS', align: 'right' },
        { title: 'ERROR', mayCut: true },
      ],
      logDirs.map((dir) => [
        String(dir.broker),
        dir.path,
        `${dir.state === 'online' ? dir.state : dir.state.toUpperCase()}${dir.cordoned ? ', cordoned' : ''}`,
        bytesText(dir.usableBytes),
        bytesText(dir.totalBytes),
        dir.replicaCount === null ? '?' : numberText(dir.replicaCount),
        dir.error ?? '',
      ]),
      width,
    ),
    ...(silent.length === 0
      ? []
      : [
          `broker ${silent.join(' ')} did not tell ${silent.length === 1 ? 'its' : 'their'} log directories: away, or not allowed`,
        ]),
    ...logDirs.flatMap(({ broker, path, offline }) =>
      offline === null || offline.length === 0
        ? []
        : `broker ${broker}, ${path}: ${counted(offline.length, 'replica')} offline: ${namesText(offline, all)}`,
    ),
  ]
}
