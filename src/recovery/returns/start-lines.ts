import type { Broker } from '../../cluster/snapshot.js'
import { count } from '../../text/wording.js'
import type { GroupId } from '../diagnosis/diagnosed-partition.js'
import type { StartAdvice, StartFinding } from './start-advice.js'

/** How many partitions, by the group that they stand in. In the groups' order, only those with any. */
export type GroupCounts = readonly { readonly group: GroupId; readonly count: number }[]

/** One missing broker: when to start it, with its old disks, and what that may do. */
export interface StartLine {
  readonly broker: number
  /** Null: not told. */
  readonly host: string | null
  readonly state: StartAdvice['state']
  /** From 1; those whose start is of no use come last. */
  readonly order: number
  /** May bring these back by itself. */
  readonly bringsBack: GroupCounts
  /** These more, once that other broker is up. */
  readonly once: readonly { readonly broker: number; readonly partitions: number }[]
  /** Nobody alive can lead these; once this broker is up they can be elected. */
  readonly electable: number
  /** Something comes back by its start, or can be elected then. */
  readonly useful: boolean
  /** Before that other one is up it may lead these, with less than that one holds: start that, or elect these first. */
  readonly before: readonly { readonly broker: number; readonly partitions: number }[]
  /** Its start makes somebody leader of these with less than others are known to hold: elect these first. */
  readonly harms: number
  /** Had it an emptied disk, it would wipe others in these. */
  readonly emptiedWipes: number
  readonly advice: StartAdvice
}

/** Counts, broker by broker, what may come back by itself; partition after partition, so that it can be done in slices. */
export interface BringsBackCounter {
  add(findings: readonly StartFinding[], group: GroupId): void
  of(broker: number): GroupCounts
}

export function bringsBackCounter(): BringsBackCounter {
  const counts = new Map<number, Map<GroupId, number>>()
  return {
    add(findings, group) {
      for (const { broker, bringsBack } of findings) {
        if (!bringsBack) continue
        const groups = counts.get(broker) ?? new Map<GroupId, number>()
        counts.set(broker, groups.set(group, (groups.get(group) ?? 0) + 1))
      }
    },
    of: (broker) =>
      [...(counts.get(broker) ?? [])]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([group, number]) => ({ group, count: number })),
  }
}

export function startLines(
  advice: readonly StartAdvice[],
  brokers: readonly Broker[],
  counter: Pick<BringsBackCounter, 'of'>,
  /** By broker: partitions that nobody alive can lead, and that it has a replica of without bringing them back by itself. */
  electableOnce: ReadonlyMap<number, number> = new Map(),
): StartLine[] {
  const hosts = new Map(brokers.map(({ id, host }) => [id, host]))
  const counted = (others: StartAdvice['once']) =>
    others.map(({ broker, partitions }) => ({ broker, partitions: partitions.length }))
  const lines = advice.map(
    (entry): StartLine => ({
      broker: entry.broker,
      host: hosts.get(entry.broker) ?? null,
      state: entry.state,
      order: entry.order,
      bringsBack: counter.of(entry.broker),
      once: counted(entry.once),
      electable: electableOnce.get(entry.broker) ?? 0,
      useful: entry.bringsBack.length + entry.once.length + (electableOnce.get(entry.broker) ?? 0) > 0,
      before: counted(entry.before),
      harms: entry.harms.length,
      emptiedWipes: entry.emptiedWipes.length,
      advice: entry,
    }),
  )
  return [...lines.filter(({ useful }) => useful), ...lines.filter(({ useful }) => !useful)].map((line, index) => ({
    ...line,
    order: index + 1,
  }))
}

/** "11 of B, 3 more once 8 is up; before 7 it may lead 5 with less": what stands behind the broker's name. */
export function startLineText({ bringsBack, once, electable, before, harms }: StartLine): string {
  const back = bringsBack.map(({ group, count: number }) => `${count(number)} ${groupWords(group)}`)
  const more = once.map(({ broker, partitions }) => {
    const added = back.length > 0 ? ' more' : ''
    return `${count(partitions)}${added} once ${broker} is up`
  })
  const elect = electable === 0 ? [] : [`${count(electable)} can be elected once it is up`]
  const may = [...back, ...more, ...elect]
  const less = before.map(({ broker, partitions }) => `before ${broker} it may lead ${count(partitions)} with less`)
  const harm = harms === 0 ? [] : [`makes a leader of ${count(harms)} with less than others hold: elect those first`]
  return [may.length === 0 ? 'nothing by itself' : may.join(', '), ...less, ...harm].join('; ')
}

/** Of a broker whose start is of no use: what it may do all the same, and what comes before it. */
export function uselessStartText({ broker, harms, before, emptiedWipes }: StartLine): string {
  const dangers = harms + before.reduce((sum, { partitions }) => sum + partitions, 0) + emptiedWipes
  const nothing = `Broker ${broker} brings no partition back by its start`
  return dangers === 0
    ? `${nothing}.`
    : `${nothing}, and may cut or wipe others of ${count(dangers)}: elect those before.`
}

function groupWords(group: GroupId): string {
  if (group === 'reading') return 'being read'
  return group.startsWith('waits-') ? 'that wait for it' : `of ${group}`
}
