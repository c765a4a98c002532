import { sameMembers } from '../../cluster/same-reads.js'
import type { ClusterSnapshot } from '../../cluster/snapshot.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { sameConfig } from './same.js'

export interface RenewedContext {
  /** The same object where nothing changed. */
  readonly context: PlanningContext
  /** Topics whose partitions have to be planned anew, though their logs are as they were. */
  readonly affects: (topic: string) => boolean
}

/** What of the planning context follows from the snapshot; the rest stays as it was. `offlineTopics`: those that are planned. */
export function renewContext(
  before: PlanningContext | null,
  snapshot: ClusterSnapshot,
  offlineTopics: ReadonlySet<string>,
  choices: Pick<PlanningContext, 'strategy' | 'accepted'>,
): RenewedContext {
  const brokers = new Map(snapshot.brokers.map(({ id, state }) => [id, state]))
  const { internalTopics, topicConfigs } = snapshot
  if (before === null) {
    const { strategy, accepted } = choices
    const context: PlanningContext = {
      elections: 'stock',
      strategy,
      accepted,
      reassigning: new Set(),
      brokers,
      topicConfigs,
      internalTopics,
    }
    return { context, affects: () => true }
  }
  const reconfigured = new Set(
    [...offlineTopics].filter((topic) => !sameConfig(before.topicConfigs.get(topic), topicConfigs.get(topic))),
  )
  const sameInternal = sameMembers(before.internalTopics, internalTopics)
  const sameBrokers = sameMembers(statesOf(before.brokers), statesOf(brokers))
  if (sameInternal && sameBrokers && reconfigured.size === 0) return { context: before, affects: () => false }
  return {
    context: {
      ...before,
      topicConfigs,
      brokers: sameBrokers ? before.brokers : brokers,
      internalTopics: sameInternal ? before.internalTopics : internalTopics,
    },
    // A broker's coming and going shows in logs that are read anew; settings and the kind of a topic do not.
    affects: (topic) => reconfigured.has(topic) || before.internalTopics.has(topic) !== internalTopics.has(topic),
  }
}

function statesOf(brokers: PlanningContext['brokers']): ReadonlySet<string> {
  return new Set([...brokers].map(([id, state]) => `${id} ${state}`))
}

/** With what was told of reassignments under way for the partitions named; of others it stays. The same object if nothing changed. */
export function withReassigning(
  context: PlanningContext,
  asked: Iterable<string>,
  underWay: ReadonlySet<string>,
): PlanningContext {
  const reassigning = new Set(context.reassigning)
  for (const name of asked) {
    if (underWay.has(name)) reassigning.add(name)
    else reassigning.delete(name)
  }
  return sameMembers(reassigning, context.reassigning) ? context : { ...context, reassigning }
}
