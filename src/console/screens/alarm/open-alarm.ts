import type { Alarm } from '../../../recovery/returns/alarms.js'
import type { ConsoleControl } from '../../app/screen.js'
import type { ConsoleData } from '../../console-data.js'

export const ALARM_SCREEN = 'alarm'

/** Opens the steps of an alarm. They go on when its broker is stopped and the alarm itself ends: so it is kept. */
export function openAlarm(control: ConsoleControl<ConsoleData>, alarm: Alarm): void {
  const { broker } = alarm
  if (broker !== null) {
    control.update((data) => ({ ...data, alarmsFollowed: new Map(data.alarmsFollowed).set(broker, alarm) }), 'now')
  }
  control.open(ALARM_SCREEN, { code: alarm.code, ...(broker === null ? {} : { broker: String(broker) }) })
}
