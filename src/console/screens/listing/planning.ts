import { partitionName } from '../../../cluster/snapshot.js'
import { betterMissingBrokers } from '../../../recovery/diagnosis/decision-groups.js'
import type { DiagnosedPartition } from '../../../recovery/diagnosis/diagnosed-partition.js'
import type { Draft } from '../../../recovery/drafts/draft.js'
import type { ConsoleControl } from '../../app/screen.js'
import type { ConsoleData } from '../../console-data.js'
import { wholeNumber } from '../../layout/amounts.js'
import type { Line } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'
import { openPlan } from '../../planning/open-plan.js'
import type { ConsoleServices } from '../../services.js'
import type { ListState } from '../../state/list-state.js'
import type { Rows } from '../../state/rows.js'

type Control = ConsoleControl<ConsoleData>

/** What `p` would plan, and how the plan is called; or why it does nothing. */
export type Selection<Row> =
  | { readonly kind: 'selected'; readonly title: string; readonly rows: readonly Row[] }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * The marked rows that are in sight, else what the filter shows, else all of the list. Marks that are not in the list (filtered away, or gone
 * elsewhere) are never planned, and said.
 */
export function selectionIn<Row>(rows: Rows<Row>, list: ListState, whole: string): Selection<Row> {
  const marked = list.marks.size === 0 ? [] : rows.rows.filter((_, index) => list.marks.has(rows.keyAt(index)))
  const hidden = list.marks.size - marked.length
  const filter = list.filter.trim() === '' ? '' : `filter ${list.filter.trim()}`
  const also = hidden === 0 ? '' : `; ${wholeNumber(hidden)} ${hidden === 1 ? 'mark' : 'marks'} hidden`
  const title = (count: number, which: string) =>
    `${wholeNumber(count)} of ${wholeNumber(rows.total)} (${which}${filter === '' || which.startsWith('filter') ? '' : `, ${filter}`})${also}`
  if (marked.length > 0) return { kind: 'selected', title: title(marked.length, `marked in ${whole}`), rows: marked }
  if (rows.length === 0) return { kind: 'refused', reason: 'There is nothing in this list to plan.' }
  if (filter !== '') return { kind: 'selected', title: title(rows.length, filter), rows: rows.rows }
  if (hidden > 0) {
    return {
      kind: 'refused',
      reason: `${wholeNumber(hidden)} marked, none of them in this list: mark what is meant, or u takes all marks back.`,
    }
  }
  return { kind: 'selected', title: `${whole}, ${wholeNumber(rows.length)}`, rows: rows.rows }
}

/** Brokers that these better wait for, ascending; what was chosen by hand does not count: each of those was looked at by itself. */
export function brokersToWaitFor(partitions: readonly DiagnosedPartition[], draft: Draft | null): number[] {
  const brokers = new Set<number>()
  for (const partition of partitions) {
    const { decided, group } = partition
    if (group !== 'B' || decided === null || draft?.entries.has(partitionName(partition)) === true) continue
    for (const broker of betterMissingBrokers(decided)) brokers.add(broker)
  }
  return [...brokers].sort((a, b) => a - b)
}

/**
 * Opens the plan of these. If any of them better waits for a broker, the operator first types that those brokers are gone: whichever way
 * such a partition gets into a plan.
 */
export async function planPartitions(
  control: Control,
  services: ConsoleServices,
  title: string,
  partitions: readonly DiagnosedPartition[],
): Promise<void> {
  const brokers = brokersToWaitFor(partitions, control.data.draft)
  if (brokers.length > 0) {
    const expected = `gone ${brokers.join(' ')}`
    const waiting = partitions.filter(({ group }) => group === 'B').length
    const typed = await control.ask({
      label: `Type "${expected}" to plan all the same, if ${brokers.length === 1 ? 'it' : 'they'} will not come back:`,
      body: waitingLines(waiting, brokers),
      expected,
    })
    if (typed === null) return
    openPlan(control, services, { title: `${title}; ${expected}`, partitions: partitions.map(named) })
    return
  }
  openPlan(control, services, { title, partitions: partitions.map(named) })
}

/** Group A alone, or with B. */
export async function planGroups(
  control: Control,
  services: ConsoleServices,
  ids: readonly ('A' | 'B')[],
): Promise<void> {
  const { diagnosis } = control.data
  const groups = diagnosis?.groups.filter(({ id }) => ids.some((wanted) => wanted === id)) ?? []
  const partitions = groups.flatMap((group) => group.partitions)
  if (partitions.length === 0) return
  const title = `${ids.length > 1 ? 'groups' : 'group'} ${ids.join(' and ')}, ${wholeNumber(partitions.length)}`
  await planPartitions(control, services, title, partitions)
}

function waitingLines(waiting: number, brokers: readonly number[]): Line[] {
  const one = brokers.length === 1
  const sentence = `${wholeNumber(waiting)} of these better ${waiting === 1 ? 'waits' : 'wait'}: ${one ? 'broker' : 'brokers'} ${brokers.join(', ')} led last or ${one ? 'has' : 'have'} a role, and probably ${one ? 'holds' : 'hold'} more than what was read. If ${one ? 'it comes' : 'they come'} back after an election, what ${one ? 'it holds' : 'they hold'} beyond is lost.`
  return wrapSentence(sentence, 58)
}

function named({ topic, partition }: DiagnosedPartition) {
  return { topic, partition }
}
