import { partitionName } from '../../../cluster/snapshot.js'
import { chooseLeader, type Draft, forget, takeOut } from '../../../recovery/drafts/draft.js'
import { lastRecordTime, recordTimeKey, whyNotToRead } from '../../../recovery/use-cases/last-record-time.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { lookFor } from '../../components/look.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import { type Line, plainText, span } from '../../layout/line.js'
import type { ConsoleServices } from '../../services.js'
import { cursorOf, indexOf } from '../../state/list-state.js'
import type { ListRows } from '../../state/rows.js'
import { listOf } from '../../state/ui-state.js'
import { copySequence } from '../../terminal/clipboard.js'
import { planPartitions } from '../listing/planning.js'
import { compareLines } from './compare-lines.js'
import { type Compared, comparedPartition } from './compared.js'
import { COMPARE_SCREEN } from './open-compare.js'

type View = AppView<ConsoleData>
type Context = ActionContext<ConsoleData>

/** The rows of the view that lies under this one: the list it was opened from. Null: it has none. */
export type RowsBelow = (view: View) => ListRows | null

export function compareScreen(services: ConsoleServices, rowsBelow: RowsBelow): Screen<ConsoleData> {
  const compared = ({ data, view }: View): Compared => comparedPartition(data, view.params.partition ?? '')
  const comparison = (view: View) => {
    const found = compared(view)
    return found.kind === 'comparison' ? found : null
  }
  const compares = (context: Context) => comparison(context) !== null
  const onBroker = (context: Context) => compares(context) && (context.row !== null || 'move to a replica first')
  return {
    id: COMPARE_SCREEN,
    title: 'Compare',
    rows: (view) => replicaRows(comparison(view)),
    filters: false,
    render: (view) => body(compareBody(view, compared(view), rowsBelow), view.body),
    actions: [
      {
        id: 'compare.choose',
        keys: ['c', 'enter'],
        label: 'choose this replica as the designated leader, by hand',
        hint: 'choose',
        hintOrder: 10,
        scope: COMPARE_SCREEN,
        enabled: onBroker,
        run: (context) => choose(context, comparison(context)),
      },
      {
        id: 'compare.takeOut',
        keys: ['-'],
        label: 'take this partition out of every plan',
        hint: 'take out',
        hintOrder: 12,
        scope: COMPARE_SCREEN,
        enabled: compares,
        run: (context) => {
          const found = comparison(context)
          if (found === null) return
          changeDraft(
            context,
            (draft) => takeOut(draft, [found.partition]),
            'Taken out: it will be in no plan. = takes that back.',
          )
        },
      },
      {
        id: 'compare.asByRank',
        keys: ['='],
        label: 'take back what was decided by hand',
        scope: COMPARE_SCREEN,
        enabled: ({ data, view }) =>
          data.draft?.entries.has(view.params.partition ?? '') === true || 'nothing was decided by hand here',
        run: (context) => {
          const found = comparison(context)
          if (found === null) return
          changeDraft(context, (draft) => forget(draft, [found.partition]), 'As by rank again.')
        },
      },
      {
        id: 'compare.next',
        keys: ['n'],
        label: 'the next partition of the list',
        hint: 'next',
        hintOrder: 14,
        scope: COMPARE_SCREEN,
        enabled: (context) => rowsBelow(context) !== null || 'it was opened from no list',
        run: (context) => step(context, rowsBelow, 1),
      },
      {
        id: 'compare.previous',
        keys: ['N'],
        label: 'the previous partition of the list',
        scope: COMPARE_SCREEN,
        enabled: (context) => rowsBelow(context) !== null || 'it was opened from no list',
        run: (context) => step(context, rowsBelow, -1),
      },
      {
        id: 'compare.details',
        keys: ['i'],
        label: 'sizes, directories, watermarks',
        hint: 'details',
        hintOrder: 16,
        scope: COMPARE_SCREEN,
        run: ({ control, view, list }) => {
          const { details: shown, ...params } = view.params
          control.replace(COMPARE_SCREEN, shown === undefined ? { ...params, details: 'yes' } : params)
          control.changeList((other) => ({ ...other, cursor: list.cursor, index: list.index }))
        },
      },
      {
        id: 'compare.time',
        keys: ['T'],
        label: 'time of the last record of this replica (reads its disk)',
        scope: COMPARE_SCREEN,
        enabled: onBroker,
        run: (context) => void askForTime(context, services, comparison(context)),
      },
      {
        id: 'compare.copy',
        keys: ['y'],
        label: 'copy as text',
        scope: COMPARE_SCREEN,
        run: (context) => {
          context.control.send(copySequence(copyText(context, compared(context))))
          context.control.notice('Copied, if the terminal allows it (OSC 52).', 'ok')
        },
      },
      {
        id: 'compare.plan',
        keys: ['p'],
        label: 'plan this partition',
        hint: 'plan',
        hintOrder: 18,
        scope: COMPARE_SCREEN,
        enabled: (context) => compares(context) || 'there is nothing to plan here',
        run: (context) => {
          const found = comparison(context)
          if (found === null) return
          void planPartitions(context.control, services, partitionName(found.partition), [found.partition])
        },
      },
      {
        id: 'compare.scrollDown',
        keys: ['pagedown', 'ctrl+f', 'J'],
        label: 'scroll down',
        scope: COMPARE_SCREEN,
        keysOnly: true,
        run: ({ control }) =>
          control.changeList((list) => ({ ...list, window: { ...list.window, top: list.window.top + 5 } })),
      },
      {
        id: 'compare.scrollUp',
        keys: ['pageup', 'ctrl+b', 'K'],
        label: 'scroll up',
        scope: COMPARE_SCREEN,
        keysOnly: true,
        run: ({ control }) =>
          control.changeList((list) => ({
            ...list,
            window: { ...list.window, top: Math.max(0, list.window.top - 5) },
          })),
      },
    ],
  }
}

/** Replicas by broker id; the cursor begins on whoever would lead. */
function replicaRows(found: Extract<Compared, { kind: 'comparison' }> | null): ListRows {
  const brokers = found?.comparison.replicas.map(({ broker }) => broker) ?? []
  const chosen = brokers.indexOf(found?.comparison.chosen ?? -1)
  return {
    length: brokers.length,
    total: brokers.length,
    sort: null,
    sorts: [],
    markable: false,
    start: Math.max(0, chosen),
    keyAt: (index) => String(brokers[index]),
  }
}

/** The lines in sight: without rules where they do not fit, then scrolled. */
export function compareBody(view: View, compared: Compared, rowsBelow: RowsBelow): Line[] {
  const { data, body: size, look, list } = view
  const name = view.view.params.partition ?? ''
  const found = compared.kind === 'comparison' ? compared : null
  const { key } = cursorOf(list, replicaRows(found))
  const parts = {
    name,
    compared,
    place: placeText(view, rowsBelow),
    cursor: key === null ? null : Number(key),
    details: view.view.params.details !== undefined,
  }
  const roomy = compareLines(parts, data, size.columns, look, true)
  const lines = roomy.length <= size.rows ? roomy : compareLines(parts, data, size.columns, look, false)
  if (lines.length <= size.rows) {
    list.window.top = 0
    return lines
  }
  const room = size.rows - 1
  list.window.top = Math.max(0, Math.min(list.window.top, lines.length - room))
  const { top } = list.window
  const below = lines.length - top - room
  const more = [top > 0 ? `${look.glyphs.above} ${top}` : '', below > 0 ? `${look.glyphs.below} ${below}` : ''].filter(
    Boolean,
  )
  return [...lines.slice(top, top + room), [span('muted', ` ${more.join(' ')} more lines: PgDn PgUp`)]]
}

function placeText(view: View, rowsBelow: RowsBelow): string {
  const rows = rowsBelow(view)
  const below = view.ui.stack.at(-2)
  if (rows === null || below === undefined || rows.length === 0) return ''
  const index = indexOf(rows, view.view.params.partition ?? '', listOf(view.ui, below).index)
  const { group } = below.params
  const where = group === undefined ? '' : group.length === 1 ? ` in ${group}` : ''
  return index === null
    ? `[not in the list any more, of ${wholeNumber(rows.length)}${where}]`
    : `[${wholeNumber(index + 1)} of ${wholeNumber(rows.length)}${where}]`
}

function step(context: Context, rowsBelow: RowsBelow, by: 1 | -1): void {
  const rows = rowsBelow(context)
  const below = context.ui.stack.at(-2)
  if (rows === null || below === undefined || rows.length === 0) return
  const list = listOf(context.ui, below)
  const here = indexOf(rows, context.view.params.partition ?? '', list.index)
  // Where it has left the list, the next one took its place.
  const at = here === null ? list.index - (by > 0 ? 1 : 0) : here
  const next = at + by
  if (next < 0 || next >= rows.length) {
    context.control.notice(by > 0 ? 'That was the last of the list.' : 'That was the first of the list.', 'muted')
    return
  }
  const key = rows.keyAt(next)
  const { details } = context.view.params
  context.control.changeList((state) => ({ ...state, cursor: key, index: next }), below)
  context.control.replace(COMPARE_SCREEN, { partition: key, ...(details === undefined ? {} : { details }) })
}

function choose(context: Context, found: Extract<Compared, { kind: 'comparison' }> | null): void {
  const { data, row, control } = context
  const evidence = found?.partition.decided?.evidence ?? null
  if (found === null || evidence === null || row === null || data.diagnosis === null) return
  if (data.draft === null) control.notice('Choices can be made once the cluster was read.', 'warning')
  else if (found.partition.outdated) {
    control.notice('It changed since its logs were read: wait until they are read again.', 'warning')
  } else {
    const chosen = chooseLeader(data.draft, evidence, Number(row), data.diagnosis.context)
    if (chosen.kind === 'refused') control.notice(chosen.reason, 'warning')
    else {
      control.update((before) => ({ ...before, draft: chosen.draft }), 'now')
      const name = partitionName(found.partition)
      control.notice(`Chosen by hand: ${row} leads ${name}. Nothing is sent: p plans it, = takes it back.`, 'ok')
    }
  }
}

function changeDraft({ data, control }: Context, change: (draft: Draft) => Draft, said: string): void {
  const { draft } = data
  if (draft === null) control.notice('Choices can be made once the cluster was read.', 'warning')
  else {
    control.update((before) => ({ ...before, draft: change(before.draft ?? draft) }), 'now')
    control.notice(said, 'ok')
  }
}

async function askForTime(
  { data, row, control }: Context,
  { cluster }: ConsoleServices,
  found: Extract<Compared, { kind: 'comparison' }> | null,
): Promise<void> {
  const { snapshot } = data.watched
  if (found === null || row === null || snapshot === null) return
  const broker = Number(row)
  const { state } = found.partition
  const refused = whyNotToRead(snapshot, state, broker)
  if (refused !== null) return control.notice(`Not read: ${refused}.`, 'warning')
  const answer = await control.ask({
    label: `Type y to look for the last record's time on broker ${broker}, anything else not to:`,
    body: [
      ' This makes the broker read segments of this log from its disk.',
      ' An error on a failing disk would take the whole directory offline.',
    ],
    expected: 'y',
  })
  if (answer === null) return
  const time = await lastRecordTime(cluster, snapshot, state, broker)
  control.update((before) => ({
    ...before,
    recordTimes: new Map(before.recordTimes).set(recordTimeKey(state, broker), time),
  }))
  if (time.kind === 'refused') control.notice(`Not read: ${time.reason}.`, 'warning')
  else control.notice('The time stands among the details (i).', 'ok')
}

/** The whole comparison with its details, as text without styles. */
function copyText(view: Context, compared: Compared): string {
  const plain = lookFor({ colours: false, attributes: false, unicode: false, addressable: true, screenReader: false })
  const parts = { name: view.view.params.partition ?? '', compared, place: '', cursor: null, details: true }
  const lines = compareLines(parts, view.data, 100, plain, true)
  return [parts.name, ...lines.map((line) => plainText(line).trimEnd())].join('\n')
}
