import { type BrokerState, type PartitionState, partitionName, type TopicPartition } from '../cluster/snapshot.js'
import type { PlanningContext } from '../recovery/planning/planning-context.js'
import { type Alarm, alarmedBrokers } from '../recovery/returns/alarms.js'
import { effectOfReturn, isHarmful } from '../recovery/returns/return-effect.js'
import { brokerList } from '../text/wording.js'
import { type AffectedPartition, type Role, rolesOf, rolesUnknown } from './affected-partitions.js'
import type { HeldPartitions } from './held-partitions.js'

/**
 * Why a partition keeps the broker from starting with an emptied directory. named: it has no leader, and the broker stands in one of the
 * lists by which Kafka elects. rolesUnknown: it has no leader, and those lists were not told. wouldLead: it stands in none, but Kafka would make it
 * leader with nothing all the same (unclean.leader.election.enable).
 */
export interface GateHold extends TopicPartition {
  readonly reason: 'named' | 'rolesUnknown' | 'wouldLead'
  readonly namedIn: readonly Role[]
  readonly otherCopies: AffectedPartition['otherCopies']
}

/**
 * Whether the broker may be started with the directory emptied or gone. Measured on 4.4.0: started while a leaderless partition names it, its
 * empty log becomes the leader and every other replica truncates to nothing.
 */
export interface Gate {
  readonly open: boolean
  /** What keeps it shut; by topic, then partition. */
  readonly holds: readonly GateHold[]
  /** Would keep it shut, and were written off by name. */
  readonly writtenOff: readonly GateHold[]
  /** Which partitions were in the directory is not known: every leaderless one that names the broker is counted. */
  readonly heldUnknown: boolean
  /** Alarms about other brokers: any start may set off what they warn of. */
  readonly alarms: readonly Alarm[]
  /** The controller quorum would have to take part in it, and does not: null, or one line. */
  readonly noGoAhead: string | null
}

type GateContext = Pick<PlanningContext, 'brokers' | 'topicConfigs'>

export interface GateInput {
  readonly broker: number
  readonly held: HeldPartitions
  readonly affected: readonly AffectedPartition[]
  /** Every partition of the cluster: counted where it is not known which were in the directory. */
  readonly partitions: readonly PartitionState[]
  readonly context: GateContext
  readonly alarms: readonly Alarm[]
  /** partitionName of those that the operator gives up. */
  readonly writtenOff: ReadonlySet<string>
  readonly noGoAhead: string | null
}

export function gateOf({
  broker,
  held,
  affected,
  partitions,
  context,
  alarms,
  writtenOff,
  noGoAhead,
}: GateInput): Gate {
  const holds: GateHold[] = []
  const given: GateHold[] = []
  const take = (hold: GateHold | null) => {
    if (hold === null) return
    if (writtenOff.has(partitionName(hold))) given.push(hold)
    else holds.push(hold)
  }
  if (held.source === 'unknown') {
    for (const state of partitions) {
      if (state.leader === null && state.replicas.includes(broker)) take(holdByRoles(broker, state, 'unknown'))
    }
  } else for (const one of affected) take(holdOf(broker, one, context))
  const others = alarms.filter((alarm) => alarm.broker !== broker && alarmedBrokers([alarm]).size > 0)
  return {
    open: holds.length === 0 && others.length === 0 && noGoAhead === null,
    holds,
    writtenOff: given,
    heldUnknown: held.source === 'unknown',
    alarms: others,
    noGoAhead,
  }
}

function holdOf(broker: number, affected: AffectedPartition, context: GateContext): GateHold | null {
  const { state, evidence, otherCopies } = affected
  if (state.leader !== null) return null
  const byRoles = holdByRoles(broker, state, otherCopies)
  if (byRoles !== null || evidence === null) return byRoles
  return wouldLeadEmptied(broker, affected, context)
    ? { topic: state.topic, partition: state.partition, reason: 'wouldLead', namedIn: [], otherCopies }
    : null
}

function holdByRoles(
  broker: number,
  state: PartitionState,
  otherCopies: AffectedPartition['otherCopies'],
): GateHold | null {
  const { topic, partition } = state
  const namedIn = rolesOf(state, broker)
  if (namedIn.length > 0) return { topic, partition, reason: 'named', namedIn, otherCopies }
  return rolesUnknown(state) ? { topic, partition, reason: 'rolesUnknown', namedIn, otherCopies } : null
}

/** Whether the broker, started with nothing, would become its leader and take from others what they hold. */
export function wouldLeadEmptied(broker: number, { evidence }: AffectedPartition, context: GateContext): boolean {
  if (evidence === null) return false
  // As if it were away already: that is how it will be when it starts.
  const brokers: ReadonlyMap<number, BrokerState> = new Map([...context.brokers, [broker, 'down' as const]])
  return (['clean', 'unclean'] as const).some((stop) => {
    const effect = effectOfReturn(evidence, { broker, stop, disk: 'emptied' }, { ...context, brokers })
    return effect.kind === 'leads' && effect.broker === broker && isHarmful(effect, evidence)
  })
}

/** The gate in words, one line each. */
export function gateLines({ open, holds, writtenOff, heldUnknown, alarms, noGoAhead }: Gate, broker: number): string[] {
  const lines: string[] = []
  if (noGoAhead !== null) lines.push(noGoAhead)
  if (alarms.length > 0) {
    const about = [...alarmedBrokers(alarms)].sort((a, b) => a - b)
    lines.push(`an alarm stands about ${brokerList(about)}: any start may set it off`)
  }
  if (holds.length > 0) {
    const where = heldUnknown ? ' (which partitions were in the directory was not noted: all of them count)' : ''
    lines.push(
      `${holds.length} ${holds.length === 1 ? 'partition' : 'partitions'} without a leader may take broker ${broker}'s empty log for the leader${where}`,
    )
  }
  if (writtenOff.length > 0) lines.push(`written off by name: ${writtenOff.map(partitionName).join(' ')}`)
  if (open) lines.push(`no partition without a leader names broker ${broker} any more: it returns as a follower`)
  return lines
}
