import { partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import type { Clock } from '../apply/clock.js'
import type { OrderLeft } from '../apply/outcome.js'
import { DEFAULT_VISIBLE_WITHIN_MS, MAX_BATCH, type OrdersOfCluster } from '../apply/ports.js'
import { type OrderResult, type OrderToPutBack, type PutBackDeps, putBackOrders } from '../apply/put-back.js'
import { judgePutBack, reassignmentJson } from '../apply/put-back-guard.js'
import { readStates } from '../apply/reading.js'
import { LATE_WRITE_MS, type RetryPolicy } from '../apply/retry.js'
import type { LeftOrder } from '../journal/contents.js'
import type { JournalEntry } from '../journal/entry.js'
import { type FoundJournal, openJournals } from '../journal/found.js'
import { type Journal, type JournalPlace, startJournal, takeOverJournal } from '../journal/journal.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { RefusedError } from '../refused.js'
import { READ_ONLY } from './restore-refusal.js'

export interface RestorePorts {
  readonly journals: Omit<JournalPlace, 'now'>
  readonly clock: Clock
}

/** Retries of transient failures, as by default for elections, and how long brokers may take to show a change. */
export const RESTORE_DEFAULTS = { attempts: 3, visibleWithinMs: DEFAULT_VISIBLE_WITHIN_MS } as const

export interface RestoreOptions {
  /** Of the cluster connected to. Journals of others are left alone. */
  readonly clusterId: string
  readonly readOnly: boolean
  /** Retries of transient failures. */
  readonly attempts: number
  readonly requestTimeoutMs: number
  readonly visibleWithinMs: number
  /** As far as they are known: with unclean.leader.election.enable, any touch elects. */
  readonly topicConfigs: PlanningContext['topicConfigs']
  /** Told while it waits for an election that may still come; one line. */
  readonly onWait?: (text: string) => void
}

export interface RestorePreview {
  /** What would be sent: present order, and the one to be put back. */
  readonly toRestore: readonly (TopicPartition & {
    readonly present: readonly number[]
    readonly original: readonly number[]
  })[]
  /** The original order stands already. */
  readonly inPlace: readonly TopicPartition[]
  readonly left: readonly OrderLeft[]
  /** One line each: damage, journals of other clusters, writers that cannot be asked. */
  readonly notes: readonly string[]
}

export interface RestoreReport {
  readonly restored: readonly TopicPartition[]
  readonly inPlace: readonly TopicPartition[]
  readonly left: readonly OrderLeft[]
  /** Not known where they stand: their journals stay open, run it again. */
  readonly unknown: readonly (TopicPartition & { readonly reason: string })[]
  readonly notes: readonly string[]
  /**
   * Every journal that concerns this cluster was read as a whole, and is closed. A line that a crash cut off, a journal of another
   * cluster, or one of another host take nothing from that.
   */
  readonly complete: boolean
}

/** What `restoreOrders` would do, by what the cluster shows now. Writes nothing. Throws ClusterLostError. */
export async function planRestore(
  cluster: OrdersOfCluster,
  journals: readonly FoundJournal[],
  clock: Clock,
  options: RestoreOptions,
): Promise<RestorePreview> {
  const toRestore: RestorePreview['toRestore'][number][] = []
  const inPlace: TopicPartition[] = []
  const left: OrderLeft[] = []
  const { usable, notes } = sortOut(journals, options.clusterId)
  for (const order of usable.flatMap(({ orders }) => chunks(orders))) {
    const reading = await readStates(cluster, order, options.clusterId, clock, policyOf(options))
    for (const one of order) {
      const { topic, partition, original } = one
      const name = partitionName(one)
      const state = reading.states.get(name)
      if (state === undefined) {
        const reason = reading.missing.get(name)?.text ?? 'its state was not told'
        left.push({ topic, partition, reason, reassignmentJson: null })
        continue
      }
      const context = { brokers: reading.brokers, topicConfigs: options.topicConfigs }
      const verdict = judgePutBack(one, state, context, reading.reassigning.has(name))
      if (verdict.kind === 'original') inPlace.push({ topic, partition })
      else if (verdict.kind === 'ours') toRestore.push({ topic, partition, present: state.replicas, original })
      else
        left.push({
          topic,
          partition,
          reason: verdict.reason,
          reassignmentJson: verdict.byHand ? reassignmentJson([one]) : null,
        })
    }
  }
  return { toRestore, inPlace, left, notes }
}

/**
 * Puts back what interrupted runs have left re-ordered on this cluster, under the guards of design.md, and closes their journals
 * when everything in them is settled or reported. Throws RefusedError before anything is sent; never rejects after that.
 */
export async function restoreOrders(
  cluster: OrdersOfCluster,
  journals: readonly FoundJournal[],
  ports: RestorePorts,
  options: RestoreOptions,
): Promise<RestoreReport> {
  if (options.readOnly) throw new RefusedError('readOnly', READ_ONLY)
  const place: JournalPlace = { ...ports.journals, now: () => ports.clock.now() }
  const seen = sortOut(journals, options.clusterId)
  if (seen.usable.length === 0) return reportOn(seen)
  const bytes = seen.usable.reduce(
    (sum, { orders }) => sum + 8192 + orders.reduce((all, { topic }) => all + 240 + 18 * topic.length, 0),
    0,
  )
  const own = await startJournal(place, { purpose: 'restore', planId: null, clusterId: options.clusterId, bytes })
  const now = sortOut(await againNow(journals, place, own), options.clusterId)
  const { usable } = now
  const report = reportOn(now)
  for (const one of usable) await restoreJournal(cluster, one, place, ports.clock, options, report)
  await own
    .close()
    .catch((error: unknown) => report.notes.push(`the journal ${own.path} could not be closed: ${errorText(error)}`))
  report.complete &&= report.unknown.length === 0
  return report
}

function reportOn({ notes, complete }: ReturnType<typeof sortOut>): OpenReport {
  return { restored: [], inPlace: [], left: [], unknown: [], notes: [...notes], complete }
}

/**
 * The same journals as they are now that no other process can touch them: whoever confirms takes time, and another restore may have
 * settled them meanwhile, and another run been interrupted.
 */
async function againNow(journals: readonly FoundJournal[], place: JournalPlace, own: Journal): Promise<FoundJournal[]> {
  const names = new Set(journals.map(({ name }) => name))
  try {
    return (await openJournals(place.storage, place.processes)).filter(({ name }) => names.has(name))
  } catch (error) {
    await own.close().catch(() => {})
    throw new RefusedError('journalUnavailable', `the journals cannot be read any more: ${errorText(error)}`)
  }
}

interface Usable {
  readonly journal: FoundJournal
  readonly orders: readonly LeftOrder[]
}

/** Which journals are this cluster's. Newest first: a later run's original order is what an earlier one has left. */
function sortOut(
  journals: readonly FoundJournal[],
  clusterId: string,
): { usable: readonly Usable[]; notes: readonly string[]; complete: boolean } {
  const usable: Usable[] = []
  const notes: string[] = []
  let complete = true
  const incomplete = (note: string) => {
    complete = false
    notes.push(note)
  }
  for (const journal of [...journals].sort((a, b) => (a.name < b.name ? 1 : -1))) {
    const { path, contents, problem, holder } = journal
    if (contents === null) incomplete(`${path} cannot be read: ${problem ?? 'unknown reason'}`)
    else if (contents.newer) incomplete(`${path} is of a newer version of this program: restore with that one`)
    else if (holder === 'running')
      incomplete(`${path} is in use: process ${contents.owner?.pid ?? 'unknown'} is at work`)
    else if (contents.clusterId !== null && contents.clusterId !== clusterId) {
      notes.push(`${path} is of cluster ${contents.clusterId}, this is ${clusterId}: connect to that one to restore it`)
    } else {
      for (const note of contents.notes) notes.push(`${path}: ${note}`)
      if (contents.damaged) {
        incomplete(
          `${path} is damaged: assignments that a lost line named are not known; compare them by hand (kafka-topics --describe)`,
        )
      }
      if (holder === 'elsewhere') {
        notes.push(`${path} was written on host ${contents.owner?.host ?? 'unknown'}: go on only if that run has ended`)
      }
      usable.push({ journal, orders: contents.clusterId === null ? [] : contents.left })
    }
  }
  return { usable, notes, complete }
}

type OpenReport = {
  -readonly [K in keyof RestoreReport]: RestoreReport[K] extends readonly (infer T)[] ? T[] : RestoreReport[K]
}

async function restoreJournal(
  cluster: OrdersOfCluster,
  { journal: found, orders }: Usable,
  place: JournalPlace,
  clock: Clock,
  options: RestoreOptions,
  report: OpenReport,
): Promise<void> {
  let journal: Journal
  try {
    journal = await takeOverJournal(place, found)
    for (const some of chunks(orders)) {
      await journal.append({ type: 'about-to-put-back', partitions: some.map(nameOf) })
    }
  } catch (error) {
    const reason = `the journal ${found.path} could not be written, so nothing was sent: ${errorText(error)}`
    for (const order of orders) report.unknown.push({ ...nameOf(order), reason })
    report.complete = false
    if (orders.length === 0) report.notes.push(reason)
    return
  }
  const deps: PutBackDeps = {
    cluster,
    clusterId: options.clusterId,
    clock,
    policy: policyOf(options),
    visibleWithinMs: options.visibleWithinMs,
    requestTimeoutMs: options.requestTimeoutMs,
    topicConfigs: options.topicConfigs,
    ifNeverSeen: 'original',
    ifElectionMayCome: 'wait',
    announceAgain: (again) => note(journal, { type: 'about-to-put-back', partitions: again.map(nameOf) }, report),
  }
  let open = false
  for (const some of chunks(orders)) {
    const items = some.map((order) => toPutBack(order, clock, options))
    sayIfWaiting(items, clock, options)
    const { results } = await putBackOrders(items, deps)
    open = (await noteResults(journal, some, results, report)) || open
  }
  try {
    await (open ? journal.suspend('some orders are not known to be back') : journal.close())
  } catch (error) {
    report.complete = false
    report.notes.push(`the journal ${found.path} could not be closed: ${errorText(error)}`)
  }
}

function sayIfWaiting(items: readonly OrderToPutBack[], clock: Clock, { onWait }: RestoreOptions): void {
  const until = Math.max(
    ...items.flatMap((item) => [item.lateReorderingUntil, item.lateElectionUntil, item.latePutBackUntil]),
  )
  const seconds = Math.ceil((until - clock.monotonicMs()) / 1000)
  if (seconds > 0) {
    onWait?.(`what the interrupted run sent last may still be carried out: looking for it for up to ${seconds} s`)
  }
}

function toPutBack(order: LeftOrder, clock: Clock, { visibleWithinMs }: RestoreOptions): OrderToPutBack {
  const now = clock.monotonicMs()
  const { reorderedAt, announcedAt, electionAt, putBackAt } = order
  const reorderingMs =
    reorderedAt === null ? stillMs(announcedAt, LATE_WRITE_MS, clock) : stillMs(reorderedAt, visibleWithinMs, clock)
  return {
    order,
    reordering: reorderedAt === null ? 'unsure' : 'done',
    reorderedOnce: order.announcements <= 1,
    lateReorderingUntil: now + reorderingMs,
    lateElectionUntil: now + (electionAt === null ? 0 : stillMs(electionAt, LATE_WRITE_MS, clock)),
    latePutBackUntil: now + (putBackAt === null ? 0 : stillMs(putBackAt, LATE_WRITE_MS, clock)),
  }
}

/** How much of `ms` after `since` is still to come. The wall clock may have been set in between: never more than all of it. */
function stillMs(since: Date, ms: number, clock: Clock): number {
  const ago = clock.now().getTime() - since.getTime()
  return ago >= 0 ? Math.max(0, ms - ago) : ms
}

/** True: some are not settled. */
async function noteResults(
  journal: Journal,
  orders: readonly LeftOrder[],
  results: ReadonlyMap<string, OrderResult>,
  report: OpenReport,
): Promise<boolean> {
  const back: TopicPartition[] = []
  const left: (TopicPartition & { reason: string })[] = []
  let open = false
  for (const order of orders) {
    const result = results.get(partitionName(order)) ?? { kind: 'open', reason: 'not looked at' }
    const named = nameOf(order)
    if (result.kind === 'original') {
      back.push(named)
      ;(result.restored ? report.restored : report.inPlace).push(named)
    } else if (result.kind === 'left') {
      left.push({ ...named, reason: result.reason })
      report.left.push({ ...named, reason: result.reason, reassignmentJson: result.reassignmentJson })
    } else {
      open = true
      report.unknown.push({ ...named, reason: result.reason })
    }
  }
  if (back.length > 0) await note(journal, { type: 'put-back', partitions: back }, report)
  if (left.length > 0) await note(journal, { type: 'left', partitions: left }, report)
  return open
}

/** For what can be found out again should it be missing. */
async function note(journal: Journal, entry: JournalEntry, report: OpenReport): Promise<void> {
  try {
    await journal.append(entry)
  } catch (error) {
    report.notes.push(`the journal ${journal.path} could not be written: ${errorText(error)}`)
  }
}

function nameOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}

function policyOf({ attempts }: RestoreOptions): RetryPolicy {
  return { retries: attempts, firstDelayMs: 250, maxDelayMs: 5000 }
}

function chunks<T>(all: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < all.length; from += MAX_BATCH) parts.push(all.slice(from, from + MAX_BATCH))
  return parts
}
