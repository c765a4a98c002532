import { partitionName } from '../../../cluster/snapshot.js'
import { findPartition } from '../../../recovery/diagnosis/diagnosis.js'
import type { ConsoleData } from '../../console-data.js'
import { clockText } from '../../layout/amounts.js'
import { partitionsText } from '../../planning/plan-words.js'

/**
 * What alarms warned of and has happened while this console is open, the newest first, one line for each broker: for as long as that broker
 * leads any of it. All looks healthy then, nothing is offline any more, and a stop or a start that would do at other times costs the last copies.
 */
export function cameTrueLines({ notices, watched }: Pick<ConsoleData, 'notices' | 'watched'>): string[] {
  const states = watched.snapshot?.partitions ?? []
  const told = new Set<number>()
  const lines: string[] = []
  for (let index = notices.length - 1; index >= 0; index -= 1) {
    const notice = notices[index]
    if (notice?.kind !== 'alarmCameTrue' || told.has(notice.broker)) continue
    told.add(notice.broker)
    const { broker, at } = notice
    const led = notice.partitions.filter((one) => findPartition(states, one)?.leader === broker)
    const [only] = led
    if (only === undefined) continue
    const what = led.length === 1 ? partitionName(only) : partitionsText(led.length)
    lines.push(
      `${clockText(at, true)} HAPPENED: broker ${broker} leads ${what} with the log of the alarm, and the others cut theirs to it. Stop none of them, keep their disks: [5]`,
    )
  }
  return lines
}
