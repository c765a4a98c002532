import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { ActionContext, AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listPosition } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { type Line, span } from '../../layout/line.js'
import { headingLines, sentenceLines, wholeSentences } from '../../layout/sentence.js'
import type { ConsoleServices } from '../../services.js'
import { cursorOf } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'
import { openCompare } from '../compare/open-compare.js'
import { groupExplanation, groupLetter, groupName } from '../listing/group-words.js'
import { groupPlanActions } from '../listing/list-actions.js'
import { SIGNS_LEGEND } from '../listing/partition-cells.js'
import { type ListScope, type PartitionLists, scopeOf } from '../listing/partition-lists.js'
import { partitionTable } from '../listing/partition-table.js'
import { planPartitions, selectionIn } from '../listing/planning.js'
import { saidOf } from '../listing/said-of.js'
import { openRow } from '../open-row.js'
import { GROUP_SCREEN, scopeParamsOfTopics, TOPICS_SCREEN } from './overview-screen.js'

type Context = ActionContext<ConsoleData>

/** With fewer rows the explanations give way to the list. */
const ROOMY = 17

/** Rows of all that stands around the list, the explanation included. */
const EXPLAINED = 10

/** The partitions of one group, as a list over the whole height. */
export function groupScreen(services: ConsoleServices, lists: PartitionLists): Screen<ConsoleData> {
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>) => lists.rows(data, scopeOf(view), list)
  return {
    id: GROUP_SCREEN,
    title: 'Group',
    rows: rowsOf,
    render: (view) => body(groupLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(GROUP_SCREEN, { label: 'compare the replicas of this partition', hint: 'compare' }, (row, { control }) =>
        openCompare(control, row),
      ),
      {
        id: 'group.plan',
        keys: ['p'],
        label: 'plan the marked ones, else what the filter shows, else all of the list',
        hint: 'plan',
        hintOrder: 20,
        scope: GROUP_SCREEN,
        enabled: (context) => rowsOf(context).total > 0 || 'There is nothing in this list to plan.',
        run: (context) => {
          const selection = selectionIn(rowsOf(context), context.list, scopeName(scopeOf(context.view)))
          if (selection.kind === 'refused') context.control.notice(selection.reason, 'warning')
          else void planPartitions(context.control, services, selection.title, selection.rows)
        },
      },
      ...groupPlanActions(GROUP_SCREEN, services),
      {
        id: 'group.topics',
        keys: ['t'],
        label: 'roll up by topic',
        scope: GROUP_SCREEN,
        run: ({ control, view }: Context) => control.replace(TOPICS_SCREEN, scopeParamsOfTopics(scopeOf(view).group)),
      },
    ],
  }
}

/** "group B, topic orders" */
export function scopeName({ group, topic, broker }: ListScope): string {
  return [
    groupName(group),
    ...(topic === undefined ? [] : [`topic ${topic}`]),
    ...(broker === undefined ? [] : [`with a replica on ${broker}`]),
  ].join(', ')
}

export function groupLines(view: AppView<ConsoleData>, rows: Rows<DiagnosedPartition>): Line[] {
  const { data, body: size, list, look } = view
  const scope = scopeOf(view.view)
  const width = size.columns
  // A short list leaves the room that a long one takes.
  const roomy = size.rows >= ROOMY || rows.total + EXPLAINED <= size.rows
  const head: Line[] = [
    ...headingLines(scopeName(scope), listPosition(rows, list, look.glyphs), width),
    ...(roomy ? sentenceLines(groupExplanation(scope.group), width, 'muted') : []),
  ]
  const { key, index } = cursorOf(list, rows)
  const under = key === null ? undefined : rows.rows[index]
  // What the list leaves is for the sentences.
  const spare = size.rows - head.length - 2 - Math.max(1, rows.length)
  const height = roomy ? Math.max(3, Math.min(8, spare)) : 2
  const more = (left: number) => `(${left} more: enter)`
  const said = under === undefined ? [] : saidOf(under, data, 'list')
  const detail = wholeSentences(said, width, height, look.glyphs.ellipsis, more, 'muted')
  while (detail.length < height) detail.push('')
  const foot: Line[] = [...detail, [span('muted', ` ${SIGNS_LEGEND}`)]]
  const letter = groupLetter(scope.group)
  const table = partitionTable(
    {
      rows,
      list,
      group: scope.group,
      draft: data.draft,
      title: letter === '-' ? 'partition' : `in ${letter}`,
      width,
      height: Math.max(2, size.rows - head.length - foot.length),
      empty: list.filter === '' ? '   none' : `   nothing of ${rows.total} passes the filter`,
      active: true,
    },
    look,
  )
  return [...head, ...table, ...foot]
}
