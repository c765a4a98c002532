import { partitionName } from '../../../cluster/snapshot.js'
import type { Alarm } from '../../../recovery/alarms.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { ruleLine } from '../../components/panel.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { cursorLine } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { openPlan } from '../../planning/open-plan.js'
import type { ConsoleServices } from '../../services.js'
import { cursorOf } from '../../state/list-state.js'
import type { ListRows } from '../../state/rows.js'
import type { ViewEntry } from '../../state/ui-state.js'
import { alarmSteps, type Step } from './alarm-steps.js'
import { ALARM_SCREEN } from './open-alarm.js'

type Context = ActionContext<ConsoleData>

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
    render: (view) => body(alarmLines(view, alarmOf(view.data, view.view), stepsOf(view)), view.body),
    actions: [
      {
        id: 'alarm.do',
        keys: ['enter', 'right'],
        label: 'do this step, where the console can',
        hint: 'do',
        hintOrder: 10,
        scope: ALARM_SCREEN,
        enabled: ({ row }) => row !== null,
        run: (context) => {
          const alarm = alarmOf(context.data, context.view)
          if (alarm === null) return
          if (context.row === 'plan') return planAlarm(context, services, alarm)
          if (context.row === 'read') return void services.live.readNow()
          context.control.notice(
            'This step is done outside of the console; it is ticked when the cluster shows it.',
            'muted',
          )
        },
      },
      {
        id: 'alarm.plan',
        keys: ['p'],
        label: 'plan exactly the partitions of this alarm',
        hint: 'plan these',
        hintOrder: 20,
        scope: ALARM_SCREEN,
        run: (context) => {
          const alarm = alarmOf(context.data, context.view)
          if (alarm !== null) planAlarm(context, services, alarm)
        },
      },
    ],
  }
}

/** The alarm as it stands, else as it was when its steps were opened. */
export function alarmOf({ diagnosis, alarmsFollowed }: ConsoleData, { params }: ViewEntry): Alarm | null {
  const broker = params.broker === undefined ? null : Number(params.broker)
  const standing = diagnosis?.alarms.find((alarm) => alarm.code === params.code && alarm.broker === broker)
  return (broker === null ? standing : (alarmsFollowed.get(broker) ?? standing)) ?? null
}

/**
 * The plan of exactly these partitions. The broker's own logs of them count as lost from here on, so that they do not "wait" for it; all others that it
 * would bring back do.
 */
function planAlarm({ control }: Context, { live, ...services }: ConsoleServices, alarm: Alarm): void {
  const { broker, partitions } = alarm
  if (broker === null) return
  const stoppedForRepair = new Map(control.data.stoppedForRepair).set(broker, new Set(partitions.map(partitionName)))
  control.update((data) => ({ ...data, stoppedForRepair }), 'now')
  live.change({ stoppedForRepair })
  openPlan(
    control,
    { live, ...services },
    {
      title: `the ${wholeNumber(partitions.length)} of the alarm about broker ${broker}`,
      partitions,
    },
  )
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

export function alarmLines(view: AppView<ConsoleData>, alarm: Alarm | null, steps: readonly Step[]): Line[] {
  const { data, body: size, list, look } = view
  const width = size.columns
  if (alarm === null) return [' This alarm has ended.']
  const cursor = cursorOf(list, stepRows(steps))
  const stands =
    data.diagnosis?.alarms.some(({ code, broker }) => code === alarm.code && broker === alarm.broker) === true
  const about = alarm.broker === null ? 'ALARM' : `ALARM about broker ${alarm.broker}`
  const lines: Line[] = [
    [' ', span(stands ? 'danger' : 'ok', `${about}: ${stands ? 'it stands' : 'it has ended; go on with the steps'}`)],
  ]
  steps.forEach((step, index) => {
    const here = index === cursor.index && cursor.key !== null
    const sign = { done: look.glyphs.ok, now: look.glyphs.warning, later: ' ' }[step.state]
    const token = step.state === 'now' ? 'danger' : step.state === 'done' ? 'ok' : 'plain'
    const texts = wrapSentence(step.text, width - 8)
    texts.forEach((text, row) => {
      const before = row === 0 ? ` ${here ? look.glyphs.cursor : ' '} ${index + 1} ${sign} ` : '       '
      const line = [before, span(token, text)]
      lines.push(here ? cursorLine(line, width) : line)
    })
    const word = { done: 'done', now: 'NOW', later: 'later' }[step.state]
    for (const text of wrapSentence(`${word}: ${step.seen}`, width - 8)) lines.push([span('muted', `       ${text}`)])
  })
  if (alarm.partitions.length === 0) return lines
  const names = alarm.partitions.map(partitionName).join('  ')
  return [
    ...lines,
    ruleLine(
      alarm.partitions.length === 1 ? 'the partition' : `the ${wholeNumber(alarm.partitions.length)} partitions`,
      width,
      look.glyphs,
    ),
    ...wrapSentence(names, width - 2).map((text): Line => ` ${text}`),
  ]
}
