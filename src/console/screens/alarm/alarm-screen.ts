import { partitionName } from '../../../cluster/snapshot.js'
import type { Alarm } from '../../../recovery/returns/alarms.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import type { Look } from '../../components/look.js'
import { ruleLine } from '../../components/panel.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { cursorLine, sentenceLines } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { alarmedDirectory } from '../../repairing/alarm-repair.js'
import { planWithout } from '../../repairing/repair-elect.js'
import { openRepair } from '../../repairing/repair-state.js'
import type { ConsoleServices } from '../../services.js'
import { cursorOf } from '../../state/list-state.js'
import type { ListRows } from '../../state/rows.js'
import type { ViewEntry } from '../../state/ui-state.js'
import { type AlarmStage, alarmProgress, alarmSteps, type Step, stageText } from './alarm-steps.js'
import { ALARM_SCREEN } from './open-alarm.js'

type Context = ActionContext<ConsoleData>

/** Said of a step that no key does; the repair has the commands of the profile. */
const OUTSIDE =
  'This step is done outside of the console, and ticked when the cluster shows it. r, the repair, has the commands for it.'

/** What to do about one alarm, step by step. */
export function alarmScreen(services: ConsoleServices): Screen<ConsoleData> {
  const stepsOf = ({ data, view }: AppView<ConsoleData>): readonly Step[] => {
    const alarm = alarmOf(data, view)
    return alarm === null ? [] : alarmSteps(alarm, data)
  }
  return {
    id: ALARM_SCREEN,
    title: 'Steps of an alarm',
    rows: (view) => stepRows(stepsOf(view)),
    filters: false,
    render: (view) => body(alarmLines(view, alarmOf(view.data, view.view), stepsOf(view)), view.body),
    actions: [
      {
        id: 'alarm.do',
        keys: ['enter', 'right'],
        label: 'do this step, where the console can',
        hint: 'do',
        hintOrder: 10,
        scope: ALARM_SCREEN,
        enabled: ({ row, data, view }) => {
          if (row === 'plan') return mayPlan(alarmOf(data, view), data)
          return row === 'read' || OUTSIDE
        },
        run: (context) => {
          const alarm = alarmOf(context.data, context.view)
          if (alarm === null) return
          if (context.row === 'plan') return planAlarm(context, services, alarm)
          void services.live.readNow()
        },
      },
      {
        id: 'alarm.plan',
        keys: ['p'],
        label: 'plan exactly the partitions of this alarm',
        hint: 'plan these',
        hintOrder: 20,
        scope: ALARM_SCREEN,
        enabled: ({ data, view }) => mayPlan(alarmOf(data, view), data),
        run: (context) => {
          const alarm = alarmOf(context.data, context.view)
          if (alarm !== null) planAlarm(context, services, alarm)
        },
      },
      {
        id: 'alarm.repair',
        keys: ['r'],
        label: 'the repair of its directory: what stopping costs, the same steps, the gate, the way back',
        hint: 'repair',
        hintOrder: 30,
        scope: ALARM_SCREEN,
        enabled: ({ data, view }) =>
          directoryOf(alarmOf(data, view), data) !== null || 'which directory it is about is not told',
        run: ({ data, view, control }) => {
          const target = directoryOf(alarmOf(data, view), data)
          if (target !== null) openRepair(control, target)
        },
      },
    ],
  }
}

function directoryOf(alarm: Alarm | null, data: ConsoleData) {
  return alarm === null ? null : alarmedDirectory(alarm, data)
}

/** Only what has no leader can be planned. */
function mayPlan(alarm: Alarm | null, data: ConsoleData): boolean | string {
  const stage = alarm === null ? null : (alarmProgress(alarm, data)?.stage ?? null)
  return stage === 'stands' || stage === 'stopped' || 'there is nothing of this alarm to plan'
}

/** The alarm as it stands, else as it was when its steps were opened. */
export function alarmOf({ diagnosis, alarmsFollowed }: ConsoleData, { params }: ViewEntry): Alarm | null {
  const broker = params.broker === undefined ? null : Number(params.broker)
  const standing = diagnosis?.alarms.find((alarm) => alarm.code === params.code && alarm.broker === broker)
  return (broker === null ? standing : (alarmsFollowed.get(broker) ?? standing)) ?? null
}

/** The plan of exactly these partitions. */
function planAlarm({ control }: Context, services: ConsoleServices, { broker, partitions }: Alarm): void {
  if (broker === null) return
  planWithout(control, services, {
    broker,
    partitions,
    title: `the ${wholeNumber(partitions.length)} of the alarm about broker ${broker}`,
  })
}

function stepRows(steps: readonly Step[]): ListRows {
  const now = steps.findIndex(({ state }) => state === 'now')
  return {
    length: steps.length,
    total: steps.length,
    sort: null,
    sorts: [],
    markable: false,
    start: Math.max(0, now),
    keyAt: (index) => steps[index]?.id ?? '',
  }
}

/** The stage, the steps and the partitions; where they do not fit the step under the cursor is in sight. */
export function alarmLines(view: AppView<ConsoleData>, alarm: Alarm | null, steps: readonly Step[]): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  if (alarm === null) return [' This alarm has ended.']
  const cursor = cursorOf(list, stepRows(steps))
  const progress = alarmProgress(alarm, data)
  const text = progress === null ? 'The whole cluster is in ALARM.' : stageText(progress)
  const lines: Line[] = sentenceLines(text, width, tokenOf(progress?.stage ?? 'stands'))
  let from = 0
  let to = 0
  steps.forEach((step, index) => {
    const here = index === cursor.index && cursor.key !== null
    if (here) from = lines.length
    lines.push(...stepLines(step, index, here, width, look))
    if (here) to = lines.length
  })
  if (alarm.partitions.length > 0) {
    const many = `the ${wholeNumber(alarm.partitions.length)} partitions`
    lines.push(
      ruleLine(alarm.partitions.length === 1 ? 'the partition' : many, width, look.glyphs),
      ...sentenceLines(alarm.partitions.map(partitionName).join('  '), width),
    )
  }
  if (lines.length <= size.rows) return lines
  const room = size.rows - 1
  // From the first step the heading shows, too, and below the last one whatever follows.
  const wanted = cursor.index === 0 ? 0 : cursor.index === steps.length - 1 ? lines.length - room : to - room
  const top = Math.max(0, Math.min(from, Math.max(wanted, 0), lines.length - room))
  const more = [top > 0 ? `${look.glyphs.above} ${top}` : '', `${look.glyphs.below} ${lines.length - top - room}`]
  return [...lines.slice(top, top + room), [span('muted', ` ${more.filter(Boolean).join(' ')} more lines: j k`)]]
}

function stepLines(step: Step, index: number, here: boolean, width: number, look: Look): Line[] {
  const sign = { done: look.glyphs.ok, now: look.glyphs.warning, later: ' ' }[step.state]
  const token = { done: 'ok', now: 'danger', later: 'plain' } as const
  const texts = wrapSentence(step.text, width - 8).map((text, row): Line => {
    const before = row === 0 ? ` ${here ? look.glyphs.cursor : ' '} ${index + 1} ${sign} ` : '       '
    const line = [before, span(token[step.state], text)]
    return here ? cursorLine(line, width) : line
  })
  const seen = step.seen === null ? [] : wrapSentence(`now: ${step.seen}`, width - 8)
  return [...texts, ...seen.map((text): Line => [span('muted', `       ${text}`)])]
}

function tokenOf(stage: AlarmStage): 'danger' | 'warning' | 'ok' {
  if (stage === 'stands' || stage === 'cameTrue') return 'danger'
  return stage === 'stopped' || stage === 'gone' ? 'warning' : 'ok'
}
