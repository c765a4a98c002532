import { type PartitionState, partitionName } from '../../cluster/snapshot.js'
import { errorText } from '../../text/error-text.js'
import type { JournalledOrder } from '../journal/entry.js'
import type { PlanningContext } from '../planning/planning-context.js'
import type { Clock } from './clock.js'
import type { OrdersOfCluster } from './ports.js'
import { judgePutBack, reassignmentJson, sameOrder } from './put-back-guard.js'
import { ClusterLostError, type Reading, readStates } from './reading.js'
import { delayBeforeRetry, LOOK_AGAIN, type RetryPolicy } from './retry.js'
import { sendWrite, type WriteResult } from './write.js'

/** What is known of the re-ordering that is to be undone. */
export type Reordering =
  /** Answered without error: the order for the election must show, if it does not yet. */
  | 'done'
  /** No answer, or another process's: it may have been carried out, or still be. */
  | 'unsure'
  /** Never sent, or refused. */
  | 'never'

export interface OrderToPutBack {
  readonly order: JournalledOrder
  readonly reordering: Reordering
  /** At most one request re-ordered it: once its order has been seen, no other can come. */
  readonly reorderedOnce: boolean
  /** Until then (ms, monotonic) a lost re-ordering may still come: the original order in place is no end before. */
  readonly lateReorderingUntil: number
  /**
   * Until then (ms, monotonic) a lost election may still come: put back before, it would take the first of the original order,
   * whatever its log holds.
   */
  readonly lateElectionUntil: number
  /**
   * Until then (ms, monotonic) another process's putting back may still come: a run that re-orders it anew before that would find the
   * original order under its election.
   */
  readonly latePutBackUntil: number
}

export type OrderResult =
  /** The original order was seen in place; `restored`: because we put it back. */
  | { readonly kind: 'original'; readonly restored: boolean }
  /** Not put back, and not to be tried again; null: no file would do it. */
  | { readonly kind: 'left'; readonly reason: string; readonly reassignmentJson: string | null }
  /** Not known, or not allowed: the journal stays open for `restore`. */
  | { readonly kind: 'open'; readonly reason: string }

export interface PutBackDeps {
  readonly cluster: OrdersOfCluster
  readonly clusterId: string
  readonly clock: Clock
  readonly policy: RetryPolicy
  readonly visibleWithinMs: number
  readonly requestTimeoutMs: number
  readonly topicConfigs: PlanningContext['topicConfigs']
  /**
   * What a re-ordering means that has not shown when its time is over: `open` where it is our own and may still be on its way,
   * `original` where its sender is gone.
   */
  readonly ifNeverSeen: 'open' | 'original'
  /** Notes in the journal, synced, that these are about to be sent once more. The first time is the caller's. */
  readonly announceAgain: (orders: readonly JournalledOrder[]) => Promise<void>
  /** What to do about an election that may still come: leave the order open at once, or wait until its time is over. */
  readonly ifElectionMayCome: 'open' | 'wait'
}

export interface PutBackResults {
  /** By partitionName; one for each order. */
  readonly results: ReadonlyMap<string, OrderResult>
  /** The last state seen. */
  readonly states: ReadonlyMap<string, PartitionState>
}

/** One order on its way back. */
interface Pending {
  readonly name: string
  readonly item: OrderToPutBack
  /** Our order was seen in place, in this run. */
  seen: boolean
  sends: number
  /** The next request is in the journal. */
  announced: boolean
  /** The last request was answered without error: wait until it shows before sending another. */
  answered: boolean
  /** Until when to wait for what should show; ms of the monotonic clock. */
  waitUntil: number
  /** When its state was last told, or the beginning; ms of the monotonic clock. */
  lastTold: number
  lastProblem: string | null
}

/**
 * Puts original orders back, at most 1,000 at once, each under the guard by a state read right before, and looks until they
 * show. Never rejects because of the cluster. The caller has journalled it.
 */
export async function putBackOrders(items: readonly OrderToPutBack[], deps: PutBackDeps): Promise<PutBackResults> {
  const { clock, policy } = deps
  const results = new Map<string, OrderResult>()
  const states = new Map<string, PartitionState>()
  let pending: Pending[] = items.map((item) => ({
    name: partitionName(item.order),
    item,
    seen: false,
    sends: 0,
    announced: true,
    answered: false,
    waitUntil: clock.monotonicMs() + deps.visibleWithinMs,
    lastTold: clock.monotonicMs(),
    lastProblem: null,
  }))
  let failures = 0
  for (let look = 1; pending.length > 0; look += 1) {
    const reading = await readOrLost(pending, deps)
    if (reading instanceof ClusterLostError) {
      for (const { name } of pending) results.set(name, { kind: 'open', reason: reading.message })
      break
    }
    for (const [name, state] of reading.states) states.set(name, state)
    const ready: Pending[] = []
    pending = pending.filter((one) => {
      const step = nextStep(one, reading, deps)
      if (step === 'send') ready.push(one)
      if (step === 'send' || step === 'look') return true
      results.set(one.name, step)
      return false
    })
    const announced = ready.filter((one) => one.announced)
    const again = ready.filter((one) => !one.announced)
    if (announced.length > 0) failures = (await send(announced, deps, results)) ? 0 : failures + 1
    if (again.length > 0) {
      // Journal, then read, then send: so they come round once more.
      await deps.announceAgain(again.map(({ item }) => item.order))
      for (const one of again) one.announced = true
    }
    pending = pending.filter(({ name }) => !results.has(name))
    if (pending.length > again.length) {
      await clock.sleep(
        Math.max(delayBeforeRetry(LOOK_AGAIN, look), failures > 0 ? delayBeforeRetry(policy, failures) : 0),
      )
    }
  }
  return { results, states }
}

async function readOrLost(pending: readonly Pending[], deps: PutBackDeps): Promise<Reading | ClusterLostError> {
  try {
    const partitions = pending.map(({ item }) => item.order)
    return await readStates(deps.cluster, partitions, deps.clusterId, deps.clock, deps.policy)
  } catch (error) {
    if (error instanceof ClusterLostError) return error
    return new ClusterLostError(errorText(error), { cause: error })
  }
}

function nextStep(one: Pending, reading: Reading, deps: PutBackDeps): OrderResult | 'send' | 'look' {
  const { order, reordering } = one.item
  const late = deps.clock.monotonicMs() >= one.waitUntil
  const state = reading.states.get(one.name)
  if (reordering === 'never' && (state === undefined || !sameOrder(state.replicas, order.election))) {
    // Nothing of ours is in place; what else became of it is not for us to report here.
    return { kind: 'original', restored: false }
  }
  if (state === undefined) {
    if (deps.clock.monotonicMs() < one.lastTold + deps.visibleWithinMs) return 'look'
    const missing = reading.missing.get(one.name)
    if (missing?.code === 'unknownTopic' || missing?.code === 'unknownPartition') {
      return { kind: 'left', reason: `it is not there any more (${missing.text})`, reassignmentJson: null }
    }
    return { kind: 'open', reason: `its state was not told${missing ? `: ${missing.text}` : ''}` }
  }
  one.lastTold = deps.clock.monotonicMs()
  const verdict = judgePutBack(order, state, { ...deps, brokers: reading.brokers }, reading.reassigning.has(one.name))
  switch (verdict.kind) {
    case 'left':
      return { ...verdict, reassignmentJson: verdict.byHand ? reassignmentJson([order]) : null }
    case 'original':
      if (!(one.seen && one.item.reorderedOnce) && deps.clock.monotonicMs() < one.item.lateReorderingUntil)
        return 'look'
      // With a leader nobody is going to re-order it anew.
      if (state.leader === null && deps.clock.monotonicMs() < one.item.latePutBackUntil) return 'look'
      if (one.sends > 0) return { kind: 'original', restored: true }
      if (one.seen || deps.ifNeverSeen === 'original') return { kind: 'original', restored: false }
      // A re-ordering that is not seen yet may still show: do not take the view before it for the end.
      if (!late) return 'look'
      return { kind: 'open', reason: 'the answer to its re-ordering was lost, or it has not shown yet' }
    case 'ours': {
      one.seen = true
      if (state.leader === null && deps.clock.monotonicMs() < one.item.lateElectionUntil) {
        if (deps.ifElectionMayCome === 'wait') return 'look'
        return { kind: 'open', reason: 'an election of it may still be carried out, and has to find this order' }
      }
      if (one.answered && !late) return 'look'
      if (one.sends > deps.policy.retries) {
        if (!late) return 'look'
        return { kind: 'open', reason: one.lastProblem ?? 'its original order does not show although it was put back' }
      }
      return 'send'
    }
  }
}

/** True where nothing transient came in between. */
async function send(ready: readonly Pending[], deps: PutBackDeps, results: Map<string, OrderResult>): Promise<boolean> {
  const orders = ready.map(({ item }) => ({
    topic: item.order.topic,
    partition: item.order.partition,
    replicas: item.order.original,
  }))
  const written = await sendWrite(orders, () => deps.cluster.reorder(orders, deps.requestTimeoutMs))
  let good = true
  for (const one of ready) {
    const result = written.get(one.name)
    if (result?.kind === 'refused') {
      results.set(one.name, asRefused(one.item.order, result))
      continue
    }
    one.sends += 1
    one.announced = false
    one.answered = result?.kind === 'done'
    one.waitUntil = deps.clock.monotonicMs() + deps.visibleWithinMs
    if (!one.answered) {
      good = false
      one.lastProblem = `putting it back failed: ${result?.text ?? 'no answer'}`
    }
  }
  return good
}

/** A right can be granted, and then it is put back: all other refusals are for good, and would stand in the way of every later run. */
const FOR_NOW = new Set(['CLUSTER_AUTHORIZATION_FAILED', 'TOPIC_AUTHORIZATION_FAILED'])

function asRefused(order: JournalledOrder, { code, text }: WriteResult): OrderResult {
  const reason = `putting it back was refused: ${text ?? ''}`
  if (code !== null && FOR_NOW.has(code)) return { kind: 'open', reason }
  return { kind: 'left', reason, reassignmentJson: reassignmentJson([order]) }
}
