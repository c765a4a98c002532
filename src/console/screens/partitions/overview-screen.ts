import type { DiagnosedPartition, GroupId } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { ActionContext, ConsoleControl, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import type { ConsoleServices } from '../../services.js'
import { openAlarm } from '../alarm/open-alarm.js'
import { groupName } from '../listing/group-words.js'
import { groupPlanActions } from '../listing/list-actions.js'
import { type PartitionLists, scopeParams } from '../listing/partition-lists.js'
import { planPartitions, type Selection, selectionIn } from '../listing/planning.js'
import { overviewLines } from './overview-lines.js'
import { chosenRow, isAlarmKey, type OverviewRow, overviewRows, passing } from './overview-rows.js'

type Context = ActionContext<ConsoleData>

export const OVERVIEW_SCREEN = 'partitions'
export const GROUP_SCREEN = 'group'
export const TOPICS_SCREEN = 'topics'

/** The first screen. Its rows are the alarms and the groups; what the filter shows is counted group by group. */
export function overviewScreen(services: ConsoleServices, lists: PartitionLists): Screen<ConsoleData> {
  const rowsOf = overviewRows()
  const chosen = ({ data, list }: Context): OverviewRow | null => chosenRow(rowsOf(data), list)
  const onGroup = (context: Context) =>
    chosen(context)?.kind === 'group' || (context.data.diagnosis === null ? false : 'move to a group first')
  return {
    id: OVERVIEW_SCREEN,
    title: 'Partitions',
    rows: ({ data }) => rowsOf(data),
    mayMark: (key) => !isAlarmKey(key),
    render: (view) => body(overviewLines(view, rowsOf(view.data), lists), view.body),
    actions: [
      {
        id: 'partitions.open',
        keys: ['enter', 'right'],
        label: 'open the group, or the steps of the alarm',
        hint: 'open',
        hintOrder: 10,
        scope: OVERVIEW_SCREEN,
        enabled: (context) =>
          chosen(context) !== null || (context.data.diagnosis === null ? false : 'move to a group first'),
        run: (context) => {
          const row = chosen(context)
          if (row?.kind === 'alarm') openAlarm(context.control, row.alarm)
          else if (row?.kind === 'group') openGroup(context.control, row.group.id, context.list.filter)
        },
      },
      {
        id: 'partitions.plan',
        keys: ['p'],
        label: 'plan the marked groups, what the filter shows, or this group',
        hint: 'plan group',
        hintOrder: 20,
        scope: OVERVIEW_SCREEN,
        enabled: (context) => context.list.marks.size > 0 || onGroup(context),
        run: (context) => planFromOverview(context, services, lists, chosen(context)),
      },
      ...groupPlanActions(OVERVIEW_SCREEN, services),
      {
        id: 'partitions.topics',
        keys: ['t'],
        label: 'this group by topic',
        scope: OVERVIEW_SCREEN,
        enabled: onGroup,
        run: (context) => {
          const row = chosen(context)
          if (row?.kind === 'group') context.control.open(TOPICS_SCREEN, scopeParamsOfTopics(row.group.id))
        },
      },
      {
        id: 'partitions.all',
        keys: ['o'],
        label: 'all offline partitions in one list',
        scope: OVERVIEW_SCREEN,
        run: ({ control, list }) => openGroup(control, 'all', list.filter),
      },
    ],
  }
}

/** The group as a list of its own, with the filter that was set here. */
export function openGroup(control: ConsoleControl<ConsoleData>, group: GroupId | 'all', filter: string): void {
  control.open(GROUP_SCREEN, scopeParams({ group }))
  if (filter !== '') control.changeList((list) => ({ ...list, filter }))
}

/** Topics are marked by their names: those marks are no partitions. */
export function scopeParamsOfTopics(group: GroupId | 'all'): Readonly<Record<string, string>> {
  return { group }
}

function planFromOverview(
  context: Context,
  services: ConsoleServices,
  lists: PartitionLists,
  row: OverviewRow | null,
): void {
  const { control } = context
  const selection = overviewSelection(context, lists, row)
  if (selection === null) return
  if (selection.kind === 'refused') control.notice(selection.reason, 'warning')
  else void planPartitions(control, services, selection.title, selection.rows)
}

/** The marked groups as far as the filter shows them, else the group under the cursor. */
function overviewSelection(
  { data, list }: Context,
  lists: PartitionLists,
  row: OverviewRow | null,
): Selection<DiagnosedPartition> | null {
  const marked = data.diagnosis?.groups.filter(({ id }) => list.marks.has(id)) ?? []
  if (marked.length === 0 && list.marks.size > 0) {
    const many = wholeNumber(list.marks.size)
    const reason = `${many} marked, and no group among them: mark what is meant, or u takes all marks back.`
    return { kind: 'refused', reason }
  }
  if (marked.length === 0) {
    if (row?.kind !== 'group') return null
    const found = passing(lists, data, row.group.id, list)
    return selectionIn(found, { ...list, marks: new Set() }, groupName(row.group.id))
  }
  const rows = marked.map(({ id }) => passing(lists, data, id, list))
  const partitions = rows.flatMap((one) => one.rows)
  if (partitions.length === 0) return { kind: 'refused', reason: 'There is nothing in the marked groups to plan.' }
  const total = rows.reduce((sum, one) => sum + one.total, 0)
  const filter = list.filter.trim() === '' ? '' : `, filter ${list.filter.trim()}`
  const names = marked.map(({ id }) => groupName(id)).join(', ')
  const title = `${wholeNumber(partitions.length)} of ${wholeNumber(total)} (marked: ${names}${filter})`
  return { kind: 'selected', title, rows: partitions }
}
