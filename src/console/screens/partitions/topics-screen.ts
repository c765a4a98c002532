import type { TopicRollUp } from '../../../recovery/diagnosis/topic-roll-up.js'
import type { AppView, Screen } from '../../app/screen.js'
import { body } from '../../components/body.js'
import { listLines, positionLine } from '../../components/list.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, span } from '../../layout/line.js'
import type { ConsoleServices } from '../../services.js'
import type { Rows } from '../../state/rows.js'
import { groupName } from '../listing/group-words.js'
import { groupPlanActions } from '../listing/list-actions.js'
import { lossText } from '../listing/partition-cells.js'
import { type PartitionLists, scopeOf, scopeParams } from '../listing/partition-lists.js'
import { planPartitions, selectionIn } from '../listing/planning.js'
import { openRow } from '../open-row.js'
import { GROUP_SCREEN, TOPICS_SCREEN } from './overview-screen.js'

const COLUMNS: readonly ColumnSpec[] = [
  { title: 'topic', min: 20, want: 'rest', cut: 'middle' },
  { title: 'partitions', min: 10, want: 10, align: 'right' },
  { title: 'lost at least', min: 18, want: 20, align: 'right' },
]

/** A group by topic. */
export function topicsScreen(services: ConsoleServices, lists: PartitionLists): Screen<ConsoleData> {
  const rowsOf = ({ data, view, list }: AppView<ConsoleData>) => lists.topics(data, scopeOf(view), list)
  return {
    id: TOPICS_SCREEN,
    title: 'Topics of a group',
    rows: rowsOf,
    render: (view) => body(topicsLines(view, rowsOf(view)), view.body),
    actions: [
      openRow(TOPICS_SCREEN, { label: "open this topic's partitions", hint: 'open' }, (row, { view, control }) =>
        control.open(GROUP_SCREEN, scopeParams({ group: scopeOf(view).group, topic: row })),
      ),
      {
        id: 'topics.plan',
        keys: ['p'],
        label: 'plan the marked topics, else what the filter shows, else all of the list',
        hint: 'plan',
        hintOrder: 20,
        scope: TOPICS_SCREEN,
        run: (context) => {
          const { group } = scopeOf(context.view)
          const selection = selectionIn(rowsOf(context), context.list, `topics of ${groupName(group)}`)
          if (selection.kind === 'refused') {
            context.control.notice(selection.reason, 'warning')
            return
          }
          const partitions = selection.rows.flatMap((topic) => topic.partitions)
          const title = `${wholeNumber(partitions.length)} partitions, topics: ${selection.title}`
          void planPartitions(context.control, services, title, partitions)
        },
      },
      ...groupPlanActions(TOPICS_SCREEN, services),
      {
        id: 'topics.partitions',
        keys: ['t'],
        label: 'partition by partition',
        hint: 'partitions',
        hintOrder: 25,
        scope: TOPICS_SCREEN,
        run: ({ control, view }) => control.replace(GROUP_SCREEN, scopeParams({ group: scopeOf(view).group })),
      },
    ],
  }
}

export function topicsLines(view: AppView<ConsoleData>, rows: Rows<TopicRollUp>): Line[] {
  const { list, body: size, look } = view
  const widths = columnWidths(COLUMNS, size.columns - 3)
  const { ellipsis } = look.glyphs
  return [
    [' ', span('title', `${groupName(scopeOf(view.view).group)}, by topic`)],
    ['   ', ...titleSpans(COLUMNS, widths, ellipsis)],
    ...listLines(
      {
        rows,
        list,
        width: size.columns,
        height: Math.max(1, size.rows - 3),
        empty: '   none',
        row: ({ topic, partitions, loss }) =>
          rowSpans(
            COLUMNS,
            widths,
            [
              topic,
              wholeNumber(partitions.length),
              loss === null ? '-' : span(loss.open ? 'unknown' : 'plain', lossText(loss)),
            ],
            ellipsis,
          ),
      },
      look.glyphs,
    ),
    positionLine(rows, list, look.glyphs),
  ]
}
