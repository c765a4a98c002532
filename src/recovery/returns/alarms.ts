import type { PartitionEvidence } from '../../cluster/replica-log.js'
import {
  byTopicPartition,
  type ClusterSnapshot,
  type PartitionState,
  type TopicPartition,
} from '../../cluster/snapshot.js'
import { count } from '../../text/wording.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { acceptableAsLeader, predictedWinner } from '../planning/predicted-winner.js'
import {
  brokerAlarmLine,
  brokerAlarmsAmong,
  type TouchFinding,
  touchFindings,
  unreadLeadersAmong,
} from './broker-alarms.js'
import { costOfStopping } from './stopping-cost.js'

/**
 * emptyLogMayLead, shorterLogMayLead: an alive broker that the controller makes leader at the next touch, though others hold
 * what it lacks (kafka-facts, state Z). unreadLogMayLead: the same, but its log is not known, so it may also be all right.
 * noQuorum: nothing can be elected.
 */
export type AlarmCode = 'emptyLogMayLead' | 'shorterLogMayLead' | 'unreadLogMayLead' | 'noQuorum'

/** One alarm with everything that it is about. */
export interface Alarm {
  readonly code: AlarmCode
  /** One line: what may happen, and what to do now. */
  readonly text: string
  readonly broker: number | null
  /** By topic, then partition; empty: of the whole cluster. */
  readonly partitions: readonly TopicPartition[]
}

/**
 * A leaderless partition that somebody alive would win by role, at any moment: its logs have to be compared to know whether
 * that is an alarm. Elsewhere nothing happens by itself.
 */
export function mayGetLeaderByItself(state: PartitionState, { brokers }: Pick<PlanningContext, 'brokers'>): boolean {
  const winner = predictedWinner(state, state.replicas, acceptableAsLeader(state, brokers), 'touch')
  return state.leader === null && winner.kind !== 'nobody'
}

/**
 * A leaderless partition of which the logs of brokers that answer decide what a start may do: one of them may become its
 * leader then. Elsewhere only a broker that is down can, whose log nobody can read, so that the metadata tells all there is.
 */
export function logsDecide(
  state: PartitionState,
  { brokers, topicConfigs }: Pick<PlanningContext, 'brokers' | 'topicConfigs'>,
): boolean {
  if (state.leader !== null) return false
  const { isr, elr, lastKnownElr } = state
  const rolesUnknown = isr.length === 0 && (elr === null || lastKnownElr === null)
  if (rolesUnknown || topicConfigs.get(state.topic)?.uncleanLeaderElection === true) return true
  return [isr, elr, lastKnownElr].some((role) => role?.some((broker) => (brokers.get(broker) ?? 'down') !== 'down'))
}

/** Alarms while which no broker may be started, since any start may set off what they warn of; the brokers they are about. */
export function alarmedBrokers(alarms: readonly Alarm[]): ReadonlySet<number> {
  return new Set(alarms.flatMap(({ broker, partitions }) => (broker !== null && partitions.length > 0 ? [broker] : [])))
}

/** What to shout about, the gravest first. `evidences`: of all partitions for which mayGetLeaderByItself holds. */
export function alarmsOf(
  snapshot: ClusterSnapshot,
  evidences: readonly PartitionEvidence[],
  context: Pick<PlanningContext, 'brokers' | 'topicConfigs'>,
): Alarm[] {
  return alarmsAmong(snapshot, touchFindings(evidences, context), context)
}

/** The same, from what was already worked out of each partition. */
export function alarmsAmong(
  snapshot: Pick<ClusterSnapshot, 'brokers' | 'partitions' | 'problems'>,
  touches: readonly TouchFinding[],
  context: Pick<PlanningContext, 'topicConfigs'>,
): Alarm[] {
  const quorum = snapshot.problems
    .filter(({ code }) => code === 'noQuorum')
    .map(({ text, broker }): Alarm => ({ code: 'noQuorum', text, broker, partitions: [] }))
  const hosts = new Map(snapshot.brokers.map(({ id, host }) => [id, host]))
  const harmful = brokerAlarmsAmong(touches).map(
    (alarm): Alarm => ({
      code: alarm.empty ? 'emptyLogMayLead' : 'shorterLogMayLead',
      text: brokerAlarmLine(alarm, {
        host: hosts.get(alarm.broker) ?? null,
        timerSeconds: null,
        cost: costOfStopping(alarm.broker, snapshot.partitions, context.topicConfigs),
      }),
      broker: alarm.broker,
      partitions: alarm.partitions,
    }),
  )
  const unread = [...unreadLeadersAmong(touches)].map(
    ([broker, partitions]): Alarm => ({
      code: 'unreadLogMayLead',
      text: `Broker ${broker} may become leader of ${count(partitions.length)} partitions without a leader at any moment, and its logs were not read: it may wipe others. NOW read them (kafka-recovery replicas). Start no broker.`,
      broker,
      partitions: [...partitions].sort(byTopicPartition),
    }),
  )
  return [...quorum, ...harmful, ...unread]
}
