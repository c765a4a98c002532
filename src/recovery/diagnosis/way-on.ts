import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { anyBroker, brokerList } from '../../text/wording.js'
import type { RankedReplica } from '../planning/plan.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { lastLeader } from '../returns/return-effect.js'

/** Why nobody can be elected: who is down or fenced in one clause, whatever else by its own reason. */
export function whyNoCandidate(
  ranking: readonly RankedReplica[],
  { brokers }: Pick<PlanningContext, 'brokers'>,
): string {
  const stateOf = (broker: number) => brokers.get(broker) ?? 'down'
  const away = (['down', 'fenced'] as const).flatMap((state) => {
    const of = ranking.flatMap(({ broker }) => (stateOf(broker) === state ? [broker] : []))
    return of.length === 0 ? [] : `${brokerList(of)} ${of.length === 1 ? 'is' : 'are'} ${state}`
  })
  const others = ranking.flatMap(({ broker, reason }) => (stateOf(broker) === 'up' && reason !== null ? [reason] : []))
  return [...away, ...others].join('; ')
}

/**
 * What helps a partition of which no replica can be elected, by why each of them can not: one clause for each kind, the most
 * hopeful first. One line.
 */
export function wayOnWithoutCandidate(
  { state, replicas }: PartitionEvidence,
  { brokers }: Pick<PlanningContext, 'brokers'>,
): string {
  const kinds = new Map<string, number[]>()
  for (const broker of state.replicas) {
    const replica = replicas.find((one) => one.broker === broker)
    const kind = kindOf(broker, replica?.kind === 'notRead' ? replica.cause : null, state.offlineReplicas, brokers)
    kinds.set(kind, [...(kinds.get(kind) ?? []), broker])
  }
  const clauses = (['fenced', 'down', 'directory', 'late', 'other'] as const).flatMap((kind) => {
    const of = kinds.get(kind)
    return of === undefined ? [] : clause(kind, of, lastLeader(state))
  })
  return `${clauses.join(', or ')}. If nothing of that is possible, what it held is lost`
}

type Kind = 'fenced' | 'down' | 'directory' | 'late' | 'other'

function kindOf(
  broker: number,
  cause: string | null,
  offline: readonly number[],
  brokers: PlanningContext['brokers'],
): Kind {
  const state = brokers.get(broker) ?? 'down'
  if (state !== 'up') return state
  if (cause === 'offlineLogDir' || offline.includes(broker)) return 'directory'
  return cause === 'late' ? 'late' : 'other'
}

function clause(kind: Kind, of: readonly number[], last: number | null): string {
  const led = last !== null && of.includes(last) && of.length > 1 ? ` (${last} led it last)` : ''
  switch (kind) {
    case 'fenced':
      return `get ${anyBroker(of)} unfenced${led} (it runs, but the controller does not hear it)`
    case 'down':
      return `start ${anyBroker(of)} with its old disk${led}`
    case 'directory':
      return `repair or remount the failed log directory of ${anyBroker(of)}${led} (kafka-recovery log-dirs names it) and restart that broker`
    case 'late':
      return `read again with a longer --recovery-duration-ms, since ${brokerList(of)} answered too late`
    case 'other':
      return `read again once ${anyBroker(of)} can be read`
  }
}
