import { partitionName } from '../../../cluster/snapshot.js'
import { betterMissingBrokers } from '../../../recovery/diagnosis/decision-groups.js'
import { decisionRow, type ReplicaStanding } from '../../../recovery/diagnosis/decision-row.js'
import type { DiagnosedPartition, OfflineSince } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { DraftChoice } from '../../../recovery/drafts/draft.js'
import { clockText, wholeNumber } from '../../layout/amounts.js'

/** The texts of one row of a list of partitions. */
export interface PartitionCells {
  readonly name: string
  /** The code, whom it waits for, or who blocks it. */
  readonly why: string
  /** "7x 2+ 4+" */
  readonly replicas: string
  readonly best: string
  /** "88,120 (12)" */
  readonly end: string
  /** "361 + ?"; "-": nobody can be elected. */
  readonly loss: string
  readonly lossOpen: boolean
  readonly since: string
}

const SIGNS: Readonly<Record<ReplicaStanding, string>> = {
  read: '+',
  empty: 'e',
  down: 'x',
  fenced: 'f',
  offlineLogDir: 'd',
  late: '?',
  unread: '?',
  notYet: '.',
}

/** What the signs behind the broker ids mean. */
export const SIGNS_LEGEND = '+ read  e empty  x down  f fenced  d disk failed  ? unread'

const NO_TOPICS: ReadonlySet<string> = new Set()
const known = new WeakMap<DiagnosedPartition, PartitionCells>()

/** Worked out once for each partition object. */
export function partitionCells(partition: DiagnosedPartition): PartitionCells {
  let cells = known.get(partition)
  if (cells === undefined) {
    cells = makeCells(partition)
    known.set(partition, cells)
  }
  return cells
}

const knownWords = new WeakMap<DiagnosedPartition, string>()

/** Every word of a row, in lower case, for a filter that looks at all of them. Only the text is kept, not the cells of what nobody sees. */
export function partitionWords(partition: DiagnosedPartition): string {
  let words = knownWords.get(partition)
  if (words === undefined) {
    const { name, why, replicas, best, end, loss, since } = known.get(partition) ?? makeCells(partition)
    words = `${name}  ${why}  ${replicas}  ${best}  ${end}  ${loss}  ${since}`.toLowerCase()
    knownWords.set(partition, words)
  }
  return words
}

/**
 * Works the words out ahead, in slices: the first key of a filter over a hundred thousand rows would else wait half a second for them. The
 * newest list takes the place of one that is under way.
 */
export function wordsAhead(): (partitions: readonly DiagnosedPartition[]) => void {
  let wanted: readonly DiagnosedPartition[] | null = null
  let underWay = false
  const work = async () => {
    while (wanted !== null) {
      const partitions = wanted
      wanted = null
      for (const [index, partition] of partitions.entries()) {
        if (partition.decided !== null) partitionWords(partition)
        if (index % SLICE === SLICE - 1) await new Promise<void>((resolve) => setImmediate(resolve))
        if (wanted !== null) break
      }
    }
    underWay = false
  }
  let last: readonly DiagnosedPartition[] | null = null
  return (partitions) => {
    if (partitions === last) return
    last = partitions
    wanted = partitions
    if (underWay) return
    underWay = true
    void work()
  }
}

/** Rows between two looks at keys: about a millisecond. */
const SLICE = 200

/** What electing the best read would lose at least; null: nobody can be elected, or it is not known. */
export function lostAtLeast(partition: DiagnosedPartition): number | null {
  const { decided } = partition
  if (decided !== null && 'designatedLeader' in decided) return decided.loss.atLeast
  return decided === null ? null : (decisionRow(partition, NO_TOPICS).loss?.atLeast ?? null)
}

function makeCells(partition: DiagnosedPartition): PartitionCells {
  const { best, loss, replicas } = decisionRow(partition, NO_TOPICS)
  return {
    name: partitionName(partition),
    why: whyText(partition),
    replicas: replicas.map(({ broker, standing }) => `${broker}${SIGNS[standing]}`).join(' '),
    best: partition.decided === null ? '?' : best === null ? 'none' : String(best.broker),
    end:
      best === null
        ? '-'
        : `${wholeNumber(best.end)} (${best.epoch.kind === 'epoch' ? best.epoch.epoch : best.epoch.kind === 'none' ? 'empty' : '?'})`,
    loss: partition.decided === null ? '?' : loss === null ? '-' : lossText(loss),
    lossOpen: loss?.open ?? true,
    since: sinceText(partition.since),
  }
}

function whyText(partition: DiagnosedPartition): string {
  const { decided, group } = partition
  if (decided === null) return 'being read'
  if (group.startsWith('waits-')) return `with ${group.slice('waits-'.length)}`
  if ('designatedLeader' in decided) {
    const missing = betterMissingBrokers(decided)
    return group === 'B' ? `wait for ${missing.join(' ')}` : ''
  }
  return decided.code === 'blocked' && decided.blockedBy !== null ? `blocked by ${decided.blockedBy}` : decided.code
}

/** "361", or "361 + ?" while some replica is unread: never a bare number then. */
export function lossText({ atLeast, open }: { readonly atLeast: number; readonly open: boolean }): string {
  return open ? `${wholeNumber(atLeast)} + ?` : wholeNumber(atLeast)
}

/** "before 03:07": it was offline already when the console opened. */
export function sinceText({ kind, at }: OfflineSince): string {
  return kind === 'before' ? `before ${clockText(at)}` : clockText(at)
}

/** What was decided by hand, as a list shows it. */
export function choiceText(choice: DraftChoice | undefined): string | null {
  switch (choice?.kind) {
    case undefined:
      return null
    case 'leader':
      return `by hand: ${choice.planned.designatedLeader}`
    case 'accepted':
      return `accepted: ${choice.planned.designatedLeader}`
    case 'takenOut':
      return 'taken out'
  }
}
