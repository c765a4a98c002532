import type { LogDir, TopicPartition } from '../../cluster/snapshot.js'
import { columns } from './columns.js'
import { namesText } from './grouping.js'
import type { PlanTextOptions } from './plan-text.js'
import { bytesText, counted, numberText } from './words.js'

/** Every log directory, one row each, and below which partitions are offline because of those that failed. */
export function logDirsText(
  logDirs: readonly (LogDir & { readonly offline: readonly TopicPartition[] | null })[],
  { width, all }: PlanTextOptions,
): string[] {
  // A directory that nobody told of has neither path nor numbers: its broker did not answer.
  const unknown = logDirs.filter(({ state }) => state === 'unknown')
  const silent = [...new Set(unknown.map(({ broker }) => broker))]
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
        dir.state === 'unknown' ? 'no answer' : (dir.error ?? ''),
      ]),
      width,
    ),
    ...(silent.length === 0
      ? []
      : [`UNKNOWN: broker ${silent.join(' ')} did not answer, so its directories cannot be told apart from here`]),
    ...logDirs.flatMap(({ broker, path, offline }) =>
      offline === null || offline.length === 0
        ? []
        : `broker ${broker}, ${path}: ${counted(offline.length, 'replica')} offline: ${namesText(offline, all)}`,
    ),
  ]
}
