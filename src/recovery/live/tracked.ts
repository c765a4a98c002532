import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { sameState } from '../../cluster/same-reads.js'
import { eachInSlices, type Slices } from '../../cluster/slices.js'
import { byTopicPartition, type ClusterSnapshot, type PartitionState } from '../../cluster/snapshot.js'
import type { DiagnosedPartition, OfflineSince } from '../diagnosis/diagnosed-partition.js'
import { findPartition } from '../diagnosis/diagnosis.js'
import type { TouchFinding } from '../returns/broker-alarms.js'
import type { StartFinding } from '../returns/start-advice.js'

/** What is kept of one offline partition while it is watched. */
export interface Tracked {
  entry: DiagnosedPartition
  evidence: PartitionEvidence | null
  touch: TouchFinding | null
  starts: readonly StartFinding[]
  /** Grows whenever something changes for which its logs have to be read again. */
  version: number
  /** The version whose logs were read; null: none was. */
  readVersion: number | null
  /** What follows from its evidence has to be worked out anew. */
  unplanned: boolean
  /** It is offline no more: what is still being read for it is not wanted. */
  left: boolean
}

export interface Merged {
  /** By topic, then partition. */
  readonly tracked: Tracked[]
  readonly appeared: readonly Tracked[]
  readonly left: readonly { readonly tracked: Tracked; readonly now: PartitionState | undefined }[]
  /** Some that stayed look different. */
  readonly changed: boolean
}

/**
 * Brings what is kept in line with a snapshot, both being ordered alike: nothing is looked up, so that 100,000 unchanged partitions
 * cost little. `changedBrokers`: those that came or went, whose replicas may tell something else now.
 */
export async function mergeOffline(
  before: readonly Tracked[],
  snapshot: ClusterSnapshot,
  changedBrokers: ReadonlySet<number>,
  since: OfflineSince,
  slices: Slices,
): Promise<Merged> {
  const tracked: Tracked[] = []
  const appeared: Tracked[] = []
  const left: Tracked[] = []
  let changed = false
  let next = 0
  await eachInSlices(snapshot.partitions, slices, 256, (state) => {
    if (state.leader !== null) return
    let known = before[next]
    let order = known === undefined ? 1 : byTopicPartition(known.entry, state)
    while (known !== undefined && order < 0) {
      left.push(known)
      next += 1
      known = before[next]
      order = known === undefined ? 1 : byTopicPartition(known.entry, state)
    }
    if (known !== undefined && order === 0) {
      next += 1
      if (update(known, state, changedBrokers, since)) changed = true
      tracked.push(known)
    } else {
      const added = newlyTracked(state, since)
      appeared.push(added)
      tracked.push(added)
    }
  })
  left.push(...before.slice(next))
  return {
    tracked,
    appeared,
    changed,
    left: left.map((gone) => {
      gone.left = true
      return { tracked: gone, now: findPartition(snapshot.partitions, gone.entry) }
    }),
  }
}

function newlyTracked(state: PartitionState, since: OfflineSince): Tracked {
  return {
    entry: {
      topic: state.topic,
      partition: state.partition,
      state,
      since,
      decided: null,
      group: 'reading',
      outdated: false,
    },
    evidence: null,
    touch: null,
    starts: [],
    version: 0,
    readVersion: null,
    unplanned: false,
    left: false,
  }
}

/** @returns whether it looks different now */
function update(
  tracked: Tracked,
  state: PartitionState,
  changedBrokers: ReadonlySet<number>,
  since: OfflineSince,
): boolean {
  const { entry } = tracked
  if (entry.state.topicId !== state.topicId) {
    // Deleted and made anew: nothing that was known is about this one.
    Object.assign(tracked, { ...newlyTracked(state, since), version: tracked.version + 1 })
    return true
  }
  const same = sameState(entry.state, state)
  if (same && !(changedBrokers.size > 0 && state.replicas.some((broker) => changedBrokers.has(broker)))) return false
  tracked.version += 1
  tracked.entry = { ...entry, state: same ? entry.state : state, outdated: tracked.evidence !== null }
  return true
}

/** Takes up what was read of one partition at that version. @returns whether there is anything new in it */
export function takeEvidence(
  tracked: Tracked,
  version: number,
  evidence: PartitionEvidence,
  same: (a: PartitionEvidence, b: PartitionEvidence) => boolean,
): boolean {
  if (tracked.left || tracked.entry.state.topicId !== evidence.state.topicId) return false
  const outdated = tracked.version !== version
  const asBefore = tracked.evidence !== null && same(tracked.evidence, evidence)
  // Brokers may have come and gone since it was planned, and left the logs as they were.
  const asPlanned = asBefore && tracked.readVersion === version && tracked.entry.outdated === outdated
  tracked.readVersion = version
  if (asPlanned) return false
  if (!asBefore) tracked.evidence = evidence
  tracked.unplanned = true
  tracked.entry = { ...tracked.entry, outdated }
  return true
}
