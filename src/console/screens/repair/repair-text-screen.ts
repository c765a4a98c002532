import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { type Line, plainText } from '../../layout/line.js'
import { sentenceLines } from '../../layout/sentence.js'
import { REPAIR_TEXT_SCREEN, repairOf } from '../../repairing/repair-state.js'
import { createRows, type Rows } from '../../state/rows.js'
import { repairRows } from './repair-rows.js'

interface TextRow {
  readonly key: string
  readonly line: Line
}

/** All that is said of one row of a repair, line by line: every partition by its name. */
export function repairTextScreen(): Screen<ConsoleData> {
  const make = createRows<TextRow>({
    key: ({ key }) => key,
    markable: false,
    words: ({ line }) => plainText(line),
    sorts: [{ id: 'told', label: 'as told', compare: null }],
  })
  let last: { readonly of: readonly unknown[]; readonly rows: readonly TextRow[] } | null = null
  const rowsOf = (view: AppView<ConsoleData>): Rows<TextRow> => {
    const { data, body: size, list } = view
    const of = [repairOf(data, view.view)?.repair, view.view.params.of, size.columns]
    if (last === null || of.some((part, index) => part !== last?.of[index])) {
      last = { of, rows: textLines(view).map((line, index) => ({ key: `#${index}`, line })) }
    }
    return make(last.rows, list)
  }
  return {
    id: REPAIR_TEXT_SCREEN,
    title: 'Details of a repair',
    rows: rowsOf,
    render: (view) => {
      const { body: size, list, look } = view
      const rows = rowsOf(view)
      const head = sentenceLines(titleOf(view), size.columns, 'title')
      const lines = [
        ...head,
        ...listLines(
          {
            rows,
            list,
            width: size.columns,
            height: Math.max(1, size.rows - head.length - 1),
            empty: '   not read yet',
            row: ({ line }) => line,
          },
          look.glyphs,
        ),
        positionLine(rows, list, look.glyphs),
      ]
      return body(lines, size)
    },
  }
}

function rowIn({ data, view, look }: AppView<ConsoleData>) {
  const state = repairOf(data, view)
  return state === null ? undefined : repairRows(state, look.glyphs).find(({ key }) => key === view.params.of)
}

function titleOf(view: AppView<ConsoleData>): string {
  const row = rowIn(view)
  return row?.step?.title ?? TITLES[row?.key ?? ''] ?? ''
}

const TITLES: Readonly<Record<string, string>> = {
  known: 'What is known',
  cost: 'What a restart costs',
  return: 'The replicas',
}

function textLines(view: AppView<ConsoleData>): Line[] {
  return rowIn(view)?.lines(view.body.columns - 4, true, view.data) ?? []
}
