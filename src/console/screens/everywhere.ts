import type { ActionContext } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { Action } from '../keys/registry.js'
import type { ConsoleServices } from '../services.js'
import { ALARM_SCREEN, openAlarm } from './alarm/open-alarm.js'
import { openCompare } from './compare/open-compare.js'

type Context = ActionContext<ConsoleData>

/** What works on every screen of the console, beside the application's own keys. */
export function everywhereActions({ live }: ConsoleServices): Action<Context>[] {
  return [
    {
      id: 'read',
      keys: ['ctrl+r'],
      label: 'read everything again',
      scope: 'global',
      run: ({ control }) => {
        control.notice('Reading everything again.', 'muted')
        void live.readNow()
      },
    },
    {
      id: 'alarm.steps',
      keys: ['!'],
      label: 'steps of the alarm',
      hint: 'alarm steps',
      hintOrder: 5,
      scope: 'global',
      enabled: ({ data, screen }) => screen.id !== ALARM_SCREEN && standing(data) !== null,
      run: ({ data, control }) => {
        const alarm = standing(data)
        if (alarm !== null) openAlarm(control, alarm)
      },
    },
    {
      id: 'compare.named',
      keys: [],
      label: 'compare',
      argument: 'TOPIC-PARTITION',
      scope: 'global',
      run: ({ control }, name) => {
        if (name === null) control.notice('Name the partition: compare TOPIC-PARTITION', 'warning')
        else openCompare(control, name)
      },
    },
  ]
}

/** The gravest alarm; else one whose steps were begun, and whose broker was stopped. */
function standing({ diagnosis, alarmsFollowed }: ConsoleData) {
  return diagnosis?.alarms[0] ?? [...alarmsFollowed.values()].at(-1) ?? null
}
