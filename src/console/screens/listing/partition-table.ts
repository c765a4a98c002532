import { partitionName } from '../../../cluster/snapshot.js'
import type { DiagnosedPartition, GroupId } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { Draft } from '../../../recovery/drafts/draft.js'
import { listLines } from '../../components/list.js'
import type { Look } from '../../components/look.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, span } from '../../layout/line.js'
import type { ListState } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'
import { choiceText, partitionCells } from './partition-cells.js'

export interface PartitionTable {
  readonly rows: Rows<DiagnosedPartition>
  readonly list: ListState
  readonly group: GroupId | 'all'
  readonly draft: Draft | null
  /** Title of the first column: "in A". */
  readonly title: string
  readonly width: number
  /** Rows of the screen, the titles included. */
  readonly height: number
  readonly empty: Line
  /** Whether it has the cursor. */
  readonly active: boolean
}

/** A list of partitions with its titles. */
export function partitionTable(table: PartitionTable, look: Look): Line[] {
  const { rows, list, draft, width, height } = table
  if (height < 1) return []
  const { ellipsis } = look.glyphs
  const shown = rows.rows.slice(list.window.top, list.window.top + height)
  const specs = columnsFor(table, shown)
  const widths = columnWidths(specs, width - 3)
  const hasWhy = specs.some((spec) => spec.title === 'why')
  const row = (partition: DiagnosedPartition) => {
    const cells = partitionCells(partition)
    const choice = choiceText(draft?.entries.get(partitionName(partition))?.choice)
    return rowSpans(
      specs,
      widths,
      [
        cells.name,
        ...(hasWhy ? [choice === null ? span('warning', cells.why) : span('marked', choice)] : []),
        cells.since,
        cells.replicas,
        cells.best,
        cells.end,
        span(cells.lossOpen ? 'unknown' : 'plain', cells.loss),
      ],
      ellipsis,
    )
  }
  return [
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines({ rows, list, width, height: height - 1, row, empty: table.empty, active: table.active }, look.glyphs),
  ]
}

/** Numbers are never cut: those columns are as wide as what is in sight needs. */
function columnsFor({ group, draft, title }: PartitionTable, shown: readonly DiagnosedPartition[]): ColumnSpec[] {
  const widest = (least: number, of: (partition: DiagnosedPartition) => string) =>
    Math.max(least, ...shown.map((partition) => of(partition).length))
  const end = widest(11, (one) => partitionCells(one).end)
  const loss = widest(13, (one) => partitionCells(one).loss)
  const replicas = Math.min(
    24,
    widest(8, (one) => partitionCells(one).replicas),
  )
  const why = Math.min(
    20,
    widest(8, (one) => whyShown(one, draft)),
  )
  const hasReasons = shown.some((one) => whyShown(one, draft) !== '')
  const reasonFirst = group !== 'A' || (draft?.entries.size ?? 0) > 0
  return [
    { title, min: 18, want: 'rest', cut: 'middle' },
    ...(hasReasons ? [{ title: 'why', min: why, want: why, drop: reasonFirst ? 1 : 4 }] : []),
    { title: 'offline since', min: 13, want: 13, drop: 5 },
    { title: 'replicas', min: replicas, want: replicas, drop: 2 },
    { title: 'best read', min: 9, want: 9, align: 'right' },
    { title: 'end (epoch)', min: end, want: end, align: 'right', drop: 3 },
    { title: 'lost at least', min: loss, want: loss, align: 'right' },
  ]
}

function whyShown(partition: DiagnosedPartition, draft: Draft | null): string {
  return choiceText(draft?.entries.get(partitionName(partition))?.choice) ?? partitionCells(partition).why
}
