/** What a list shows now, after filter and sort. Keys are unique; `keyAt` is called with 0 to length - 1. */
export interface RowKeys {
  readonly length: number
  keyAt(index: number): string
  /** Where the cursor begins in a list that is opened; not given: on the first row. Null: not yet, what matters may still come. */
  readonly start?: number | null
}

/** Where the drawn window begins; drawing memory of the list component, no part of what the list means. Row counts. */
export interface ListWindow {
  top: number
  height: number
}

/** Everything that one list remembers. Rows are named by their key alone: rows move, come and go under the operator's hands. */
export interface ListState {
  /** The row that keys act on; null: nothing was ever in the list. It may have left the list: see `cursorOf`. */
  readonly cursor: string | null
  /** Where that row was when last seen: its place if it is gone. */
  readonly index: number
  readonly marks: ReadonlySet<string>
  readonly range: MarkRange | null
  readonly filter: string
  /** Id of the sort order; null: the screen's own first one. */
  readonly sort: string | null
  readonly window: ListWindow
}

/** A range that is being marked: it grows and shrinks with the cursor. */
export interface MarkRange {
  readonly anchor: string
  /** Marks from before: taking the range back does not take these. */
  readonly before: ReadonlySet<string>
  /** Begun by `V`, until `V` or `esc`; `shift`: until a move without shift. */
  readonly by: 'V' | 'shift'
}

const NO_MARKS: ReadonlySet<string> = new Set()

export function newList(): ListState {
  return {
    cursor: null,
    index: 0,
    marks: NO_MARKS,
    range: null,
    filter: '',
    sort: null,
    window: { top: 0, height: 1 },
  }
}

/** Where the cursor stands. `key` null: the list is empty, or the row is gone; then keys act on nothing until the cursor is moved. */
export interface Cursor {
  readonly index: number
  readonly key: string | null
  readonly gone: string | null
}

export function cursorOf(list: ListState, rows: RowKeys): Cursor {
  if (list.cursor === null) return { index: 0, key: null, gone: null }
  const index = indexOf(rows, list.cursor, list.index)
  if (index !== null) return { index, key: list.cursor, gone: null }
  return { index: Math.max(0, Math.min(list.index, rows.length - 1)), key: null, gone: list.cursor }
}

/**
 * Brings the state up to date with rows that changed: the cursor stays on its key, and its line stays where it is on the screen. A list that was
 * never filled puts its cursor on the first row, once: after that it never changes by itself which row is meant.
 */
export function settle(list: ListState, rows: RowKeys): ListState {
  if (list.cursor === null) {
    if (rows.length === 0 || rows.start === null) return list
    const index = Math.max(0, Math.min(rows.start ?? 0, rows.length - 1))
    return { ...list, cursor: rows.keyAt(index), index }
  }
  const index = indexOf(rows, list.cursor, list.index)
  if (index === null || index === list.index) return list
  list.window.top += index - list.index
  return { ...list, index }
}

/** Where a move leads: by so many rows, or to a row counted from the start (negative: from the end). */
export type Move = { readonly by: number } | { readonly to: number }

/** Moves the cursor; a range that is being marked moves with it. `shift`: the move marks what it passes. */
export function moveCursor(list: ListState, rows: RowKeys, move: Move, shift = false): ListState {
  if (rows.length === 0) return list
  const from = cursorOf(list, rows)
  const last = rows.length - 1
  // Where the row is gone the next one took its place: a step down leads there, not past it.
  const by = 'by' in move ? move.by - (from.key === null && from.gone !== null && move.by > 0 ? 1 : 0) : 0
  const wanted = 'to' in move ? (move.to < 0 ? last + 1 + move.to : move.to) : from.index + by
  const index = Math.max(0, Math.min(last, wanted))
  const moved = { ...list, cursor: rows.keyAt(index), index }
  let range = list.range
  if (shift && range === null && from.key !== null) range = { anchor: from.key, before: list.marks, by: 'shift' }
  if (!shift && range?.by === 'shift') range = null
  if (range === null) return { ...moved, range }
  return { ...moved, range, marks: rangeMarks(list.marks, range, rows, from.index, index) }
}

/**
 * After a filter that the operator set: `rows` are what passes it. If the cursor's row does not, the cursor goes to the first that does; it is the
 * operator's own doing, unlike a row that leaves by itself.
 */
export function filterList(list: ListState, filter: string, rows: RowKeys): ListState {
  const next = { ...list, filter, range: null }
  return cursorOf(next, rows).key === null ? { ...next, cursor: null, index: 0 } : next
}

/** Marks the row under the cursor, or takes its mark; the cursor goes one down. Where the row is gone nothing is marked. */
export function toggleMark(list: ListState, rows: RowKeys): ListState {
  const { key } = cursorOf(list, rows)
  if (key === null) return list
  const marks = new Set(list.marks)
  if (!marks.delete(key)) marks.add(key)
  return moveCursor({ ...list, marks, range: null }, rows, { by: 1 })
}

/** `V`: begins a range at the cursor, or ends it; the marks stay. */
export function toggleRange(list: ListState, rows: RowKeys): ListState {
  if (list.range !== null) return { ...list, range: null }
  const { key } = cursorOf(list, rows)
  if (key === null) return list
  return { ...list, range: { anchor: key, before: list.marks, by: 'V' }, marks: new Set(list.marks).add(key) }
}

export function endRange(list: ListState): ListState {
  return list.range === null ? list : { ...list, range: null }
}

export function unmarkAll(list: ListState): ListState {
  return { ...list, marks: NO_MARKS, range: null }
}

/** A mark set by the screen itself (all of a group, none of what is done). */
export function withMarks(list: ListState, marks: ReadonlySet<string>): ListState {
  return { ...list, marks, range: null }
}

/**
 * Marks what the cursor passed on its way from `from` to `to` away from the anchor, and takes back what it passed towards it. Only rows that
 * were passed change: what the list put between them meanwhile was never seen by the operator.
 */
function rangeMarks(
  marks: ReadonlySet<string>,
  range: MarkRange,
  rows: RowKeys,
  from: number,
  to: number,
): ReadonlySet<string> {
  const anchor = indexOf(rows, range.anchor, from)
  const next = new Set(marks)
  const low = Math.min(from, to)
  const high = Math.max(from, to)
  for (let index = low; index <= high; index += 1) {
    const key = rows.keyAt(index)
    const inside = anchor === null || (index >= Math.min(anchor, to) && index <= Math.max(anchor, to))
    if (inside) next.add(key)
    else if (!range.before.has(key)) next.delete(key)
  }
  return next
}

/** Looks where it was first, then around it, then everywhere: lists of 100,000 rows mostly move a little. */
export function indexOf(rows: RowKeys, key: string, hint: number): number | null {
  const { length } = rows
  const start = Math.max(0, Math.min(hint, length - 1))
  for (let distance = 0; distance < length; distance += 1) {
    const below = start + distance
    const above = start - distance
    if (above < 0 && below >= length) break
    if (below < length && rows.keyAt(below) === key) return below
    if (above >= 0 && rows.keyAt(above) === key) return above
  }
  return null
}
