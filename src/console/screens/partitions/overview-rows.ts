import type { DecisionGroup } from '../../../recovery/diagnosis/decision-groups.js'
import type { DiagnosedPartition, GroupId } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { Diagnosis } from '../../../recovery/diagnosis/diagnosis.js'
import type { Alarm } from '../../../recovery/returns/alarms.js'
import type { ConsoleData } from '../../console-data.js'
import { cursorOf, type ListState } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'
import type { ListScope, PartitionLists } from '../listing/partition-lists.js'

/** A row of the first screen that the cursor may stand on. */
export type OverviewRow =
  | { readonly kind: 'alarm'; readonly alarm: Alarm }
  | { readonly kind: 'group'; readonly group: DecisionGroup }

const ALARM = 'alarm '

export function alarmKey({ code, broker }: Alarm): string {
  return `${ALARM}${code} ${broker}`
}

/** An alarm cannot be marked: nothing is planned from it but by its own steps. */
export function isAlarmKey(key: string): boolean {
  return key.startsWith(ALARM)
}

/** The alarms, then the groups. A filter takes none of them away: it says how many of each group pass. */
export function overviewRows(): (data: ConsoleData) => Rows<OverviewRow> {
  let last: { readonly diagnosis: Diagnosis | null; readonly rows: Rows<OverviewRow> } | null = null
  return ({ diagnosis }) => {
    if (last === null || last.diagnosis !== diagnosis) last = { diagnosis, rows: rowsOf(diagnosis) }
    return last.rows
  }
}

function rowsOf(diagnosis: Diagnosis | null): Rows<OverviewRow> {
  const rows: readonly OverviewRow[] = [
    ...(diagnosis?.alarms ?? []).map((alarm) => ({ kind: 'alarm' as const, alarm })),
    ...(diagnosis?.groups ?? []).map((group) => ({ kind: 'group' as const, group })),
  ]
  return {
    rows,
    length: rows.length,
    total: rows.length,
    sort: null,
    sorts: [],
    start: startIn(rows),
    keyAt(index) {
      const row = rows[index]
      if (row === undefined) throw new RangeError(`row ${index} of ${rows.length}`)
      return row.kind === 'alarm' ? alarmKey(row.alarm) : row.group.id
    },
  }
}

/** On the gravest alarm, else on the first group that has any; not before anything was read of the logs. */
function startIn(rows: readonly OverviewRow[]): number | null {
  const filled = rows.findIndex((row) => row.kind === 'alarm' || row.group.partitions.length > 0)
  const first = rows[filled]
  return first?.kind === 'group' && first.group.id === 'reading' ? null : Math.max(0, filled)
}

/** What the row under the cursor is: an alarm, a group, or nothing (the group is gone: nothing is chosen in its place). */
export function chosenRow(rows: Rows<OverviewRow>, list: ListState): OverviewRow | null {
  const { key, index } = cursorOf(list, rows)
  return key === null ? null : (rows.rows[index] ?? null)
}

/** What of a group passes the filter. */
export function passing(
  lists: PartitionLists,
  data: ConsoleData,
  group: GroupId,
  { filter }: Pick<ListState, 'filter'>,
): Rows<DiagnosedPartition> {
  const scope: ListScope = { group }
  return lists.rows(data, scope, { filter, sort: null })
}
