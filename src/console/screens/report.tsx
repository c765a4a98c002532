import { Box } from 'ink'
import { partitionName } from '../../cluster/snapshot.js'
import type { OutcomeResult, PartitionOutcome } from '../../recovery/apply/outcome.js'
import type { AppView, Screen } from '../app/screen.js'
import type { FinishedRun } from '../applying/run-progress.js'
import { REPORT_SCREEN } from '../applying/runs.js'
import { Lines } from '../components/lines.js'
import { List } from '../components/list.js'
import { ruleLine } from '../components/panel.js'
import { partitionsPosition } from '../components/partitions-position.js'
import type { ConsoleData } from '../console-data.js'
import { durationText, wholeNumber } from '../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../layout/columns.js'
import { type Line, plainText, type Span, span } from '../layout/line.js'
import { factLines, headingLines, sentenceLines } from '../layout/sentence.js'
import { wrapSentence } from '../layout/wrap.js'
import { openPlan } from '../planning/open-plan.js'
import { lostText, partitionsText } from '../planning/plan-words.js'
import type { ConsoleServices } from '../services.js'
import { cursorOf } from '../state/list-state.js'
import { createRows, type Rows } from '../state/rows.js'

type ReportRow =
  | {
      readonly kind: 'outcome'
      readonly key: string
      readonly outcome: PartitionOutcome
      /** It has no leader by this run. */
      readonly open: boolean
      /** Some replica of it was not read: what is lost is a lower bound. */
      readonly bound: boolean
    }
  | { readonly kind: 'text'; readonly key: string; readonly line: Line }

const COLUMNS: readonly ColumnSpec[] = [
  { title: 'partition', min: 16, want: 'rest', cut: 'middle' },
  { title: 'result', min: 12, want: 16 },
  { title: 'leader', min: 6, want: 6, align: 'right' },
  { title: 'predicted', min: 9, want: 13, align: 'right', drop: 1 },
  { title: 'measured', min: 9, want: 13, align: 'right' },
]

/** What went wrong stands first. */
const ORDER: readonly OutcomeResult[] = [
  'unknown',
  'failed',
  'stale',
  'notAttempted',
  'skipped',
  'alreadyHasLeader',
  'elected',
]

/** What became of the last recovery: losses predicted and measured, what is still offline and why, and orders that were left. */
export function reportScreen(services: ConsoleServices): Screen<ConsoleData> {
  const listRows = createRows<ReportRow>({
    key: ({ key }) => key,
    markable: false,
    words: (row) =>
      row.kind === 'text'
        ? plainText(row.line)
        : `${row.key} ${row.outcome.result} ${row.outcome.code ?? ''} ${row.outcome.error ?? ''} ${row.outcome.leader ?? ''}`,
    sorts: [{ id: 'result', label: 'what went wrong first', compare: null }],
  })
  let last: { readonly run: FinishedRun; readonly width: number; readonly rows: readonly ReportRow[] } | null = null
  const rows = ({ data, body, list }: AppView<ConsoleData>): Rows<ReportRow> => {
    const run = data.finished
    if (run === null) return listRows([], list)
    if (last?.run !== run || last.width !== body.columns) {
      last = { run, width: body.columns, rows: reportRows(run, body.columns - 4) }
    }
    return listRows(last.rows, list)
  }
  return {
    id: REPORT_SCREEN,
    title: 'Report',
    rows,
    render(view) {
      const { body, list, look, data } = view
      if (data.finished === null) return <Lines lines={[' No recovery has ended here yet.']} width={body.columns} />
      const all = rows(view)
      const head = headLines(data.finished, body.columns)
      const details = detailLines(view, all)
      const widths = columnWidths(COLUMNS, body.columns - 3)
      return (
        <Box flexDirection="column">
          <Lines
            lines={[...head, ['   ', ...titleSpans(COLUMNS, widths, look.glyphs.ellipsis)]]}
            width={body.columns}
          />
          <List
            rows={all}
            list={list}
            width={body.columns}
            height={Math.max(1, body.rows - head.length - 2 - details.length)}
            empty="   nothing passes the filter"
            row={(row) =>
              row.kind === 'text' ? row.line : rowSpans(COLUMNS, widths, cells(row), look.glyphs.ellipsis)
            }
          />
          <Lines
            lines={[...details, partitionsPosition(all, last?.rows ?? [], list, look.glyphs)]}
            width={body.columns}
          />
        </Box>
      )
    },
    actions: [
      {
        id: 'report.again',
        keys: ['r'],
        label: 'plan again what has no leader yet',
        hint: 'plan again',
        hintOrder: 10,
        scope: REPORT_SCREEN,
        enabled: ({ data }) => stillOpen(data.finished).length > 0 || 'all of it has a leader',
        run({ control, data }) {
          const partitions = stillOpen(data.finished).map(({ topic, partition }) => ({ topic, partition }))
          openPlan(control, services, {
            title: `${partitionsText(partitions.length)} without a leader after the last run`,
            partitions,
          })
        },
      },
    ],
  }
}

function stillOpen(run: FinishedRun | null): readonly PartitionOutcome[] {
  return (run?.report.outcome ?? []).filter(({ result }) => result !== 'elected' && result !== 'alreadyHasLeader')
}

function reportRows(run: FinishedRun, width: number): ReportRow[] {
  const { report } = run
  const outcomes = [...report.outcome].sort((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result))
  const open = new Set(stillOpen(run))
  const bounds = new Set(run.plan.partitions.filter(({ loss }) => loss.known === null).map(partitionName))
  const text: Line[] = []
  const add = (sentence: string, token: 'plain' | 'danger' | 'title') => {
    for (const part of wrapSentence(sentence, width, '  ')) text.push([span(token, part)])
  }
  if (report.ordersLeft.length > 0) {
    text.push('')
    add(`${partitionsText(report.ordersLeft.length)} with the assignment left re-ordered`, 'title')
    for (const left of report.ordersLeft) {
      add(`${partitionName(left)}: ${left.reason}`, 'danger')
      if (left.reassignmentJson !== null)
        add(`kafka-reassign-partitions would put it back with: ${left.reassignmentJson}`, 'plain')
    }
  }
  if (report.openJournal !== null) {
    add(
      `Some assignments are not known to be as before (${report.openJournal}): R shows what would be put back.`,
      'danger',
    )
  }
  return [
    ...outcomes.map((outcome): ReportRow => {
      const key = partitionName(outcome)
      return { kind: 'outcome', key, outcome, open: open.has(outcome), bound: bounds.has(key) }
    }),
    ...text.map((line, index): ReportRow => ({ kind: 'text', key: `#${index}`, line })),
  ]
}

function headLines(run: FinishedRun, width: number): Line[] {
  const { report, plan, saved } = run
  const summary = ORDER.flatMap((result) => {
    const number = report.summary[result]
    return number === undefined ? [] : [`${wholeNumber(number)} ${result}`]
  }).reverse()
  const complete = plan.partitions.every(({ loss }) => loss.known !== null)
  const predicted = report.outcome.reduce((sum, { loss }) => sum + (loss.predicted ?? 0), 0)
  const measured = report.outcome.flatMap(({ loss }) => loss.measured ?? [])
  const asLoss = (atLeast: number) => lostText({ known: complete ? atLeast : null, atLeast })
  const where =
    saved === null
      ? []
      : 'path' in saved
        ? sentenceLines(`Saved: ${saved.path}`, width, 'muted')
        : sentenceLines(`The report is not saved: ${saved.problem}`, width, 'danger')
  const elected = electedIn(run)
  const lost: Span[] = [
    `lost at least: predicted ${asLoss(predicted)}`,
    `measured ${measured.length === 0 ? 'not' : asLoss(measured.reduce((sum, offsets) => sum + offsets, 0))}${
      measured.length > 0 && measured.length < elected
        ? ` in ${wholeNumber(measured.length)} of ${wholeNumber(elected)}`
        : ''
    }`,
  ]
  return [
    ...headingLines(`Report: ${run.title}`, [span('muted', `took ${durationText(report.durationMs)}`)], width),
    ...factLines(summarySpans(summary), width, ', '),
    ...factLines(lost, width, ', '),
    ...where,
  ]
}

function electedIn({ report }: FinishedRun): number {
  return report.summary.elected ?? 0
}

function summarySpans(summary: readonly string[]): Span[] {
  if (summary.length === 0) return ['nothing to do']
  return summary.map((text): Span => {
    const good = text.endsWith(' elected') || text.endsWith(' alreadyHasLeader')
    return span(good ? 'ok' : 'danger', text)
  })
}

function cells({ key, outcome, open, bound }: Extract<ReportRow, { kind: 'outcome' }>): Span[] {
  const lost = (offsets: number | null) =>
    offsets === null ? '-' : lostText({ known: bound ? null : offsets, atLeast: offsets })
  return [
    key,
    span(open ? 'danger' : 'ok', outcome.result),
    outcome.leader === null ? '-' : String(outcome.leader),
    lost(outcome.loss.predicted),
    lost(outcome.loss.measured),
  ]
}

/** Why the one under the cursor is still offline, or not known to be anything. */
function detailLines({ list, body, look }: AppView<ConsoleData>, rows: Rows<ReportRow>): Line[] {
  const { key, index } = cursorOf(list, rows)
  const row = key === null ? undefined : rows.rows[index]
  if (row === undefined || row.kind === 'text') return []
  const { result, code, error } = row.outcome
  if (error === null && !row.open) return []
  const what = result === 'unknown' ? 'NOT KNOWN whether it was elected' : row.open ? 'still offline' : result
  const why = `${what}${code === null ? '' : `, ${code}`}: ${error ?? 'no reason was told'}`
  const lines = sentenceLines(why, body.columns, 'warning')
  return [ruleLine(row.key, body.columns, look.glyphs), ...lines.slice(0, 4)]
}
