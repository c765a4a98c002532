import { partitionName } from '../../../cluster/snapshot.js'
import type { GateHold } from '../../../repair/gate.js'
import { gateText } from '../../../repair/repair-lines.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { planForGate } from '../../repairing/repair-elect.js'
import { REPAIR_GATE_SCREEN, repairOf } from '../../repairing/repair-state.js'
import { takeBackWriteOffs, writeOff } from '../../repairing/write-off.js'
import type { ConsoleServices } from '../../services.js'
import { createRows, type Rows } from '../../state/rows.js'

type Context = ActionContext<ConsoleData>

interface HoldRow {
  readonly hold: GateHold
  readonly writtenOff: boolean
}

/** What keeps the gate of a repair shut, partition by partition; what nobody else has can be written off by name. */
export function gateScreen(services: ConsoleServices): Screen<ConsoleData> {
  const make = createRows<HoldRow>({
    key: ({ hold }) => partitionName(hold),
    words: (row) => [partitionName(row.hold), whyText(row), COPIES[row.hold.otherCopies]].join('  '),
    sorts: [{ id: 'name', label: 'by name', compare: null }],
  })
  let last: { readonly of: object; readonly rows: readonly HoldRow[] } | null = null
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>): Rows<HoldRow> => {
    const gate = repairOf(data, view)?.repair?.reading.gate
    if (gate === undefined) return make(NONE, list)
    if (last?.of !== gate) {
      last = {
        of: gate,
        rows: [
          ...gate.holds.map((hold) => ({ hold, writtenOff: false })),
          ...gate.writtenOff.map((hold) => ({ hold, writtenOff: true })),
        ],
      }
    }
    return make(last.rows, list)
  }
  const chosen = (context: Context): GateHold[] => {
    const { rows } = rowsOf(context)
    const marked = rows.filter(({ hold }) => context.list.marks.has(partitionName(hold)))
    const under = rows.filter(({ hold }) => partitionName(hold) === context.row)
    return (marked.length > 0 ? marked : under).flatMap(({ hold, writtenOff }) => (writtenOff ? [] : [hold]))
  }
  return {
    id: REPAIR_GATE_SCREEN,
    title: 'Gate of a repair',
    rows: rowsOf,
    render: (view) => body(gateLines(view, rowsOf(view)), view.body),
    actions: [
      {
        id: 'repair-gate.plan',
        keys: ['p'],
        label: 'plan exactly those that somebody else has',
        hint: 'plan these',
        hintOrder: 10,
        scope: REPAIR_GATE_SCREEN,
        run: ({ control, data, view }) => {
          const state = repairOf(data, view)
          if (state !== null) planForGate(control, services, state)
        },
      },
      {
        id: 'repair-gate.writeOff',
        keys: ['W'],
        label: 'write off, by name: give it up, so that it keeps the gate shut no longer',
        hint: 'write off',
        hintOrder: 20,
        scope: REPAIR_GATE_SCREEN,
        enabled: (context) =>
          chosen(context).length > 0 || 'put the cursor on one that keeps the gate shut, or mark some',
        run: (context) => {
          const state = repairOf(context.data, context.view)
          if (state !== null) void writeOff(context.control, services, state, chosen(context))
        },
      },
      {
        id: 'repair-gate.takeBack',
        keys: ['U'],
        label: 'take all write-offs back',
        hint: 'take back',
        hintOrder: 30,
        scope: REPAIR_GATE_SCREEN,
        enabled: ({ data, view }) => (repairOf(data, view)?.writtenOff.size ?? 0) > 0,
        run: ({ control, data, view }) => {
          const state = repairOf(data, view)
          if (state !== null) void takeBackWriteOffs(control, services, state)
        },
      },
    ],
  }
}

const NONE: readonly HoldRow[] = []

const COPIES: Readonly<Record<GateHold['otherCopies'], string>> = {
  yes: 'others have a copy: elect',
  no: 'NO other copy',
  unknown: 'not known: not all were read',
}

function whyText({ hold, writtenOff }: HoldRow): string {
  if (writtenOff) return 'WRITTEN OFF'
  switch (hold.reason) {
    case 'named':
      return `in ${hold.namedIn.join(', ')}`
    case 'rolesUnknown':
      return 'ELR not told'
    case 'wouldLead':
      return 'would lead uncleanly'
  }
}

function gateLines(view: AppView<ConsoleData>, rows: Rows<HoldRow>): Line[] {
  const { data, body: size, list, look } = view
  const state = repairOf(data, view.view)
  const reading = state?.repair?.reading
  if (state === null || reading === undefined) return [' not read yet']
  const { ellipsis } = look.glyphs
  const specs: readonly ColumnSpec[] = [
    { title: 'partition', min: 16, want: 'rest', cut: 'middle' },
    { title: 'names the broker', min: 16, want: 20 },
    { title: 'elsewhere', min: 18, want: 28 },
  ]
  const widths = columnWidths(specs, size.columns - 3)
  const head = gateText(reading).flatMap((text) =>
    wrapSentence(text, size.columns - 1).map((line): Line => [' ', span(reading.gate.open ? 'ok' : 'danger', line)]),
  )
  return [
    ...head,
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width: size.columns,
        height: Math.max(1, size.rows - head.length - 2),
        empty: '   No partition keeps it shut.',
        row: (row) =>
          rowSpans(
            specs,
            widths,
            [
              partitionName(row.hold),
              span(row.writtenOff ? 'danger' : 'plain', whyText(row)),
              span(row.hold.otherCopies === 'yes' ? 'plain' : 'danger', COPIES[row.hold.otherCopies]),
            ],
            ellipsis,
          ),
      },
      look.glyphs,
    ),
    positionLine(rows, list, look.glyphs),
  ]
}
