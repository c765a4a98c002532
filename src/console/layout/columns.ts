import { type Align, cutMiddle, pad, sized } from './cut.js'
import type { Span } from './line.js'

/** A column of a table. Widths are the screen's, not the content's: columns must not jump while a list of 100,000 rows scrolls. */
export interface ColumnSpec {
  readonly title: string
  /** Narrowest useful width, in columns. */
  readonly min: number
  /** What it takes where there is room; `rest`: everything that the others leave. */
  readonly want: number | 'rest'
  readonly align?: Align
  /** `middle`: for names; they keep their end. */
  readonly cut?: 'end' | 'middle'
  /** Dropped first where the screen is too narrow: the highest number goes first; 0 (and none) stays always. */
  readonly drop?: number
}

/** Width of each column, in the order of the specs; null: dropped. */
export type ColumnWidths = readonly (number | null)[]

const GAP = 2

/**
 * Shares `width` out: first columns are dropped until the narrowest widths fit, then each gets what it wants from left to right, then the
 * `rest` columns share what is left.
 */
export function columnWidths(specs: readonly ColumnSpec[], width: number): ColumnWidths {
  const kept = new Set(specs)
  const least = () => [...kept].reduce((sum, { min }) => sum + min, 0) + GAP * Math.max(0, kept.size - 1)
  while (least() > width) {
    const next = [...kept]
      .filter(({ drop = 0 }) => drop > 0)
      .sort((a, b) => (b.drop ?? 0) - (a.drop ?? 0))
      .at(0)
    if (next === undefined) break
    kept.delete(next)
  }
  let spare = Math.max(0, width - least())
  const widths = new Map<ColumnSpec, number>()
  for (const spec of kept) {
    const more = spec.want === 'rest' ? 0 : Math.min(spare, Math.max(0, spec.want - spec.min))
    widths.set(spec, spec.min + more)
    spare -= more
  }
  const greedy = [...kept].filter(({ want }) => want === 'rest')
  greedy.forEach((spec, index) => {
    const share = Math.floor(spare / (greedy.length - index))
    widths.set(spec, spec.min + share)
    spare -= share
  })
  return specs.map((spec) => widths.get(spec) ?? null)
}

/** A row of cells in those widths; a cell keeps its meaning. Cells are in the order of the specs, dropped ones included. */
export function rowSpans(
  specs: readonly ColumnSpec[],
  widths: ColumnWidths,
  cells: readonly Span[],
  ellipsis: string,
): Span[] {
  const spans: Span[] = []
  specs.forEach((spec, index) => {
    const width = widths[index]
    if (width === null || width === undefined) return
    const cell = cells[index] ?? ''
    const text = typeof cell === 'string' ? cell : cell.text
    const align = spec.align ?? 'left'
    const cut =
      spec.cut === 'middle' ? pad(cutMiddle(text, width, ellipsis), width, align) : sized(text, width, align, ellipsis)
    if (spans.length > 0) spans.push(' '.repeat(GAP))
    spans.push(typeof cell === 'string' ? cut : { text: cut, token: cell.token })
  })
  return spans
}

/** The titles, as a row of the same columns. */
export function titleSpans(specs: readonly ColumnSpec[], widths: ColumnWidths, ellipsis: string): Span[] {
  return rowSpans(
    specs,
    widths,
    specs.map(({ title }) => ({ text: title, token: 'muted' })),
    ellipsis,
  )
}
