import { partitionName, type TopicPartition } from '../../../cluster/snapshot.js'
import type { ComparedReplica, Comparison, VersusBest } from '../../../recovery/comparison/comparison.js'
import { standingOf } from '../../../recovery/diagnosis/decision-row.js'
import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { PredictedWinner } from '../../../recovery/planning/predicted-winner.js'
import { recordTimeKey } from '../../../recovery/use-cases/last-record-time.js'
import type { Look } from '../../components/look.js'
import { ruleLine } from '../../components/panel.js'
import type { ConsoleData } from '../../console-data.js'
import { bytesText, clockText, wholeNumber } from '../../layout/amounts.js'
import { type ColumnSpec, columnWidths, rowSpans, titleSpans } from '../../layout/columns.js'
import { type Line, type Span, span } from '../../layout/line.js'
import { cursorLine, sentenceLines } from '../../layout/sentence.js'
import { groupName } from '../listing/group-words.js'
import { choiceText, sinceText } from '../listing/partition-cells.js'
import { saidOf } from '../listing/said-of.js'
import type { Compared } from './compared.js'
import { rulerLines } from './ruler-lines.js'
import { whatIfLines } from './what-if-lines.js'

export interface CompareParts {
  readonly name: string
  readonly compared: Compared
  /** "[3 of 40 in B]"; empty: it came from no list. */
  readonly place: string
  /** Broker under the cursor. */
  readonly cursor: number | null
  /** Sizes, directories, watermarks. */
  readonly details: boolean
}

/** All lines of the comparison, however many; `roomy`: with rules between its parts. */
export function compareLines(
  parts: CompareParts,
  data: ConsoleData,
  width: number,
  look: Look,
  roomy: boolean,
): Line[] {
  const { compared, place, name } = parts
  const placeLine = place === '' ? [] : sentenceLines(place, width, 'muted')
  switch (compared.kind) {
    case 'unknown':
      return [
        ...sentenceLines(
          data.diagnosis === null
            ? 'Reading.'
            : `${name} is not in the cluster any more, or is not shown to this user.`,
          width,
          'warning',
        ),
        ...placeLine,
      ]
    case 'notOffline': {
      const { leader, leaderEpoch, isr } = compared.state
      return [
        ...sentenceLines(
          `${name} has a leader: broker ${leader ?? '?'}, epoch ${leaderEpoch}, ISR ${isr.join(' ')}. It is not offline, and nothing is to be elected.`,
          width,
          'ok',
        ),
        ...placeLine,
      ]
    }
    case 'reading':
      return [...sentenceLines(`The logs of ${name} are being read.`, width), ...placeLine]
    case 'comparison':
      return comparisonLines(parts, compared, data, width, look, roomy)
  }
}

function comparisonLines(
  { place, cursor, details }: CompareParts,
  { comparison, partition }: Extract<Compared, { kind: 'comparison' }>,
  data: ConsoleData,
  width: number,
  look: Look,
  roomy: boolean,
): Line[] {
  const rule: Line[] = roomy ? [ruleLine('', width, look.glyphs)] : []
  const { state, config } = comparison
  const emptied = (data.diagnosis?.seenEmpty ?? []).filter(({ partitions }) =>
    partitions.some((one) => one.topic === state.topic && one.partition === state.partition),
  )
  const ids = (brokers: readonly number[] | null) =>
    brokers === null ? 'not told' : brokers.length === 0 ? '-' : brokers.join(' ')
  const facts = [
    place,
    `no leader, epoch ${state.leaderEpoch}`,
    `ISR ${ids(state.isr)}`,
    `ELR ${ids(state.elr)}`,
    `last known ELR ${ids(state.lastKnownElr)}`,
    `min ISR ${config?.minInsyncReplicas ?? '?'}`,
    config?.cleanupPolicy ?? 'cleanup policy ?',
    `offline since ${sinceText(partition.since)}`,
  ].filter((fact) => fact !== '')
  const choice = data.draft?.entries.get(partitionName(partition))?.choice
  const byHand = choice?.kind === 'leader' ? choice.planned.designatedLeader : null
  const leftToYou = choice === undefined && !('designatedLeader' in (partition.decided ?? {}))
  const old: Line[] = partition.outdated
    ? sentenceLines('It changed since its logs were read: they are being read again.', width, 'warning')
    : []
  return [
    ...factLines(facts, width),
    ...old,
    ...rule,
    ...replicaTable(comparison, cursor, width, look, emptied),
    ...emptied.flatMap(({ broker, seenAt }) =>
      sentenceLines(
        `Broker ${broker} was up with an EMPTY log of it at ${clockText(seenAt)}: its disk is not the old one. Elect before it starts.`,
        width,
        'danger',
        '   ',
      ),
    ),
    ...(details ? [...rule, ...detailLines(comparison, data, width)] : []),
    ...(roomy ? [''] : []),
    ...rulerLines(comparison, width, look),
    ...rule,
    ...whatIfLines(comparison, cursor, width, look.glyphs, byHand),
    ...(comparison.whyFirst === null ? [] : sentenceLines(comparison.whyFirst, width, 'plain', '   ')),
    ...sentenceLines(kafkaText(comparison.kafkaTakes, comparison.chosen, leftToYou), width, 'plain', '   '),
    ...sentenceLines(planText(partition, comparison, data), width, 'title'),
    ...saidOf(partition, data, 'compare').flatMap((text) => sentenceLines(text, width, 'muted')),
  ]
}

/** Facts side by side, three blanks between them; wrapped between facts. */
function factLines(facts: readonly string[], width: number): Line[] {
  const lines: string[] = []
  let line = ''
  for (const fact of facts) {
    const next = line === '' ? ` ${fact}` : `${line}   ${fact}`
    if (line !== '' && next.length > width) {
      lines.push(line)
      line = ` ${fact}`
    } else line = next
  }
  return [...lines, line]
}

function replicaTable(
  { replicas }: Comparison,
  cursor: number | null,
  width: number,
  look: Look,
  emptied: readonly { readonly broker: number }[],
): Line[] {
  const narrow = width < 76
  const racks = replicas.some(({ rack }) => rack !== null)
  const cells = replicas.map((replica) => {
    const { log, epoch } = replica
    return {
      broker: narrow ? String(replica.broker) : `${replica.broker}  ${replica.host ?? ''}`.trimEnd(),
      state: stateText(replica, narrow),
      epoch: epoch === null || epoch.kind === 'unknown' ? '?' : epoch.kind === 'none' ? '-' : String(epoch.epoch),
      start: log === null ? '' : wholeNumber(log.logStartOffset),
      end: log === null ? 'not read' : wholeNumber(log.logEndOffset),
      versus: emptied.some(({ broker }) => broker === replica.broker) ? 'SEEN EMPTY' : versusText(replica.versusBest),
      rack: replica.rack ?? '',
    }
  })
  const widest = (least: number, of: (cell: (typeof cells)[number]) => string) =>
    Math.max(least, ...cells.map((cell) => of(cell).length))
  const broker = widest(6, (cell) => cell.broker)
  const end = widest(8, (cell) => cell.end)
  const start = widest(5, (cell) => cell.start)
  const versus = widest(9, (cell) => cell.versus)
  const state = widest(14, (cell) => cell.state)
  const specs: ColumnSpec[] = [
    { title: 'broker', min: narrow ? 6 : Math.min(20, broker), want: 'rest', cut: 'middle' },
    ...(racks ? [{ title: 'rack', min: 4, want: 10, drop: 3 }] : []),
    { title: 'state', min: Math.min(state, narrow ? 16 : 20), want: state },
    { title: 'epoch', min: 5, want: 5, align: 'right', drop: 1 },
    { title: 'start', min: start, want: start, align: 'right', drop: 2 },
    { title: 'end', min: end, want: end, align: 'right' },
    { title: 'vs best', min: versus, want: versus, align: 'right' },
  ]
  const widths = columnWidths(specs, width - 4)
  const { ellipsis } = look.glyphs
  return [
    ['   ', ...titleSpans(specs, widths, ellipsis)],
    ...replicas.map((replica, index): Line => {
      const cell = cells[index]
      const here = replica.broker === cursor
      const mayHaveMore = replica.versusBest.kind === 'mayHaveMore'
      const unread = replica.rank === null
      const line: Span[] = [
        ` ${here ? look.glyphs.cursor : ' '} `,
        ...rowSpans(
          specs,
          widths,
          [
            cell?.broker ?? '',
            ...(racks ? [cell?.rack ?? ''] : []),
            span(unread ? 'warning' : 'plain', cell?.state ?? ''),
            cell?.epoch ?? '',
            cell?.start ?? '',
            span(cell?.end === 'not read' ? 'unknown' : 'plain', cell?.end ?? ''),
            span(mayHaveMore ? 'warning' : 'plain', cell?.versus ?? ''),
          ],
          ellipsis,
        ),
      ]
      return here ? cursorLine(line, width) : line
    }),
  ]
}

/** "up, rank 1"; "DOWN, LED LAST"; never by colour alone. Shorter where there is little room: what is ranked is up. */
function stateText({ brokerState, read, rank, empty, ledLast }: ComparedReplica, narrow: boolean): string {
  const broker = brokerState !== 'up' ? [brokerState.toUpperCase()] : narrow ? [] : ['up']
  const place = rank !== null ? [`rank ${rank}`] : brokerState === 'up' ? [notReadText(read)] : []
  const led = ledLast ? [rank === null ? 'LED LAST' : 'led last'] : []
  return [...broker, ...place, ...(empty ? ['EMPTY'] : []), ...led].join(', ')
}

function notReadText(read: ComparedReplica['read']): string {
  switch (standingOf(read)) {
    case 'offlineLogDir':
      return 'DISK'
    case 'late':
      return 'late'
    default:
      return 'not counted'
  }
}

function versusText(versus: VersusBest): string {
  switch (versus.kind) {
    case 'best':
      return 'best read'
    case 'mayHaveMore':
      return 'MAY HAVE MORE'
    case 'unknown':
      return '?'
    case 'offsets':
      return versus.difference === 0
        ? 'same end'
        : versus.difference > 0
          ? `+${wholeNumber(versus.difference)}`
          : wholeNumber(versus.difference)
  }
}

function detailLines({ replicas, state }: Comparison, { recordTimes }: ConsoleData, width: number): Line[] {
  return replicas.flatMap((replica) => {
    const { broker, log, roles, reason, rack } = replica
    const held = [roles.isr ? 'ISR' : '', roles.elr ? 'ELR' : '', roles.lastKnownElr ? 'last known ELR' : '']
    const time = recordTimes.get(recordTimeKey(state, broker))
    const parts = [
      log?.logDir ?? 'directory not told',
      log?.sizeBytes == null ? 'size not told' : bytesText(log.sizeBytes),
      log?.highWatermark == null ? 'high watermark not told' : `high watermark ${wholeNumber(log.highWatermark)}`,
      rack === null ? '' : `rack ${rack}`,
      held.some(Boolean) ? `in ${held.filter(Boolean).join(', ')}` : '',
      time === undefined ? '' : timeText(time),
      reason === null ? '' : reason,
    ].filter((part) => part !== '')
    return sentenceLines(`${broker}: ${parts.join('; ')}`, width, 'plain', '   ')
  })
}

function timeText(time: NonNullable<ReturnType<ConsoleData['recordTimes']['get']>>): string {
  switch (time.kind) {
    case 'time':
      return `last record ${dateText(time.at)} at offset ${wholeNumber(time.offset)}`
    case 'none':
      return 'no record with a time'
    case 'refused':
      return `time of the last record not read: ${time.reason}`
  }
}

function dateText(at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  return `${day} ${clockText(at, true)}`
}

/** `leftToYou`: nothing is chosen, and `chosen` is only the first by rank. */
export function kafkaText(takes: PredictedWinner, chosen: number | null, leftToYou = false): string {
  switch (takes.kind) {
    case 'nobody':
      return "Kafka's own unclean election would take nobody."
    case 'unknown':
      return `Whom Kafka's own unclean election would take is not known: one of ${takes.among.join(', ')}; its ELR was not told.`
    case 'broker': {
      if (takes.broker === chosen) {
        const same = leftToYou ? 'the first by rank, too; nothing is chosen yet' : 'the same as chosen'
        return `Kafka's own unclean election would take ${takes.broker}: ${same}.`
      }
      const by = {
        isr: 'it is in the ISR',
        elr: 'it is in the ELR',
        lastKnownLeader: 'it led last',
        order: 'it comes first in the assignment',
      }[takes.by]
      return `Kafka's own unclean election would take ${takes.broker} (${by})${chosen === null ? '.' : `, not ${chosen}.`}`
    }
  }
}

/** What was decided by hand, and whether the plan that is open has it. */
function planText(partition: DiagnosedPartition, { chosen }: Comparison, { draft, plan }: ConsoleData): string {
  const name = partitionName(partition)
  const choice = choiceText(draft?.entries.get(name)?.choice)
  const where = plan !== null && namesIn(plan.scope.partitions).has(name) ? 'in it' : 'not in it'
  const byRank =
    chosen === null || !('designatedLeader' in (partition.decided ?? {}))
      ? `left to you, ${groupName(partition.group)}`
      : `${chosen} by rank, ${groupName(partition.group)}`
  return `Plan: ${where}. ${choice === null ? 'As it stands' : 'Decided'}: ${choice ?? byRank}.`
}

const names = new WeakMap<readonly TopicPartition[], ReadonlySet<string>>()

function namesIn(partitions: readonly TopicPartition[]): ReadonlySet<string> {
  const known = names.get(partitions) ?? new Set(partitions.map(partitionName))
  names.set(partitions, known)
  return known
}
