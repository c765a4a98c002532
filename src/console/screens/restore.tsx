import { Box } from 'ink'
import { partitionName } from '../../cluster/snapshot.js'
import { describeUnfinished } from '../../recovery/journal/found.js'
import type { RestorePreview, RestoreReport } from '../../recovery/restore/restore.js'
import type { AppView, Screen } from '../app/screen.js'
import { Lines } from '../components/lines.js'
import { List, positionLine } from '../components/list.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, plainText, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { confirmRestore, openRestore, RESTORE_SCREEN, type RestoreState } from '../restoring/restore-state.js'
import type { ConsoleServices } from '../services.js'
import { createRows, type Rows } from '../state/rows.js'
import type { Token } from '../theme.js'

interface TextRow {
  readonly key: string
  readonly line: Line
}

/** What an interrupted run has left re-ordered: what would be put back, the confirmation, and what became of it. */
export function restoreScreen(services: ConsoleServices): Screen<ConsoleData> {
  const listRows = createRows<TextRow>({
    key: ({ key }) => key,
    markable: false,
    words: ({ line }) => plainText(line),
    sorts: [{ id: 'as told', label: 'as told', compare: null }],
  })
  let last: { readonly data: readonly unknown[]; readonly rows: readonly TextRow[] } | null = null
  const rows = ({ data, body, list }: AppView<ConsoleData>): Rows<TextRow> => {
    const from = [data.restore, data.unfinished, body.columns]
    if (last === null || from.some((part, index) => part !== last?.data[index])) {
      const lines = linesOf(data, body.columns - 4)
      last = { data: from, rows: lines.map((line, index) => ({ key: `#${index}`, line })) }
    }
    return listRows(last.rows, list)
  }
  return {
    id: RESTORE_SCREEN,
    title: 'Restore',
    rows,
    render: (view) => (
      <Box flexDirection="column">
        <Lines lines={[[' ', span('title', titleOf(view.data.restore))]]} width={view.body.columns} />
        <List
          rows={rows(view)}
          list={view.list}
          width={view.body.columns}
          height={view.body.rows - 2}
          empty=""
          row={({ line }) => line}
        />
        <Lines lines={[positionLine(rows(view), view.list, view.look.glyphs)]} width={view.body.columns} />
      </Box>
    ),
    actions: [
      {
        id: 'restore.apply',
        keys: ['a'],
        label: 'put the orders back',
        hint: 'put back',
        hintOrder: 10,
        scope: RESTORE_SCREEN,
        enabled: ({ data }) => data.restore?.kind === 'preview' || 'there is nothing to put back now',
        run: ({ control }) => void confirmRestore(control, services),
      },
      {
        id: 'restore.again',
        keys: ['r'],
        label: 'look again what was left',
        hint: 'look again',
        hintOrder: 20,
        scope: RESTORE_SCREEN,
        enabled: ({ data }) => data.restore?.kind !== 'running' || 'orders are being put back',
        run: ({ control }) => {
          control.back()
          void openRestore(control, services)
        },
      },
    ],
  }
}

function titleOf(restore: RestoreState | null): string {
  switch (restore?.kind) {
    case undefined:
    case 'reading':
      return 'Restore: reading what was left'
    case 'failed':
      return 'Restore: failed'
    case 'preview':
      return `Restore: ${wholeNumber(restore.preview.toRestore.length)} to put back; nothing has been sent`
    case 'running':
      return 'Restore: putting back'
    case 'done':
      return `Restore: ${wholeNumber(restore.report.restored.length)} put back, ${wholeNumber(restore.report.left.length)} left, ${wholeNumber(restore.report.unknown.length)} unknown`
  }
}

function linesOf({ restore, unfinished }: ConsoleData, width: number): Line[] {
  const say = (token: Token, text: string) => wrapSentence(text, width, '  ').map((part): Line => [span(token, part)])
  const found = unfinished.flatMap((journal) => say('warning', describeUnfinished(journal)))
  switch (restore?.kind) {
    case undefined:
    case 'reading':
      return found
    case 'failed':
      return [...found, ...say('danger', restore.text)]
    case 'running':
      return restore.waiting === null ? [] : say('plain', restore.waiting)
    case 'preview':
      return [...previewLines(restore.preview, say), ...found]
    case 'done':
      return reportLines(restore.report, say)
  }
}

type Say = (token: Token, text: string) => Line[]

function previewLines({ toRestore, inPlace, left, notes }: RestorePreview, say: Say): Line[] {
  return [
    ...toRestore.flatMap((one) =>
      say('plain', `${partitionName(one)}: [${one.present.join(', ')}] back to [${one.original.join(', ')}]`),
    ),
    ...(inPlace.length > 0 ? say('ok', `${wholeNumber(inPlace.length)} stand as before already`) : []),
    ...leftLines(left, say),
    ...notes.flatMap((note) => say('warning', note)),
    ...(toRestore.length === 0
      ? say('plain', 'Nothing is to be sent: a closes the journals whose orders all stand.')
      : []),
  ]
}

function reportLines({ restored, inPlace, left, unknown, notes }: RestoreReport, say: Say): Line[] {
  return [
    ...restored.flatMap((one) => say('ok', `${partitionName(one)}: put back`)),
    ...(inPlace.length > 0 ? say('ok', `${wholeNumber(inPlace.length)} stood as before already`) : []),
    ...leftLines(left, say),
    ...unknown.flatMap((one) => say('danger', `${partitionName(one)}: unknown: ${one.reason}; look again (r)`)),
    ...notes.flatMap((note) => say('warning', note)),
  ]
}

function leftLines(left: RestoreReport['left'], say: Say): Line[] {
  return left.flatMap((one) => [
    ...say('danger', `${partitionName(one)}: left: ${one.reason}`),
    ...(one.reassignmentJson === null
      ? []
      : say('plain', `kafka-reassign-partitions would put it back with: ${one.reassignmentJson}`)),
  ])
}
