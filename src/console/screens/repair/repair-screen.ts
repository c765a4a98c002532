import type { RepairPhase } from '../../../repair/phase.js'
import { WAY_TITLES } from '../../../repair/repair-lines.js'
import type { Repair } from '../../../repair/use-cases/read-repair-steps.js'
import { wayReasonText } from '../../../repair/way.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import type { ConsoleData } from '../../console-data.js'
import { ageText, clockText } from '../../layout/amounts.js'
import { cutEnd } from '../../layout/cut.js'
import { type Line, lineWidth, span, spansOf, withRight } from '../../layout/line.js'
import { cursorLine } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { chooseNextWay } from '../../repairing/choose-way.js'
import { planForGate } from '../../repairing/repair-elect.js'
import {
  REPAIR_COMMAND_SCREEN,
  REPAIR_GATE_SCREEN,
  REPAIR_RETURN_SCREEN,
  REPAIR_SCREEN,
  REPAIR_TEXT_SCREEN,
  type RepairState,
  repairOf,
  repairParams,
} from '../../repairing/repair-state.js'
import { confirmAndRun } from '../../repairing/run-step.js'
import type { ConsoleServices } from '../../services.js'
import { cursorOf, type ListWindow } from '../../state/list-state.js'
import type { ListRows } from '../../state/rows.js'
import { type RepairRow, repairRows } from './repair-rows.js'

type Context = ActionContext<ConsoleData>

/** One failed directory: what is known, what its repair costs, and the steps in the safe order, each with how far it is. */
export function repairScreen(services: ConsoleServices): Screen<ConsoleData> {
  const here = ({ data, view }: Context) => repairOf(data, view)
  const action = (
    id: string,
    keys: readonly string[],
    label: string,
    hint: string,
    hintOrder: number,
    run: (state: RepairState, context: Context) => void,
  ) => ({
    id: `repair.${id}`,
    keys,
    label,
    hint,
    hintOrder,
    scope: REPAIR_SCREEN,
    enabled: (context: Context) => here(context)?.repair != null || 'it was not read yet',
    run: (context: Context) => {
      const state = here(context)
      if (state !== null) run(state, context)
    },
  })
  return {
    id: REPAIR_SCREEN,
    title: 'Repair of a log directory',
    filters: false,
    rows: (view) => rowsOf(rowsIn(view), repairOf(view.data, view.view)),
    render: (view) => body(repairLines(view), view.body),
    actions: [
      action(
        'do',
        ['enter', 'right'],
        'do this step, where the console can; else all that is said of it',
        'do',
        10,
        (state, context) => doRow(state, context, services),
      ),
      action('text', ['i'], 'all that is said of this row', 'details', 20, (state, { control, row }) => {
        if (row !== null) control.open(REPAIR_TEXT_SCREEN, { ...repairParams(state), of: row })
      }),
      action(
        'way',
        ['w'],
        'another way: keep the directory, replace the disk, take it out of log.dirs',
        'other way',
        30,
        (state, { control }) => void chooseNextWay(control, state),
      ),
      action('gate', ['G'], 'what keeps the gate shut; write off by name', 'gate', 40, (state, { control }) =>
        control.open(REPAIR_GATE_SCREEN, repairParams(state)),
      ),
      action('next', ['n'], 'to the step that is next', 'next step', 15, (_, context) => {
        const next = rowsIn(context).find(({ step }) => step?.status === 'now')
        if (next !== undefined) context.control.changeList((list) => ({ ...list, cursor: next.key }))
      }),
      action('return', ['v'], 'watch the replicas on their way back', 'return', 50, (state, { control }) =>
        control.open(REPAIR_RETURN_SCREEN, repairParams(state)),
      ),
      action(
        'restart',
        [],
        'restart the broker, its directory left as it is',
        '',
        60,
        (state, { control }) => void confirmAndRun(control, services, state, 'restart'),
      ),
      {
        ...action('output', ['o'], 'the output of the last command', 'output', 45, (state, { control }) =>
          control.open(REPAIR_COMMAND_SCREEN, repairParams(state)),
        ),
        enabled: ({ data }: Context) => data.command !== null,
      },
    ].map(({ hint, ...rest }) => (hint === '' ? rest : { hint, ...rest })),
  }
}

function doRow(state: RepairState, { control, row, ...view }: Context, services: ConsoleServices): void {
  const found = rowsIn(view).find(({ key }) => key === row)
  if (found === undefined) return
  const { step } = found
  if (found.key === 'return' || step?.id === 'watch') control.open(REPAIR_RETURN_SCREEN, repairParams(state))
  else if (step?.id === 'elect') planForGate(control, services, state)
  else if (step?.id === 'gate') control.open(REPAIR_GATE_SCREEN, repairParams(state))
  else if (step?.command != null && view.data.place.repairCommands?.[step.command] !== undefined) {
    void confirmAndRun(control, services, state, step.command)
  } else control.open(REPAIR_TEXT_SCREEN, { ...repairParams(state), of: found.key })
}

const NONE: readonly RepairRow[] = []
const known = new WeakMap<object, readonly RepairRow[]>()

function rowsIn({ data, view, look }: Pick<AppView<ConsoleData>, 'data' | 'view' | 'look'>): readonly RepairRow[] {
  const state = repairOf(data, view)
  if (state?.repair == null) return NONE
  let rows = known.get(state.repair)
  if (rows === undefined) {
    rows = repairRows(state, look.glyphs)
    known.set(state.repair, rows)
  }
  return rows
}

/** The cursor begins at the step that is next. */
function rowsOf(rows: readonly RepairRow[], state: RepairState | null): ListRows {
  const now = rows.findIndex(({ step }) => step?.status === 'now')
  return {
    length: rows.length,
    total: rows.length,
    sort: null,
    sorts: [],
    markable: false,
    start: state?.repair == null ? null : Math.max(0, now),
    keyAt: (index) => rows[index]?.key ?? '',
  }
}

const PHASES: Readonly<Record<RepairPhase, string>> = {
  nothing: 'nothing to repair',
  failed: 'FAILED',
  away: 'its broker is away',
  emptyBack: 'BACK AND EMPTY, may wipe the others',
  wiped: 'MAYBE WIPED',
  catchingUp: 'back, catching up',
  unknown: 'not told',
}

/** Lines below the row under the cursor: as many as leave the rows around it in sight. */
function roomBelow(height: number): number {
  return Math.max(4, height - 5)
}

export function repairLines(view: AppView<ConsoleData>): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  const state = repairOf(data, view.view)
  if (state === null) return [' This repair was not opened in this console.']
  const head = headLines(state, data, width, look.glyphs.ellipsis)
  const rows = rowsIn(view)
  const cursor = cursorOf(list, rowsOf(rows, state))
  const height = Math.max(1, size.rows - head.length)
  const lines: Line[] = []
  let block = { from: 0, to: 1 }
  rows.forEach((row, index) => {
    const here = cursor.key !== null && index === cursor.index
    const from = lines.length
    const title = cutEnd(row.title, width - row.sign.length - 4, look.glyphs.ellipsis)
    const spans = [`${here ? look.glyphs.cursor : ' '} ${row.sign} `, span(row.token, title)]
    lines.push(here ? cursorLine(spans, width) : spans)
    if (!here) return
    const told = row.lines(width - INDENT.length - 1, false, data)
    const room = roomBelow(height)
    const shown = told.length <= room ? told : told.slice(0, room - 1)
    lines.push(...shown.map((line): Line => [INDENT, ...spansOf(line)]))
    const more = told.length - shown.length
    if (more > 0) lines.push([span('muted', `${INDENT}${look.glyphs.below} ${more} more lines: i`)])
    block = { from, to: lines.length }
  })
  const top = topFor(list.window, block, height, lines.length)
  return [...head, ...lines.slice(top, top + height)]
}

const INDENT = '     '

function headLines(
  { broker, path, repair, reading, failure }: RepairState,
  { now }: ConsoleData,
  width: number,
  ellipsis: string,
): Line[] {
  const where = repair?.reading
  const host = where?.host == null ? '' : ` (${where.host})`
  const phase = where === undefined ? '' : `: ${PHASES[where.phase]}`
  const bad = where !== undefined && where.phase !== 'nothing' && where.phase !== 'catchingUp'
  const age =
    where === undefined
      ? reading || failure === null
        ? 'reading'
        : ''
      : `read ${ageText(now.getTime() - where.snapshot.readAt.getTime())}`
  const title: Line = [' ', span('title', `${path} of broker ${broker}${host}`), span(bad ? 'danger' : 'ok', phase)]
  const right: Line = [span('muted', age)]
  const fits = lineWidth(title) + lineWidth(right) < width
  return [
    ...(fits
      ? [withRight(title, right, width, ellipsis)]
      : wrapSentence(`${path} of broker ${broker}${host}${phase}`, width - 1).map(
          (text): Line => [' ', span(bad ? 'danger' : 'title', text)],
        )),
    ...(failure === null
      ? []
      : wrapSentence(`Not read: ${failure}`, width - 1).map((text): Line => [' ', span('warning', text)])),
    ...(repair === null || repair.steps.length === 0 ? [] : wayLines(repair, width)),
  ]
}

/** Which way is taken, and why; where facts have changed it, from which. */
function wayLines({ taken, reading }: Repair, width: number): Line[] {
  const { way, changedFrom } = taken
  const why = wayReasonText(taken, reading.seenEmptiedAt === null ? null : clockText(reading.seenEmptiedAt))
  const text =
    changedFrom === null
      ? `The way: ${WAY_TITLES[way]} (${why})`
      : `The way has CHANGED from "${WAY_TITLES[changedFrom]}" to "${WAY_TITLES[way]}": ${why}`
  return wrapSentence(text, width - 1).map(
    (line): Line => [' ', span(changedFrom === null ? 'muted' : 'warning', line)],
  )
}

/** The first line to show, so that the row under the cursor is seen with what stands below it; no further than that needs. */
function topFor(window: ListWindow, block: { from: number; to: number }, height: number, length: number): number {
  const shown = Math.min(Math.max(window.top, block.to - height), block.from)
  window.top = Math.max(0, Math.min(shown, length - height))
  return window.top
}
