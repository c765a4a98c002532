import { standingText } from '../../repair/diagnosis.js'
import type { LogDirsReading } from '../../repair/use-cases/read-log-dirs.js'
import { columns } from './columns.js'
import { namesText } from './grouping.js'
import type { PlanTextOptions } from './plan-text.js'
import { bytesText, counted, numberText } from './words.js'

type Directory = LogDirsReading['directories'][number]

/** Every log directory, one row each; below, of each that is not as it should be, how it stands and what is offline because of it. */
export function logDirsText(directories: readonly Directory[], { width, all }: PlanTextOptions): string[] {
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
      directories.map(({ broker, path, standing, dir }) => [
        String(broker),
        path ?? '?',
        STATE_WORDS[standing.kind] + (standing.kind === 'online' && standing.cordoned ? ', cordoned' : ''),
        bytesText(dir?.usableBytes ?? null),
        bytesText(dir?.totalBytes ?? null),
        dir?.replicaCount == null ? '?' : numberText(dir.replicaCount),
        dir?.error ?? '',
      ]),
      width,
    ),
    ...standingLines(directories),
    ...directories.flatMap((dir) => consequenceLines(dir, all)),
  ]
}

const STATE_WORDS: Readonly<Record<Directory['standing']['kind'], string>> = {
  online: 'online',
  failed: 'OFFLINE',
  answersError: 'ERROR',
  missing: 'GONE',
  brokerDown: 'UNKNOWN',
  notAllowed: 'HIDDEN',
  notTold: 'UNKNOWN',
}

/** Once for each broker where it is about the broker, once for each directory where it is about that. */
function standingLines(directories: readonly Directory[]): string[] {
  const lines = directories.flatMap(({ standing, broker, path }) => {
    switch (standing.kind) {
      case 'online':
        return []
      case 'brokerDown':
      case 'notAllowed':
      case 'notTold':
        return [`${standingText({ broker, path: null, standing })}`]
      default:
        return [standingText({ broker, path, standing })]
    }
  })
  return [...new Set(lines)]
}

function consequenceLines(
  { broker, path, standing, held, madeAnew, ledFromFailed }: Directory,
  all: boolean,
): string[] {
  const lines: string[] = []
  const failed = standing.kind === 'failed' || standing.kind === 'answersError'
  if (failed && held !== null && held.partitions.length > 0) {
    const leaderless = held.partitions.filter(({ leader }) => leader === null)
    const inOne = held.exact ? '' : ' (or in another failed directory of it)'
    lines.push(
      `broker ${broker}, ${path}: ${counted(held.partitions.length, 'replica')} offline${inOne}: ${namesText(held.partitions, all)}`,
    )
    if (leaderless.length > 0) lines.push(`  of them without a leader: ${namesText(leaderless, all)}`)
  }
  if (standing.kind === 'brokerDown' && held !== null && held.partitions.length > 0) {
    const how = held.source === 'noted' ? 'had failed, and held' : 'held, when it was seen last,'
    lines.push(`broker ${broker}, ${path}: ${how} ${counted(held.partitions.length, 'replica')}`)
  }
  if (ledFromFailed.length > 0) {
    lines.push(
      `broker ${broker}: leads ${counted(ledFromFailed.length, 'partition')} from a failed directory, though the metadata shows no error: ${namesText(ledFromFailed, all)}`,
    )
  }
  if (madeAnew.length > 0) {
    lines.push(
      `broker ${broker}, ${path}: ${counted(madeAnew.length, 'replica')} made anew, near-empty, that ${madeAnew.length === 1 ? 'was' : 'were'} in ${[...new Set(madeAnew.map(({ from }) => from))].join(', ')}: ${namesText(madeAnew, all)}`,
    )
  }
  return lines
}
