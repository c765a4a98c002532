import type { LossSum } from '../../../recovery/diagnosis/decision-groups.js'
import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import { alarmsSentence, startNothingSentence } from '../../../recovery/diagnosis/overview.js'
import { lossOver } from '../../../recovery/diagnosis/topic-roll-up.js'
import { type StartLine, startLineText, uselessStartText } from '../../../recovery/returns/start-lines.js'
import type { AppView } from '../../app/screen.js'
import { ruleLine } from '../../components/panel.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import { cutEnd, pad, sized } from '../../layout/cut.js'
import { type Line, type Span, span } from '../../layout/line.js'
import { clauseWithin, cursorLine, sentenceLines } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { partitionsText } from '../../planning/plan-words.js'
import { cursorOf, newList } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'
import { groupLabel, groupLetter } from '../listing/group-words.js'
import { lossText } from '../listing/partition-cells.js'
import type { PartitionLists } from '../listing/partition-lists.js'
import { partitionTable } from '../listing/partition-table.js'
import { chosenRow, type OverviewRow, passing } from './overview-rows.js'

type View = AppView<ConsoleData>

/** How much is left out where rows are few; each level leaves out more. */
interface Level {
  readonly rules: boolean
  readonly shortGroups: boolean
  /** Start lines at most; null: all. */
  readonly starts: number | null
  /** Only what cannot be missed stands above the groups. */
  readonly terse: boolean
  /** Of the demo's lesson only what fits into one line. */
  readonly shortLesson: boolean
  /** Rows of the list of partitions that are to fit. */
  readonly list: number
}

const LEVELS: readonly Level[] = [
  { rules: true, shortGroups: false, starts: null, terse: false, shortLesson: false, list: 4 },
  { rules: false, shortGroups: false, starts: null, terse: false, shortLesson: false, list: 4 },
  { rules: false, shortGroups: true, starts: null, terse: false, shortLesson: false, list: 3 },
  { rules: false, shortGroups: true, starts: 3, terse: false, shortLesson: false, list: 3 },
  { rules: false, shortGroups: true, starts: 1, terse: false, shortLesson: false, list: 2 },
  { rules: false, shortGroups: true, starts: 1, terse: true, shortLesson: false, list: 1 },
  { rules: false, shortGroups: true, starts: 1, terse: true, shortLesson: true, list: 1 },
  { rules: false, shortGroups: true, starts: 0, terse: true, shortLesson: true, list: 0 },
]

/** The first screen: how bad it is, what to start first, what can be done, and the partitions of the chosen group. */
export function overviewLines(view: View, rows: Rows<OverviewRow>, lists: PartitionLists): Line[] {
  const { data, body } = view
  if (data.diagnosis === null) return readingLines(view)
  const foot = footLines(view)
  let above: Line[] = []
  let groups: GroupLines = { lines: [], cursor: 0 }
  for (const level of LEVELS) {
    above = [...aboutLines(view, level), ...startBlock(view, level)]
    groups = groupBlock(view, rows, lists, level)
    const list = level.list === 0 ? 0 : level.list + 1
    if (above.length + groups.lines.length + list + foot.length <= body.rows) break
  }
  const lines = [...above, ...groups.lines]
  const room = body.rows - lines.length - foot.length
  if (room >= 0) return [...lines, ...listBlock(view, rows, lists, room), ...foot]
  // Not even the groups fit (many alarms on a small screen): the row under the cursor stays in sight.
  const top = Math.max(0, Math.min(above.length + groups.cursor - body.rows + 2, lines.length - body.rows))
  return lines.slice(top, top + body.rows)
}

function readingLines({ data, body }: View): Line[] {
  const { snapshot } = data.watched
  const said =
    snapshot === null
      ? 'Reading brokers and partitions. What is offline is not known yet.'
      : 'Working out what is offline, and what can be done.'
  return [...sentenceLines(said, body.columns), ...lessonLines(data.place.lesson, body.columns)]
}

function aboutLines({ data, body, look }: View, { terse, shortLesson }: Level): Line[] {
  const { diagnosis } = data
  if (diagnosis === null) return []
  const { overview, progress, problems } = diagnosis
  const { offline, partitions, offlineTopics, internal, failedLogDirs } = overview
  const alarms = alarmsSentence(overview)
  const counts =
    offline === 0
      ? `No partition is offline, of ${wholeNumber(partitions)}.`
      : `${wholeNumber(offline)} OFFLINE of ${wholeNumber(partitions)}, in ${wholeNumber(offlineTopics)} ${offlineTopics === 1 ? 'topic' : 'topics'}.`
  const lines = sentenceLines(`${counts}  ${alarms}`, body.columns, offline === 0 ? 'ok' : 'offline')
  if (internal.length > 0) {
    const topics = internal.map(({ topic, offline: number }) => `${topic} ${wholeNumber(number)}`).join(', ')
    lines.push(
      ...sentenceLines(
        `Internal: ${topics}: ${stuckWith(internal.map(({ topic }) => topic))}`,
        body.columns,
        'warning',
      ),
    )
  }
  if (terse)
    return [...lines, ...lessonLines(data.place.lesson, body.columns, shortLesson ? look.glyphs.ellipsis : null)]
  if (failedLogDirs > 0) {
    const dirs = failedLogDirs === 1 ? '1 log directory has' : `${wholeNumber(failedLogDirs)} log directories have`
    lines.push(...sentenceLines(`${dirs} FAILED: see [2].`, body.columns, 'warning'))
  }
  const { reading } = progress
  if (reading !== null && (progress.notRead > 0 || progress.outdated > 0)) {
    lines.push(
      ...sentenceLines(
        `Reading logs: ${reading.done} of ${reading.brokers} brokers have answered; ${partitionsText(progress.notRead + progress.outdated)} to go.`,
        body.columns,
        'muted',
      ),
    )
  }
  const [problem, ...others] = problems
  if (problem !== undefined) {
    const more = others.length === 0 ? '' : ` (${others.length} more: see [3])`
    lines.push(...sentenceLines(`Not read: ${problem}${more}`, body.columns, 'warning'))
  }
  return [...lines, ...lessonLines(data.place.lesson, body.columns)]
}

function stuckWith(topics: readonly string[]): string {
  const stuck = [
    topics.includes('__consumer_offsets') ? 'consumers' : '',
    topics.includes('__transaction_state') ? 'transactions' : '',
    topics.includes('__share_group_state') ? 'share groups' : '',
    topics.includes('__remote_log_metadata') ? 'tiered storage' : '',
  ].filter((word) => word !== '')
  return stuck.length === 0 ? 'what needs them is stuck too.' : `${stuck.join(', ')} stuck too.`
}

/** `ellipsis`: only as much as fits into one line; null: all of it. */
function lessonLines(lesson: string | null, width: number, ellipsis: string | null = null): Line[] {
  if (lesson === null) return []
  const before = 'Demo: '
  const text = ellipsis === null ? `${lesson}.` : clauseWithin(lesson, width - 1 - before.length, ellipsis)
  return sentenceLines(`${before}${text}`, width, 'simulated')
}

function startBlock({ data, body, look }: View, { rules, starts, terse }: Level): Line[] {
  const { diagnosis } = data
  if (diagnosis === null) return []
  const { overview } = diagnosis
  const rule = rules ? [ruleLine('', body.columns, look.glyphs)] : []
  const nothing = startNothingSentence(overview)
  // The alarm itself says so, too.
  if (nothing !== null && terse) return []
  if (nothing !== null) return [...rule, ...sentenceLines(nothing, body.columns, 'danger')]
  if (overview.advice.kind !== 'start') return []
  const { lines } = overview.advice
  // Never left out: such a start wipes what is left.
  const emptied = overview.seenEmpty.flatMap(({ text }) => sentenceLines(text, body.columns, 'danger'))
  if (lines.length === 0) return emptied.length === 0 ? [] : [...rule, ...emptied]
  if (starts === 0 && emptied.length > 0) return emptied
  if (starts === 0) return sentenceLines('What to start first: see [3].', body.columns, 'title')
  const useful = lines.filter((line) => line.useful)
  const useless = lines.filter((line) => !line.useful)
  const shown = starts === null ? useful : useful.slice(0, starts)
  const left = useful.length - shown.length
  const nameWidth = startNameWidth(lines, body.columns)
  // With little room these are told by the Brokers screen alone.
  const others = starts === null ? useless.flatMap((line) => uselessLines(line, body.columns)) : []
  if (useful.length === 0) return emptied.length + others.length === 0 ? [] : [...rule, ...emptied, ...others]
  return [
    ...rule,
    ...emptied,
    [span('title', ` ${pad('START FIRST, with old disks', nameWidth, 'left')}may bring back by itself`)],
    ...shown.flatMap((line) => startLineLines(line, nameWidth, body.columns, look.glyphs.ellipsis)),
    ...(left > 0 ? [[span('muted', `   and ${left} more: see [3]`)] satisfies Line] : []),
    ...others,
  ]
}

function uselessLines(line: StartLine, width: number): Line[] {
  const harmful = line.harms > 0 || line.before.length > 0 || line.emptiedWipes > 0
  return sentenceLines(uselessStartText(line), width, harmful ? 'warning' : 'muted')
}

function startNameWidth(lines: readonly StartLine[], width: number): number {
  const widest = Math.max(...lines.map(({ broker, host }) => `${broker}  ${host ?? ''}`.length))
  return Math.max(29, Math.min(widest + 10, Math.floor(width / 2)))
}

function startLineLines(line: StartLine, nameWidth: number, width: number, ellipsis: string): Line[] {
  const order = ordinal(line.order)
  const fenced = line.state === 'fenced' ? ' fenced' : ''
  const name = cutEnd(`${line.broker}  ${line.host ?? ''}${fenced}`, nameWidth - 10, ellipsis)
  const before = `   ${pad(name, nameWidth - 10, 'left')}  ${pad(order, 6, 'left')}`
  const texts = wrapSentence(startLineText(line), width - before.length)
  const harmful = line.harms > 0 || line.before.length > 0
  return texts.map(
    (text, index): Line => [
      index === 0 ? before : ' '.repeat(before.length),
      harmful && index > 0 ? span('warning', text) : text,
    ],
  )
}

export function ordinal(number: number): string {
  const tens = number % 100
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

interface GroupLines {
  readonly lines: Line[]
  /** Which of them has the cursor. */
  readonly cursor: number
}

function groupBlock(view: View, rows: Rows<OverviewRow>, lists: PartitionLists, level: Level): GroupLines {
  const { body, look, list } = view
  const width = body.columns
  const cursor = cursorOf(list, rows)
  const rule = level.rules ? [ruleLine('', width, look.glyphs)] : []
  const cells = rows.rows.map((row) => (row.kind === 'group' ? groupCells(row, view, lists) : null))
  const countWidth = Math.max(10, ...cells.map((cell) => cell?.count.length ?? 0))
  const lossWidth = Math.max(13, ...cells.map((cell) => cell?.loss.length ?? 0))
  const labelWidth = width - 6 - countWidth - lossWidth - 4
  const filtered = list.filter.trim() === '' ? '' : ` (filter ${list.filter.trim()})`
  const title: Line = [
    '   ',
    span('title', sized(`WHAT CAN BE DONE${filtered}`, labelWidth + 3, 'left', look.glyphs.ellipsis)),
    span('muted', `  ${pad('partitions', countWidth, 'right')}  ${pad('lost at least', lossWidth, 'right')}`),
  ]
  const length = level.terse ? 'shortest' : level.shortGroups ? 'short' : 'long'
  const lines: Line[] = []
  let at = 0
  rows.rows.forEach((row, index) => {
    const here = index === cursor.index
    if (here) at = lines.length
    const sign = !here ? ' ' : cursor.key !== null ? look.glyphs.cursor : cursor.gone !== null ? look.glyphs.gone : ' '
    const mark = list.marks.has(rows.keyAt(index)) ? look.glyphs.mark : ' '
    const selected = here && cursor.key !== null
    if (row.kind === 'alarm') {
      const what = row.alarm.broker === null ? 'no quorum' : `broker ${row.alarm.broker}`
      const text = sized(
        `${look.glyphs.warning}  ALARM, ${what}: enter: steps`,
        width - 3,
        'left',
        look.glyphs.ellipsis,
      )
      lines.push(selected ? [span('selected', `${sign}${mark} ${text}`)] : [`${sign}${mark} `, span('danger', text)])
      return
    }
    const cell = cells[index]
    if (cell === null || cell === undefined) return
    const [label = '', ...more] = level.terse
      ? [cutEnd(groupLabel(row.group, length), labelWidth, look.glyphs.ellipsis)]
      : wrapSentence(groupLabel(row.group, length), labelWidth)
    const before = `${sign}${mark} ${pad(groupLetter(row.group.id), 3, 'left')}`
    const numbers = `  ${pad(cell.count, countWidth, 'right')}  ${pad(cell.loss, lossWidth, 'right')}`
    const first: Span[] = [before, pad(label, labelWidth, 'left'), span(cell.open ? 'unknown' : 'plain', numbers)]
    lines.push(selected ? cursorLine(first, width) : first)
    lines.push(...more.map((text): Line => [span('muted', `      ${text}`)]))
  })
  return { lines: [...rule, title, ...lines], cursor: rule.length + 1 + at }
}

/** Once for each answer of a filter: a hundred thousand rows may pass it. */
const losses = new WeakMap<object, LossSum>()

function lossOfRows(rows: Rows<DiagnosedPartition>): LossSum {
  const loss = losses.get(rows) ?? lossOver(rows.rows)
  losses.set(rows, loss)
  return loss
}

function groupCells({ group }: Extract<OverviewRow, { kind: 'group' }>, view: View, lists: PartitionLists) {
  const { data, list } = view
  const filtered = list.filter.trim() !== ''
  const rows = filtered ? passing(lists, data, group.id, list) : null
  const total = group.partitions.length
  const loss = group.loss === null || total === 0 ? null : rows === null ? group.loss : lossOfRows(rows)
  return {
    count: rows === null ? wholeNumber(total) : `${wholeNumber(rows.length)} of ${wholeNumber(total)}`,
    loss: loss === null ? '' : lossText(loss),
    open: loss?.open ?? false,
  }
}

function listBlock(view: View, rows: Rows<OverviewRow>, lists: PartitionLists, room: number): Line[] {
  const { data, body, look, list } = view
  const chosen = chosenRow(rows, list)
  if (room < 2 || data.diagnosis?.overview.offline === 0) return blanks(room)
  if (chosen === null) return blanks(room)
  if (chosen.kind === 'alarm') {
    const names = chosen.alarm.partitions.map(({ topic, partition }): Line => `   ${topic}-${partition}`)
    const title: Line = [span('muted', `   in the alarm: ${wholeNumber(names.length)}`)]
    return [title, ...names, ...blanks(room)].slice(0, room)
  }
  const { id } = chosen.group
  const found = passing(lists, data, id, list)
  const letter = groupLetter(id)
  return partitionTable(
    {
      rows: found,
      list: newList(),
      group: id,
      draft: data.draft,
      title: found.length === found.total ? `in ${letter}` : `in ${letter}: ${found.length} of ${found.total}`,
      width: body.columns,
      height: room,
      empty: '   none',
      active: false,
    },
    look,
  )
}

function footLines({ data, body }: View): Line[] {
  const sent = data.sent.length === 0 ? 'Nothing has been sent.' : 'What was sent: see [5].'
  return sentenceLines(`? = on replicas that were not read. ${sent}`, body.columns, 'muted').slice(0, 1)
}

function blanks(count: number): Line[] {
  return new Array<Line>(Math.max(0, count)).fill('')
}
