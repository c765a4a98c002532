import { expect } from 'vitest'
import { partitionName } from '../../src/cluster/snapshot.js'
import type { PartitionOutcome } from '../../src/recovery/apply/outcome.js'
import { exitCodeOf } from '../../src/recovery/apply/report.js'
import type { NightRun, World } from './run-night.js'
import type { PartitionTimeline } from './timeline.js'

/** What must hold after every night, whatever happened in it. Fails with the name of the partition. */
export function expectPromisesKept(run: NightRun, world: World): void {
  endsInOneOutcome(run)
  sendsOnlyWhatIsPlanned(run)
  for (const [name, timeline] of run.timeline.partitions) neverWritesToALedOne(run, name, timeline)
  for (const outcome of run.report?.outcome ?? []) tellsTheTruth(run, outcome)
  putsOrdersBack(run)
  keepsDeadlines(run, world)
}

/** Kinds of errors with which it may refuse, or give up before anything was sent. Anything else is a crash. */
const REFUSALS = new Set([
  'NoBrokerReachableError',
  'TransportError',
  'RequestFailedError',
  'ClusterChangedError',
  'RefusedError',
  'MethodNotOfferedError',
  'Error',
])

function endsInOneOutcome({ asked, plan, report, refused, events, wireWrites }: NightRun): void {
  if (report === null) {
    expect(refused, 'neither a report nor a reason').not.toBeNull()
    expect(REFUSALS, refused?.stack).toContain(refused?.name)
    expect(refused?.message).not.toContain('\n')
    expect(wireWrites, 'refused, and yet it sent').toEqual([])
    return
  }
  const names = asked.map(partitionName).sort()
  expect([...(plan?.partitions ?? []), ...(plan?.skipped ?? [])].map(partitionName).sort()).toEqual(names)
  expect(report.outcome.map(partitionName).sort()).toEqual(names)
  expect(events.flatMap((one) => (one.type === 'outcome' ? [partitionName(one.outcome)] : [])).sort()).toEqual(names)
  const done = report.outcome.every(({ result }) => result === 'elected' || result === 'alreadyHasLeader')
  if (exitCodeOf(report) === 0) expect(done).toBe(true)
  for (const { result, error } of report.outcome) {
    if (result !== 'elected' && result !== 'alreadyHasLeader') expect(error).toBeTruthy()
    if (error !== null) expect(error).not.toContain('\n')
  }
}

function sendsOnlyWhatIsPlanned({ plan, wireWrites }: NightRun): void {
  const planned = new Set(plan?.partitions.map(partitionName))
  for (const { api, named } of wireWrites) {
    expect(named, `${api} for the whole cluster`).not.toBeNull()
    expect(named).not.toEqual([])
    for (const name of named ?? []) expect(planned, `${api} of ${name}, which is not planned`).toContain(name)
  }
}

function neverWritesToALedOne({ night, othersChanged }: NightRun, name: string, timeline: PartitionTimeline): void {
  const { shown, writes, truths } = timeline
  const original = truths[0]?.replicas ?? []
  for (const write of writes) {
    const last = shown.filter(({ at }) => at <= write.at).at(-1)
    expect(last, `${write.api} of ${name}, never read`).toBeDefined()
    if (last === undefined) continue
    expect(last.topicId, `${write.api} of ${name}, shown as another topic of that name`).toBe(truths[0]?.topicId)
    if (write.replicas !== null) {
      expect([...write.replicas].sort(), `${name}: other members than were shown`).toEqual([...last.replicas].sort())
    }
    const reordered = writes.some((one) => one.api === 'reorder' && one.at < write.at)
    const putsBack = write.api === 'reorder' && reordered && String(write.replicas) === String(original)
    if (!othersChanged.has(name) && !putsBack)
      expect(last.leader, `${write.api} of ${name}, shown with a leader`).toBeNull()
    // A read tells what is true when it is answered: with a fresh view a leader that was there before is shown.
    if (night.metadataDelayMs > 0 || putsBack) continue
    const before = truths.filter(({ at }) => at <= last.from).at(-1)
    const since = truths.filter(({ at }) => at > last.from && at <= last.at)
    if (since.length === 0 && before !== undefined && before.topicId !== null) {
      expect(last.leader, `${name}: shown another leader than it has`).toBe(before.leader)
    }
  }
}

function tellsTheTruth(run: NightRun, outcome: PartitionOutcome): void {
  const name = partitionName(outcome)
  const { truths, shown, writes } = run.timeline.of(name)
  const leaders = truths.map(({ leader }) => leader)
  const planned = run.plan?.partitions.find((one) => partitionName(one) === name)
  const context = `${name}: ${JSON.stringify(outcome)}`
  if (outcome.leader !== null) expect(leaders, context).toContain(outcome.leader)
  switch (outcome.result) {
    case 'elected':
      expect(outcome.leader, context).toBe(planned?.designatedLeader)
      expect(writes.length, context).toBeGreaterThan(0)
      break
    case 'alreadyHasLeader':
    case 'notAttempted':
    case 'skipped':
      expect(writes, context).toEqual([])
      break
    case 'stale':
      expect(
        writes.filter(({ api }) => api === 'elect'),
        context,
      ).toEqual([])
      break
    case 'failed':
    case 'unknown':
      break
  }
  expect(outcome.attempts, context).toBeLessThanOrEqual(run.night.attempts + 1)
  const lastLook = shown.at(-1)
  if (outcome.result === 'stale' && writes.length === 0 && lastLook !== undefined && !run.othersChanged.has(name)) {
    // A leader that came by itself is no change to complain of: the partition has what it needs.
    expect(lastLook.leader, `${context}, and it is led`).toBeNull()
  }
  const now = truths.at(-1)
  if (now === undefined || lastLook === undefined || writes.length === 0) return
  // A view that lags, or that was asked before it changed, can not tell; nor can one that is made anew.
  if (run.night.metadataDelayMs > 0 || now.at > lastLook.from || run.othersChanged.has(name)) return
  if (outcome.result === 'elected') expect(now.leader, context).toBe(outcome.leader)
  else if (now.leader !== null && outcome.result !== 'unknown') {
    // Whoever leads now came while we were at work on it: never in silence.
    expect(outcome.result, `${context}, led by ${now.leader}`).toBe('failed')
    expect(outcome.leader, context).toBe(now.leader)
  }
}

function putsOrdersBack({ report, restored, timeline, othersChanged }: NightRun): void {
  if (report === null) return
  const left = [...report.ordersLeft, ...(restored?.left ?? []), ...(restored?.unknown ?? [])].map(partitionName)
  for (const [name, { truths }] of timeline.partitions) {
    if (othersChanged.has(name) || left.includes(name)) continue
    if (report.openJournal !== null && restored === null) continue
    expect(truths.at(-1)?.replicas, `${name}: its order`).toEqual(truths[0]?.replicas)
  }
  // When all is calm nothing stays unknown.
  expect(restored?.unknown ?? []).toEqual([])
}

/** A writing request has so much more than the broker was given (write.ts). ms */
const ANSWER_MARGIN_MS = 2_000

function keepsDeadlines({ exchanges, planMs, applyMs, plan, night }: NightRun, world: World): void {
  const { requestTimeoutMs, logDurationMs, slackMs } = world
  for (const { api, durationMs } of exchanges) {
    const limitMs = WRITES.has(api) ? requestTimeoutMs + ANSWER_MARGIN_MS : Math.max(requestTimeoutMs, logDurationMs)
    expect(durationMs, `${api} had no end`).toBeLessThanOrEqual(limitMs + slackMs)
  }
  // The snapshot, the logs, and the rest, one after the other, each asked of a second broker when the first is silent.
  expect(planMs, 'planning').toBeLessThanOrEqual(8 * requestTimeoutMs + 2 * logDurationMs + slackMs)
  const batches = Math.ceil((plan?.partitions.length ?? 0) / night.batchSize)
  expect(applyMs, 'applying').toBeLessThanOrEqual(applyLimitMs(world, night.attempts) * Math.max(1, batches) + slackMs)
}

const WRITES = new Set(['AlterPartitionReassignments', 'ElectLeaders'])

/** The longest that one batch may take, worked out from its parts, each at its worst. ms */
function applyLimitMs({ requestTimeoutMs, visibleWithinMs, logDurationMs }: World, attempts: number): number {
  const tries = attempts + 1
  // Doubled from 250 ms on, at most 5 s (run.ts).
  const pauses = Array.from({ length: attempts }, (_, n) => Math.min(5_000, 250 * 2 ** n)).reduce((a, b) => a + b, 0)
  // A state and the reassignments beside it: who has a fresh view, another one if it is silent, and the answer.
  const read = tries * 5 * requestTimeoutMs + pauses
  const write = requestTimeoutMs + ANSWER_MARGIN_MS + 3 * requestTimeoutMs
  const reordering = tries * (read + write) + pauses
  const electing = tries * (2 * visibleWithinMs + 3 * read + write) + pauses
  const puttingBack = 3 * visibleWithinMs + 4 * read + tries * (read + write)
  return read + logDurationMs + reordering + electing + puttingBack + read + logDurationMs
}
