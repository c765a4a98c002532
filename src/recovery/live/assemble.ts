import { randomUUID } from 'node:crypto'
import type { NotReadCause } from '../../cluster/replica-log.js'
import { eachInSlices, type Slices } from '../../cluster/slices.js'
import { type ClusterSnapshot, partitionName, type TopicPartition } from '../../cluster/snapshot.js'
import {
  type DecisionGroup,
  groupCollector,
  groupOf,
  isInternal,
  type StoppedForRepair,
} from '../diagnosis/decision-groups.js'
import type { DiagnosedPartition, GroupId } from '../diagnosis/diagnosed-partition.js'
import { type Overview, overviewOf, type UnreadBroker } from '../diagnosis/overview.js'
import type { PlannedPartition, RecoveryPlan, SkippedPartition } from '../planning/plan.js'
import { isPlanned } from '../planning/plan-partition.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { type Alarm, alarmsAmong } from '../returns/alarms.js'
import type { TouchFinding } from '../returns/broker-alarms.js'
import type { SeenEmpty } from '../returns/seen-empty.js'
import { seenEmptyText } from '../returns/seen-empty-advice.js'
import { whomToElect } from '../returns/situation.js'
import { startAdviceCollector } from '../returns/start-advice.js'
import { bringsBackCounter, startLines } from '../returns/start-lines.js'
import type { Tracked } from './tracked.js'

/** What follows from all partitions together. */
export interface Assembled {
  readonly partitions: readonly DiagnosedPartition[]
  readonly groups: readonly DecisionGroup[]
  readonly overview: Overview
  readonly alarms: readonly Alarm[]
  readonly seenEmpty: readonly SeenEmpty[]
  readonly plan: RecoveryPlan
  readonly regrouped: readonly (TopicPartition & { readonly from: GroupId; readonly to: GroupId })[]
  readonly notRead: number
  readonly outdated: number
  /** Of evidence that holds, and of such as has been overtaken. Null: there is none. */
  readonly oldestHolding: Date | null
  readonly oldestOutdated: Date | null
  readonly newest: Date | null
}

/** What is known of brokers that are away, beside what the cluster tells. */
export interface AwayBrokers {
  readonly stoppedForRepair: StoppedForRepair
  /** Seen with empty logs before they went. */
  readonly seenEmpty: readonly SeenEmpty[]
}

/** Sums the partitions up, in slices. Gives each its group. */
export async function assemble(
  tracked: readonly Tracked[],
  snapshot: ClusterSnapshot,
  context: PlanningContext,
  { stoppedForRepair, seenEmpty }: AwayBrokers,
  slices: Slices,
): Promise<Assembled> {
  const stopped = withSeenEmpty(stoppedForRepair, seenEmpty)
  const outlook = { nobodyAlive: new Set<string>(), onlyEmpty: new Set<string>(), notRead: new Set<string>() }
  const lostSomewhere = new Set([...stopped.values()].flatMap((names) => [...names]))
  const partitions: DiagnosedPartition[] = []
  const planned: PlannedPartition[] = []
  const skipped: SkippedPartition[] = []
  const touches: TouchFinding[] = []
  const regrouped: (TopicPartition & { readonly from: GroupId; readonly to: GroupId })[] = []
  const offlineByTopic = new Map<string, number>()
  const notReadable = new Map<number, UnreadBroker['why']>()
  const groups = groupCollector(context.internalTopics)
  const starts = startAdviceCollector(context)
  const bringsBack = bringsBackCounter()
  const electableOnce = new Map<number, number>()
  const ages = newAges()
  let notRead = 0
  let outdated = 0
  await eachInSlices(tracked, slices, 32, (one) => {
    const { topic, partition, decided, group: from } = one.entry
    const name = stopped.size === 0 ? '' : partitionName(one.entry)
    const group = groupOf(name, decided, one.starts, stopped)
    if (group !== from) {
      one.entry = { ...one.entry, group }
      if (from !== 'reading') regrouped.push({ topic, partition, from, to: group })
    }
    partitions.push(one.entry)
    groups.add(one.entry)
    offlineByTopic.set(topic, (offlineByTopic.get(topic) ?? 0) + 1)
    if (lostSomewhere.has(name)) {
      const whom = whomToElect(one.entry.state, decided?.evidence ?? null, context)
      if (whom !== 'somebody') outlook[whom].add(name)
    }
    if (decided === null) {
      notRead += 1
      return
    }
    if (isPlanned(decided)) planned.push(decided)
    else skipped.push(decided)
    if (one.touch !== null) touches.push(one.touch)
    if (!isPlanned(decided) && decided.code === 'noCandidate') addElectable(one, context, electableOnce)
    starts.add(one.entry, one.starts)
    bringsBack.add(one.starts, group)
    if (one.entry.outdated) outdated += 1
    ages.add(decided.evidence?.readAt ?? null, one.entry.outdated)
    for (const replica of decided.evidence?.replicas ?? []) {
      if (replica.kind !== 'notRead' || notReadable.get(replica.broker) === 'away') continue
      const why = whyUnread(replica.cause)
      if (why !== 'other' || !notReadable.has(replica.broker)) notReadable.set(replica.broker, why)
    }
  })
  if (slices.due()) await slices.pause()
  const alarms = alarmsAmong(snapshot, touches, context)
  if (slices.due()) await slices.pause()
  const grouped = groups.groups()
  // What was seen empty is no start to be advised, whatever its old disk would bring.
  const emptied = new Set(seenEmpty.map(({ broker }) => broker))
  const advice = starts.advice().filter(({ broker }) => !emptied.has(broker))
  const lines = startLines(advice, snapshot.brokers, bringsBack, electableOnce)
  if (slices.due()) await slices.pause()
  const overview = overviewOf({
    snapshot,
    offlineByTopic,
    isInternal: (topic) => isInternal(topic, context.internalTopics),
    alarms,
    toBeRead: notRead + outdated,
    notReadable,
    seenEmpty: seenEmpty.map((one) => ({ broker: one.broker, text: seenEmptyText(one, outlook) })),
    startLines: lines,
  })
  const plan: RecoveryPlan = {
    planId: randomUUID(),
    clusterId: snapshot.clusterId,
    createdAt: snapshot.readAt,
    method: context.elections === 'designated' ? 'designated' : 'reorder',
    strategy: context.strategy,
    partitions: planned,
    skipped,
  }
  return {
    partitions,
    groups: grouped,
    overview,
    alarms,
    seenEmpty,
    plan,
    regrouped,
    notRead,
    outdated,
    ...ages.found(),
  }
}

/** Nobody alive can lead it: whoever has a replica of it makes it electable by being up, unless it comes back by itself. */
function addElectable({ entry, starts }: Tracked, context: PlanningContext, electableOnce: Map<number, number>): void {
  if (whomToElect(entry.state, null, context) !== 'nobodyAlive') return
  for (const { broker, bringsBack } of starts) {
    if (!bringsBack) electableOnce.set(broker, (electableOnce.get(broker) ?? 0) + 1)
  }
}

/** A log that was seen empty is lost as one is that a repair takes away: nothing waits for it. */
function withSeenEmpty(stopped: StoppedForRepair, seenEmpty: readonly SeenEmpty[]): StoppedForRepair {
  if (seenEmpty.length === 0) return stopped
  const all = new Map(stopped)
  for (const { broker, partitions } of seenEmpty) {
    all.set(broker, new Set([...(all.get(broker) ?? []), ...partitions.map(partitionName)]))
  }
  return all
}

function whyUnread(cause: NotReadCause): UnreadBroker['why'] {
  if (cause === 'down' || cause === 'fenced') return 'away'
  return cause === 'offlineLogDir' ? 'logDir' : 'other'
}

function newAges() {
  let oldestHolding: Date | null = null
  let oldestOutdated: Date | null = null
  let newest: Date | null = null
  const older = (a: Date | null, b: Date) => (a === null || b < a ? b : a)
  return {
    add(readAt: Date | null, outdated: boolean) {
      if (readAt === null) return
      if (outdated) oldestOutdated = older(oldestOutdated, readAt)
      else oldestHolding = older(oldestHolding, readAt)
      if (newest === null || readAt > newest) newest = readAt
    },
    found: () => ({ oldestHolding, oldestOutdated, newest }),
  }
}
