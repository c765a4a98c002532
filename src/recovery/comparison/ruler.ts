import type { ReplicaLog } from '../../cluster/replica-log.js'
import { isEmptyLog } from '../planning/rank.js'
import { hasUnknownEpochs } from '../planning/truncation.js'

/** Offsets from (inclusive) to (exclusive) of one log, all of one leader epoch; null: they have none. */
export interface EpochSegment {
  readonly from: number
  readonly to: number
  readonly epoch: number | null
}

/** Where logs stop being the same. Offsets. */
export interface Parting {
  /** The first offset that is not the same in all of them; the longest one's end where nothing differs. */
  readonly at: number
  /** From here up to `at` all hold the same; null: they have nothing in common. */
  readonly sameFrom: number | null
  /** Logs that could be compared: neither empty nor without epochs. */
  readonly compared: readonly number[]
}

/** The part of a log from `from` on, split where its leader epoch changes; ascending, without gaps. */
export function epochSegments(log: ReplicaLog, from: number): EpochSegment[] {
  const start = Math.max(from, log.logStartOffset)
  if (log.logEndOffset <= start) return []
  const segments: EpochSegment[] = []
  const add = (segmentStart: number, end: number, epoch: number | null) => {
    const clipped = { from: Math.max(segmentStart, start), to: Math.min(end, log.logEndOffset), epoch }
    if (clipped.to > clipped.from) segments.push(clipped)
  }
  add(log.logStartOffset, log.epochs[0]?.startOffset ?? log.logEndOffset, null)
  log.epochs.forEach(({ epoch, startOffset }, index) => {
    add(startOffset, log.epochs[index + 1]?.startOffset ?? log.logEndOffset, epoch)
  })
  return segments
}

/**
 * The end of the smallest common prefix of these logs: two records are the same where epoch and offset are. Begins at the
 * highest log start, since retention at the head is no divergence. Empty logs, and those without epochs, are left out. Null: no
 * log can be compared.
 */
export function partingOf(logs: readonly ReplicaLog[]): Parting | null {
  const compared = logs.filter((log) => !isEmptyLog(log) && !hasUnknownEpochs(log))
  const [first] = compared
  if (first === undefined) return null
  const ids = compared.map(({ broker }) => broker)
  const start = Math.max(...compared.map(({ logStartOffset }) => logStartOffset))
  const end = Math.min(...compared.map(({ logEndOffset }) => logEndOffset))
  if (end <= start) {
    // One ends before another begins: from the end of the shortest there is nothing to compare.
    return { at: end, sameFrom: null, compared: ids }
  }
  const at = Math.min(end, ...compared.map((log) => firstDifference(first, log, start, end)))
  return { at, sameFrom: at > start ? start : null, compared: ids }
}

/** In [from, to), which both hold; `to` where nothing differs. */
function firstDifference(a: ReplicaLog, b: ReplicaLog, from: number, to: number): number {
  const others = epochSegments(b, from)
  let index = 0
  for (const segment of epochSegments(a, from)) {
    for (;;) {
      const other = others[index]
      if (other === undefined) return to
      const start = Math.max(segment.from, other.from)
      if (start >= to) return to
      if (segment.epoch !== other.epoch) return start
      if (other.to > segment.to) break
      index += 1
      if (other.to === segment.to) break
    }
  }
  return to
}

/** A run of columns that show the same. `epoch` undefined: nothing is there. */
export interface ScaledSegment {
  readonly epoch: number | null | undefined
  readonly columns: number
}

/** The column (0 to `columns`) at which an offset stands. */
export type ColumnOf = (offset: number) => number

/**
 * A scale for several rows: in proportion, but every stretch between two neighbouring cuts gets a column at least, as long as
 * there are enough, so that a difference of one offset among millions is seen. The same offset is at the same column in each row.
 * `cuts`: the offsets where some row changes, in any order.
 */
export function columnScale(cuts: readonly number[], from: number, to: number, columns: number): ColumnOf {
  const inside = cuts.filter((cut) => cut > from && cut < to)
  const offsets = [...new Set([from, ...inside, to])].sort((a, b) => a - b)
  const proportional: ColumnOf = (offset) =>
    to <= from ? 0 : Math.round((Math.min(Math.max(offset - from, 0), to - from) / (to - from)) * columns)
  const stretches = offsets.length - 1
  if (stretches > columns) return proportional
  const at = new Map<number, number>()
  let last = -1
  offsets.forEach((offset, index) => {
    // Not before the one to its left, and with room for those to its right.
    last = Math.min(Math.max(proportional(offset), last + 1), columns - (stretches - index))
    at.set(offset, last)
  })
  return (offset) => at.get(Math.min(Math.max(offset, from), to)) ?? proportional(offset)
}

/**
 * Segments (ascending, not overlapping) over exactly `columns` columns, in their order; runs without a segment have epoch
 * undefined. With `columnOf` from columnScale several rows are in line with each other; else this row has a scale of its own.
 */
export function scaleSegments(
  segments: readonly EpochSegment[],
  from: number,
  to: number,
  columns: number,
  columnOf: ColumnOf = columnScale(cutsOf([segments]), from, to, columns),
): ScaledSegment[] {
  const scaled: ScaledSegment[] = []
  let column = 0
  const upTo = (end: number, epoch: ScaledSegment['epoch']) => {
    if (end > column) scaled.push({ epoch, columns: end - column })
    column = Math.max(column, end)
  }
  for (const segment of segments) {
    if (segment.to <= from || segment.from >= to) continue
    upTo(columnOf(segment.from), undefined)
    upTo(columnOf(segment.to), segment.epoch)
  }
  upTo(columns, undefined)
  return scaled
}

/** The offsets where any of these rows changes. */
export function cutsOf(rows: readonly (readonly EpochSegment[])[]): number[] {
  return rows.flatMap((segments) => segments.flatMap((segment) => [segment.from, segment.to]))
}
