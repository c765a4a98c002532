import type { PartitionEvidence, ReplicaRead } from '../../cluster/replica-log.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { RankedReplica } from '../../recovery/planning/plan.js'
import { columns } from './columns.js'
import { byTopic, EXAMPLES, examplesOf, listsEach } from './grouping.js'
import type { PlanTextOptions } from './plan-text.js'
import { bytesText, counted, numberText } from './words.js'

interface Compared {
  readonly evidence: PartitionEvidence
  readonly ranking: readonly RankedReplica[]
}

/** Up to so many partitions every replica is a row. */
const LISTED_PARTITIONS = 50

/** Every replica's log, one row each, partitions one below the other; of very many a summary by topic, and some of them. */
export function replicasText(partitions: readonly Compared[], { width, all }: PlanTextOptions): string[] {
  if (partitions.length === 0) return []
  if (listsEach(partitions.length, all, LISTED_PARTITIONS)) return [...rows(partitions, width), ...notes(partitions)]
  const named = partitions.map((one) => ({ ...one, ...one.evidence.state }))
  const some = examplesOf(named)
  return [
    ...rows(some, width),
    ...notes(partitions),
    `these are ${EXAMPLES} of ${counted(partitions.length, 'partition')} (--all lists every one); by topic:`,
    ...columns(
      [
        { title: 'TOPIC', mayCut: true },
        { title: 'PARTITIONS', align: 'right' },
        { title: 'NO LEADER', align: 'right' },
        { title: 'ALL READ', align: 'right' },
        { title: 'SOME READ', align: 'right' },
        { title: 'NONE READ', align: 'right' },
      ],
      byTopic(named).map(([topic, same]) => topicRow(topic, same)),
      width,
    ),
  ]
}

function topicRow(topic: string, partitions: readonly Compared[]): string[] {
  const read = partitions.map(({ evidence }) => {
    const number = evidence.replicas.filter(({ kind }) => kind === 'read').length
    return number === 0 ? 'none' : number === evidence.replicas.length ? 'all' : 'some'
  })
  const number = (which: 'all' | 'some' | 'none') => numberText(read.filter((one) => one === which).length)
  const leaderless = partitions.filter(({ evidence }) => evidence.state.leader === null).length
  return [topic, numberText(partitions.length), numberText(leaderless), number('all'), number('some'), number('none')]
}

function rows(partitions: readonly Compared[], width: number | null): string[] {
  return columns(
    [
      { title: 'PARTITION', mayCut: true },
      { title: 'LEADER', align: 'right', drop: 3 },
      { title: 'REPLICA', align: 'right' },
      { title: 'RANK', align: 'right' },
      { title: 'LAST EPOCH', short: 'EPOCH', align: 'right' },
      { title: 'LOG START', short: 'START', align: 'right', drop: 4 },
      { title: 'LOG END', short: 'END', align: 'right' },
      { title: 'HIGH WATERMARK', short: 'HWM', align: 'right', drop: 2 },
      { title: 'SIZE', align: 'right', drop: 1 },
      { title: 'ROLE' },
      { title: 'NOTE', mayCut: true },
    ],
    partitions.flatMap(({ evidence, ranking }) =>
      evidence.replicas.map((replica) =>
        replicaRow(
          evidence,
          replica,
          ranking.find(({ broker }) => broker === replica.broker),
        ),
      ),
    ),
    width,
  )
}

function replicaRow(evidence: PartitionEvidence, replica: ReplicaRead, ranked: RankedReplica | undefined): string[] {
  const { state } = evidence
  const log = replica.kind === 'read' ? replica : replica.shown
  const lastEpoch = log?.lastWrittenEpoch
  return [
    partitionName(state),
    state.leader === null ? 'none' : String(state.leader),
    String(replica.broker),
    ranked?.rank === null || ranked === undefined ? '-' : String(ranked.rank),
    lastEpoch === undefined
      ? '?'
      : lastEpoch.kind === 'epoch'
        ? String(lastEpoch.epoch)
        : lastEpoch.kind === 'none'
          ? 'none'
          : '?',
    numberText(log?.logStartOffset ?? null),
    numberText(log?.logEndOffset ?? null),
    numberText(log?.highWatermark ?? null),
    bytesText(log?.sizeBytes ?? null),
    roleText(evidence, replica.broker),
    noteOf(replica, ranked) ?? log?.logDir ?? '',
  ]
}

/** Why it is no candidate, in a word; the whole text stands once below. Null: it is one. */
function noteOf(replica: ReplicaRead, ranked: RankedReplica | undefined): string | null {
  if (replica.kind === 'read') return ranked?.eligible === false ? 'NOT ELIGIBLE' : null
  switch (replica.cause) {
    case 'down':
    case 'fenced':
    case 'late':
      return replica.cause.toUpperCase()
    case 'offlineLogDir':
      return 'DIR OFFLINE'
    default:
      return 'NOT READ'
  }
}

/** Each reason once, with the brokers and how many replicas it is told of. */
function notes(partitions: readonly Compared[]): string[] {
  const found = new Map<string, number>()
  for (const { evidence, ranking } of partitions) {
    for (const replica of evidence.replicas) {
      const ranked = ranking.find(({ broker }) => broker === replica.broker)
      const note = noteOf(replica, ranked)
      if (note === null) continue
      const reason = ranked?.reason ?? (replica.kind === 'notRead' ? replica.reason : '')
      const line = `${note}, broker ${replica.broker}: ${reason}`
      found.set(line, (found.get(line) ?? 0) + 1)
    }
  }
  const lines = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = lines.slice(0, EXAMPLES)
  return [
    ...shown.map(([line, number]) => (partitions.length === 1 ? line : `${line} (${counted(number, 'replica')})`)),
    ...(lines.length > shown.length ? [`and ${counted(lines.length - shown.length, 'other reason')}`] : []),
  ]
}

function roleText({ state }: PartitionEvidence, broker: number): string {
  const roles = [
    ...(state.isr.includes(broker) ? ['ISR'] : []),
    ...(state.elr?.includes(broker) ? ['ELR'] : []),
    ...(state.lastKnownElr?.includes(broker) ? ['last known'] : []),
  ]
  return roles.length === 0 ? '-' : roles.join(', ')
}
