import { writeNewFile } from '../../../recovery/files/new-file.js'
import { errorText } from '../../../text/error-text.js'
import { terminalText } from '../../../text/terminal-text.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { clockText, wholeNumber } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { cursorOf } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'
import { type ActivityRow, activityRows, activityText } from './activity-rows.js'

export const ACTIVITY_SCREEN = 'activity'

type Context = ActionContext<ConsoleData>

/** Everything that this console noticed or sent, newest last. */
export function activityScreen(): Screen<ConsoleData> {
  const make = activityRows()
  const rowsOf = ({ data, list }: AppView<ConsoleData>) => make(data, list)
  return {
    id: ACTIVITY_SCREEN,
    title: 'Activity',
    rows: rowsOf,
    render: (view) => body(activityLines(view, rowsOf(view)), view.body),
    actions: [
      {
        id: 'activity.save',
        keys: ['x'],
        label: 'save as a file',
        hint: 'save',
        hintOrder: 20,
        scope: ACTIVITY_SCREEN,
        argument: 'FILE',
        run: (context, argument) => void save(context, make(context.data, { filter: '', sort: null }).rows, argument),
      },
    ],
  }
}

async function save({ data, control }: Context, rows: readonly ActivityRow[], path: string | null): Promise<void> {
  const typed =
    path ??
    (await control.ask({
      label: `Path of the new file for these ${wholeNumber(rows.length)} lines (readable by you alone, 0600):`,
    }))
  if (typed === null || typed.trim() === '') return
  try {
    await writeNewFile(typed.trim(), activityText(rows, data.diagnosis?.clusterId ?? 'not known'))
    control.notice(`Saved: ${typed.trim()}`, 'ok')
  } catch (error) {
    control.notice(errorText(error), 'warning')
  }
}

export function activityLines(view: AppView<ConsoleData>, rows: Rows<ActivityRow>): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  // The row under the cursor is told whole below the list.
  const whole = under === undefined ? [] : wrapSentence(terminalText(under.text), width - 2).slice(0, 6)
  const detail = whole.length > 1 || (whole[0]?.length ?? 0) > width - 14 ? whole : []
  const nothing = data.watched.snapshot === null ? '   reading' : '   Nothing has happened since this console opened.'
  return [
    ...listLines(
      {
        rows,
        list,
        width,
        height: Math.max(1, size.rows - 2 - detail.length),
        empty: list.filter === '' ? nothing : '   nothing passes the filter',
        row: ({ at, within, token }) => [
          span('muted', clockText(at, true)),
          '  ',
          span(token, within(width - 13, look.glyphs.ellipsis)),
        ],
      },
      look.glyphs,
    ),
    ...detail.map((text): Line => [span('muted', ` ${text}`)]),
    [
      span(
        'muted',
        data.sent.length === 0 ? ' Nothing has been sent.' : ` Sent by this console: ${wholeNumber(data.sent.length)}.`,
      ),
    ],
    positionLine(rows, list, look.glyphs),
  ]
}
