import { Box } from 'ink'
import type { ReactElement } from 'react'
import { findPartition } from '../../recovery/diagnosis/diagnosis.js'
import { displayWidth } from '../../text/display-width.js'
import type { AppView, Screen } from '../app/screen.js'
import { runLines } from '../applying/run-lines.js'
import { Lines } from '../components/lines.js'
import { listLines } from '../components/list.js'
import { panelLines } from '../components/panel.js'
import { partitionsPosition } from '../components/partitions-position.js'
import type { ConsoleData } from '../console-data.js'
import { ageText, wholeNumber } from '../layout/amounts.js'
import { type ColumnSpec, type ColumnWidths, columnWidths, rowSpans, titleSpans } from '../layout/columns.js'
import { type Line, type Span, span } from '../layout/line.js'
import { factLines, headingLines, sentenceLines } from '../layout/sentence.js'
import { PLAN_SCREEN } from '../planning/open-plan.js'
import { type OpenedPlan, planToElect } from '../planning/opened-plan.js'
import { planActions } from '../planning/plan-actions.js'
import { isPartitionKey, type PlanRow, planRows, planRowWords } from '../planning/plan-rows.js'
import { codesText, evidenceTime, lossOf, lostText } from '../planning/plan-words.js'
import { rowDetails } from '../planning/row-details.js'
import type { ConsoleServices } from '../services.js'
import { cursorOf } from '../state/list-state.js'
import { createRows, type Rows } from '../state/rows.js'
import { plannedScreen } from './planned.js'

/** With changes there is more to say of a row. Not by what is in sight: columns must not jump while the list scrolls. */
const columnsFor = (changed: boolean): readonly ColumnSpec[] => [
  { title: 'partition', min: 20, want: 'rest', cut: 'middle' },
  { title: 'leader', min: 6, want: 6, align: 'right' },
  { title: 'method', min: 7, want: 7, drop: 3 },
  { title: 'Kafka', min: 5, want: 5, align: 'right', drop: 2 },
  { title: 'lost at least', min: 13, want: 13, align: 'right' },
  { title: 'said of it', min: 11, want: changed ? 50 : 26, drop: 1 },
]

const NO_ROWS: readonly PlanRow[] = []

/** The dry run: what would be elected, what that loses, what is left, and every request. While a recovery runs: its progress. */
export function planScreens(services: ConsoleServices): Screen<ConsoleData>[] {
  const listRows = createRows<PlanRow>({
    key: ({ key }) => key,
    words: planRowWords,
    sorts: [
      { id: 'plan', label: 'as carried out', compare: null },
      { id: 'loss', label: 'most lost first', compare: (a, b) => lossIn(b) - lossIn(a) },
    ],
  })
  let last: { readonly plan: OpenedPlan; readonly width: number; readonly rows: readonly PlanRow[] } | null = null

  const rowsOf = ({ data, body }: AppView<ConsoleData>): readonly PlanRow[] => {
    const { plan } = data
    if (plan?.now == null || data.run !== null) return NO_ROWS
    const width = Math.max(20, body.columns - 4)
    // Identity of the parts: a tick of the clock must not make the rows anew.
    if (last?.plan.now === plan.now && last.plan.target === plan.target && last.width === width) return last.rows
    const rows = planRows(plan, plan.now, {
      width,
      requestTimeoutMs: services.requestTimeoutMs,
      leaderOf: (partition) => findPartition(data.watched.snapshot?.partitions ?? [], partition)?.leader ?? null,
      internalTopics: data.diagnosis?.context.internalTopics ?? new Set(),
    })
    last = { plan, width, rows }
    return rows
  }
  const rows = (view: AppView<ConsoleData>): Rows<PlanRow> => listRows(rowsOf(view), view.list)

  const screen: Screen<ConsoleData> = {
    id: PLAN_SCREEN,
    title: 'Plan',
    tab: { digit: 4, label: () => 'Plan' },
    rows,
    mayMark: isPartitionKey,
    render: (view) => {
      if (view.data.run !== null) return <Lines lines={runLines(view, view.data.run)} width={view.body.columns} />
      return view.data.plan?.now == null ? nothingPlanned(view) : planBody(view, rows(view), rowsOf(view))
    },
    actions: planActions(services, (view) => rows(view)),
  }
  const rowNamed = (view: AppView<ConsoleData>, name: string) => rowsOf(view).find(({ key }) => key === name)
  return [screen, plannedScreen(rowNamed)]
}

function lossIn(row: PlanRow): number {
  return row.kind === 'elect' ? row.planned.loss.atLeast : row.kind === 'text' ? -2 : -1
}

function nothingPlanned({ body }: AppView<ConsoleData>): ReactElement {
  const text = 'Nothing is planned. In Partitions: p plans what is marked, else what the filter shows, else the group.'
  return <Lines lines={['', ...sentenceLines(text, body.columns)]} width={body.columns} />
}

function planBody(view: AppView<ConsoleData>, rows: Rows<PlanRow>, all: readonly PlanRow[]): ReactElement {
  const { list, body, look, data } = view
  const details = detailLines(view, rows)
  const head = headLines(view)
  const columns = columnsFor((data.plan?.now?.changed.size ?? 0) > 0)
  const widths = columnWidths(columns, body.columns - 3)
  const height = Math.max(1, body.rows - head.length - 1 - details.length - 1)
  return (
    <Box flexDirection="column">
      <Lines
        lines={[
          ...head,
          ['   ', ...titleSpans(columns, widths, look.glyphs.ellipsis)],
          ...listLines(
            {
              rows,
              list,
              width: body.columns,
              height,
              empty: data.plan?.now == null ? '   reading' : '   nothing passes the filter',
              row: (row) => rowLine(row, columns, widths, look.glyphs.ellipsis),
            },
            look.glyphs,
          ),
          ...details,
          partitionsPosition(rows, all, list, look.glyphs),
        ]}
        width={body.columns}
      />
    </Box>
  )
}

function headLines({ data, body, look }: AppView<ConsoleData>): Line[] {
  const { plan, now: time, diagnosis } = data
  if (plan?.now == null) return []
  const toElect = planToElect(plan.now)
  const { partitions, skipped } = toElect
  const oldest = evidenceTime(toElect, diagnosis)
  const age = oldest === null ? '' : `logs read ${ageText(time.getTime() - oldest.getTime())}`
  const title = `${plan.file?.kind === 'opened' ? `Plan ${plan.file.path}: ` : 'Plan for '}${plan.scope.title}`
  const { notRead, gone } = plan.now.selection
  const facts: Span[] = [
    partitions.length === 0
      ? span('title', 'nothing to elect')
      : span('title', `${wholeNumber(partitions.length)} to elect, lost at least ${lostText(lossOf(partitions))}`),
  ]
  if (plan.now.changed.size > 0)
    facts.push(span('danger', `${wholeNumber(plan.now.changed.size)} CHANGED: c takes over`))
  if (skipped.length > 0)
    facts.push(span('warning', `${wholeNumber(skipped.length)} left to you: ${codesText(skipped)}`))
  if (notRead.length > 0) facts.push(`${wholeNumber(notRead.length)} being read`)
  if (gone.length > 0) facts.push(`${wholeNumber(gone.length)} not offline any more`)
  return [
    ...headingLines(title, look.profile.screenReader ? '' : [span('muted', age)], body.columns),
    ...factLines(facts, body.columns),
  ]
}

function rowLine(row: PlanRow, columns: readonly ColumnSpec[], widths: ColumnWidths, ellipsis: string): Line {
  switch (row.kind) {
    case 'elect': {
      const { planned, changed } = row
      const codes = planned.warnings.map(({ code }) => code).filter((code) => code !== 'loss')
      const says = [...(planned.byHand ? ['by hand'] : []), ...codes]
      return rowSpans(
        columns,
        widths,
        [
          row.key,
          changed === null ? String(planned.designatedLeader) : span('danger', '-'),
          planned.method,
          planned.kafkaWouldElect === null ? '-' : String(planned.kafkaWouldElect),
          span(planned.loss.known === null ? 'unknown' : 'plain', lostText(planned.loss)),
          changed === null
            ? span('warning', says.length === 0 ? 'as planned' : asManyAsFit(says, widths.at(-1) ?? 0))
            : span('danger', whole(`CHANGED: ${changed}`, 'CHANGED', widths.at(-1) ?? 0)),
        ],
        ellipsis,
      )
    }
    case 'left':
      return leftLine(row, columns, widths, ellipsis)
    case 'aside':
      return rowSpans(columns, widths, [row.key, '-', '-', '-', '-', span('muted', row.why)], ellipsis)
    case 'text':
      return row.line
  }
}

/** The end of a sentence about a change is its point: without room for it only that it changed, and the details below the list say what. */
function whole(text: string, short: string, width: number): string {
  return displayWidth(text) <= width ? text : short
}

/** Whole words, and how many more there are: "betterMissing +2". */
function asManyAsFit(words: readonly string[], width: number): string {
  for (let count = words.length; count > 1; count -= 1) {
    const more = words.length - count
    const text = `${words.slice(0, count).join(' ')}${more === 0 ? '' : ` +${more}`}`
    if (text.length <= width) return text
  }
  return `${words[0] ?? ''}${words.length > 1 ? ` +${words.length - 1}` : ''}`
}

function leftLine(
  { key, skipped }: Extract<PlanRow, { kind: 'left' }>,
  columns: readonly ColumnSpec[],
  widths: ColumnWidths,
  ellipsis: string,
): Line {
  const kafka = skipped.kafkaWouldElect === null ? '-' : String(skipped.kafkaWouldElect)
  return rowSpans(
    columns,
    widths,
    [key, '-', '-', kafka, span('warning', 'left to you'), span('warning', skipped.code)],
    ellipsis,
  )
}

/** What is said of the row under the cursor, in whole sentences, as far as there is room; `i` shows all of it. */
function detailLines({ list, body, look }: AppView<ConsoleData>, rows: Rows<PlanRow>): Line[] {
  const { key, index } = cursorOf(list, rows)
  const row = key === null ? undefined : rows.rows[index]
  if (row === undefined || row.kind === 'text')
    return panelLines({ title: '', lines: [], width: body.columns, height: 1 }, look.glyphs)
  const lines = rowDetails(row, body.columns)
  const height = Math.min(lines.length + 1, Math.max(3, Math.floor(body.rows * 0.3)))
  return panelLines({ title: row.key, lines, width: body.columns, height }, look.glyphs)
}
