import type { AppView, Screen } from '../app/screen.js'
import { Lines } from '../components/lines.js'
import { List, positionLine } from '../components/list.js'
import type { ConsoleData } from '../console-data.js'
import { type Line, plainText } from '../layout/line.js'
import { PLANNED_SCREEN } from '../planning/plan-actions.js'
import type { PlanRow } from '../planning/plan-rows.js'
import { rowDetails } from '../planning/row-details.js'
import { createRows, type Rows } from '../state/rows.js'

interface TextRow {
  readonly key: string
  readonly line: Line
}

/** All that is said of one partition of the plan, in whole sentences. */
export function plannedScreen(
  rowNamed: (view: AppView<ConsoleData>, name: string) => PlanRow | undefined,
): Screen<ConsoleData> {
  const listRows = createRows<TextRow>({
    key: ({ key }) => key,
    markable: false,
    words: ({ line }) => plainText(line),
    sorts: [{ id: 'as said', label: 'as said', compare: null }],
  })
  let last: { readonly row: PlanRow; readonly width: number; readonly rows: readonly TextRow[] } | null = null
  const rows = (view: AppView<ConsoleData>): Rows<TextRow> => {
    const row = rowNamed(view, view.view.params.partition ?? '')
    if (row === undefined || row.kind === 'text') return listRows([], view.list)
    const width = view.body.columns - 4
    if (last?.row !== row || last.width !== width) {
      last = { row, width, rows: rowDetails(row, width).map((line, index) => ({ key: `#${index}`, line })) }
    }
    return listRows(last.rows, view.list)
  }
  return {
    id: PLANNED_SCREEN,
    title: 'Planned partition',
    rows,
    render: (view) => (
      <>
        <List
          rows={rows(view)}
          list={view.list}
          width={view.body.columns}
          height={view.body.rows - 1}
          empty="it is not in the plan any more"
          row={({ line }) => line}
        />
        <Lines lines={[positionLine(rows(view), view.list, view.look.glyphs)]} width={view.body.columns} />
      </>
    ),
  }
}
