import { partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import { findPartition } from '../../../recovery/diagnosis/diagnosis.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, span } from '../../layout/line.js'
import { repairKey } from '../../repairing/repair-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import { openCompare } from '../compare/open-compare.js'
import { openRow } from '../open-row.js'
import { DIR_SCREEN, dirRows } from './log-dirs-screen.js'

/** The partitions whose replica is offline because of one directory. */
export function dirScreen(): Screen<ConsoleData> {
  const make = createRows<TopicPartition>({
    key: partitionName,
    markable: false,
    words: partitionName,
    sorts: [{ id: 'name', label: 'by name', compare: null }],
  })
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>) => {
    const found = dirRows(data).find(({ dir }) => repairKey(dir) === view.params.dir)
    return make(found?.offline ?? NO_PARTITIONS, list)
  }
  return {
    id: DIR_SCREEN,
    title: 'Offline because of a log directory',
    rows: rowsOf,
    render: (view) => body(dirLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(DIR_SCREEN, { label: 'compare the replicas of this partition', hint: 'compare' }, (row, { control }) =>
        openCompare(control, row),
      ),
    ],
  }
}

const NO_PARTITIONS: readonly TopicPartition[] = []

export function dirLines(view: AppView<ConsoleData>, rows: Rows<TopicPartition>): Line[] {
  const { data, body: size, list, look } = view
  const states = data.watched.snapshot?.partitions ?? []
  const specs: readonly ColumnSpec[] = [
    { title: 'partition', min: 20, want: 'rest', cut: 'middle' },
    { title: 'leader', min: 16, want: 24 },
  ]
  const widths = columnWidths(specs, size.columns - 3)
  const { ellipsis } = look.glyphs
  return [
    [' ', span('title', `offline because of ${view.view.params.dir ?? ''}`)],
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width: size.columns,
        height: Math.max(1, size.rows - 3),
        empty: '   nothing any more',
        row: (partition) => {
          const leader = findPartition(states, partition)?.leader ?? null
          const text = leader === null ? span('offline', 'OFFLINE, no leader') : `led by ${leader}`
          return rowSpans(specs, widths, [partitionName(partition), text], ellipsis)
        },
      },
      look.glyphs,
    ),
    positionLine(rows, list, look.glyphs),
  ]
}
