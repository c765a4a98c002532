import { Box } from 'ink'
import { partitionName } from '../../cluster/snapshot.js'
import { decisionRow } from '../../recovery/decision-row.js'
import type { DiagnosedPartition } from '../../recovery/diagnosed-partition.js'
import type { Screen } from '../app/screen.js'
import { Lines } from '../components/lines.js'
import { List, listPosition } from '../components/list.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../layout/columns.js'
import { span } from '../layout/line.js'
import type { ConsoleServices } from '../services.js'
import { createRows } from '../state/rows.js'

const COLUMNS: readonly ColumnSpec[] = [
  { title: 'offline partition', min: 20, want: 'rest', cut: 'middle' },
  { title: 'replicas', min: 12, want: 16, drop: 1 },
  { title: 'best read', min: 9, want: 9, align: 'right' },
  { title: 'lost at least', min: 13, want: 13, align: 'right' },
]

export function partitionsScreen(_services: ConsoleServices): Screen<ConsoleData> {
  const listRows = createRows<DiagnosedPartition>({
    key: partitionName,
    words: partitionName,
    sorts: [{ id: 'name', label: 'by name', compare: null }],
  })
  return {
    id: 'partitions',
    title: 'Partitions',
    rows: ({ data, list }) => listRows(data.diagnosis?.partitions ?? [], list),
    render({ data, list, body, look }) {
      const rows = listRows(data.diagnosis?.partitions ?? [], list)
      const widths = columnWidths(COLUMNS, body.columns - 3)
      const internal = data.diagnosis?.context.internalTopics ?? new Set<string>()
      return (
        <Box flexDirection="column">
          <Lines lines={[['   ', ...titleSpans(COLUMNS, widths, look.glyphs.ellipsis)]]} width={body.columns} />
          <List
            rows={rows}
            list={list}
            width={body.columns}
            height={body.rows - 2}
            empty={data.diagnosis === null ? 'reading' : 'no partition is offline'}
            row={(partition) => {
              const { replicas, best, loss } = decisionRow(partition, internal)
              return rowSpans(
                COLUMNS,
                widths,
                [
                  partitionName(partition),
                  replicas.map(({ broker, standing }) => `${broker}${standing === 'read' ? '+' : 'x'}`).join(' '),
                  best === null ? '-' : String(best.broker),
                  span('unknown', loss === null ? '-' : `${wholeNumber(loss.atLeast)}${loss.open ? ' + ?' : ''}`),
                ],
                look.glyphs.ellipsis,
              )
            }}
          />
          <Lines lines={[listPosition(rows, list, look.glyphs)]} width={body.columns} />
        </Box>
      )
    },
  }
}
