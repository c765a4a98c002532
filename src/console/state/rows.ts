import type { ListState, RowKeys } from './list-state.js'

/** An order that `s` can choose. */
export interface SortOrder<Row> {
  readonly id: string
  /** What it is called on screen: "by name". */
  readonly label: string
  /** Negative: `a` first. Null: as the rows come. */
  readonly compare: ((a: Row, b: Row) => number) | null
}

/** A list after filter and sort, as the list keys see it. */
export interface ListRows extends RowKeys {
  /** How many there are without the filter. */
  readonly total: number
  readonly sort: { readonly id: string; readonly label: string } | null
  /** Ids of the sort orders, for `s`. */
  readonly sorts: readonly string[]
  /** False: marks mean nothing here, and are not offered. */
  readonly markable?: boolean
}

/** The same with the rows themselves. */
export interface Rows<Row> extends ListRows {
  readonly rows: readonly Row[]
}

/** What a list is made of. */
export interface RowKind<Row> {
  key(row: Row): string
  /** Every word that shows on the row, for the filter. Asked once for each row object. */
  words(row: Row): string
  /** `words` are in lower case, and remembered by whoever makes them: asked again each time. */
  readonly wordsKept?: boolean
  /** The first is the list's own order. */
  readonly sorts: readonly SortOrder<Row>[]
  readonly markable?: boolean
}

/** Literal text, without regard to case; `!` before it: rows without it. Null: everything passes. */
export function parseFilter(text: string): { readonly needle: string; readonly invert: boolean } | null {
  const invert = text.startsWith('!')
  const needle = (invert ? text.slice(1) : text).trim().toLowerCase()
  return needle === '' ? null : { needle, invert }
}

/**
 * Makes rows for a list, remembering the last answer: the same rows (by identity), filter and sort give the same object, at no cost. A filter that only
 * grew looks through what passed before. Make one for each list, outside of rendering.
 */
export function createRows<Row extends object>(
  kind: RowKind<Row>,
): (rows: readonly Row[], list: Pick<ListState, 'filter' | 'sort'>) => Rows<Row> {
  const words = new WeakMap<Row, string>()
  let sorted: { readonly from: readonly Row[]; readonly sort: string | null; readonly rows: readonly Row[] } | null =
    null
  let last: { readonly from: readonly Row[]; readonly filter: string; readonly result: Rows<Row> } | null = null

  function wordsOf(row: Row): string {
    if (kind.wordsKept === true) return kind.words(row)
    let text = words.get(row)
    if (text === undefined) {
      text = kind.words(row).toLowerCase()
      words.set(row, text)
    }
    return text
  }

  return (rows, { filter, sort }) => {
    const order = kind.sorts.find(({ id }) => id === sort) ?? kind.sorts.at(0) ?? null
    const orderId = order?.id ?? null
    if (sorted === null || sorted.from !== rows || sorted.sort !== orderId) {
      const compare = order?.compare ?? null
      sorted = { from: rows, sort: orderId, rows: compare === null ? rows : [...rows].sort(compare) }
      last = null
    }
    if (last !== null && last.from === sorted.rows && last.filter === filter) return last.result
    const wanted = parseFilter(filter)
    const narrowed = last !== null && last.from === sorted.rows && narrows(last.filter, filter)
    const base = narrowed && last !== null ? last.result.rows : sorted.rows
    const passed = wanted === null ? base : base.filter((row) => wordsOf(row).includes(wanted.needle) !== wanted.invert)
    const result: Rows<Row> = {
      rows: passed,
      total: rows.length,
      length: passed.length,
      sort: order,
      sorts: kind.sorts.map(({ id }) => id),
      markable: kind.markable ?? true,
      keyAt: (index) => {
        const row = passed[index]
        if (row === undefined) throw new RangeError(`row ${index} of ${passed.length}`)
        return kind.key(row)
      },
    }
    last = { from: sorted.rows, filter, result }
    return result
  }
}

/** Whatever passes the new filter passed the old one. */
function narrows(old: string, next: string): boolean {
  const before = parseFilter(old)
  const after = parseFilter(next)
  if (before === null) return true
  if (after === null || before.invert || after.invert) return false
  return after.needle.includes(before.needle)
}
