import type { PartitionEvidence } from '../../cluster/replica-log.js'
import { byTopicPartition, type TopicPartition } from '../../cluster/snapshot.js'
import { count } from '../../text/wording.js'
import type { PlanningContext } from '../planning/planning-context.js'
import { effectOfTouch, isHarmful, type LeaderEffect, lastLeader } from './return-effect.js'
import type { StoppingCost } from './stopping-cost.js'

type AlarmContext = Pick<PlanningContext, 'brokers' | 'topicConfigs'>

/** An alive broker that Kafka would make leader, with less than others hold, at the next touch: all its partitions together. */
export interface BrokerAlarm {
  readonly broker: number
  /** Ordered by topic, then partition. */
  readonly partitions: readonly TopicPartition[]
  /** It has an empty log of each of them. */
  readonly empty: boolean
  /** It led each of them last. */
  readonly ledLast: boolean
  /** Who would be truncated, by id. */
  readonly wipes: readonly number[]
}

/** What touching one partition would do, where somebody alive may become its leader. */
export interface TouchFinding extends TopicPartition {
  readonly effect: Extract<LeaderEffect, { kind: 'leads' | 'unknown' }>
  /** It would lead with less than others hold. */
  readonly harmful: boolean
  /** The leader-to-be led it last. */
  readonly ledLast: boolean
}

/** Null: it has a leader, or nobody alive would become one. */
export function touchFinding(evidence: PartitionEvidence, context: AlarmContext): TouchFinding | null {
  const effect = effectOfTouch(evidence, context)
  if (effect.kind !== 'leads' && effect.kind !== 'unknown') return null
  const { state } = evidence
  return {
    topic: state.topic,
    partition: state.partition,
    effect,
    harmful: isHarmful(effect, evidence),
    ledLast: effect.kind === 'leads' && lastLeader(state) === effect.broker,
  }
}

export function touchFindings(evidences: readonly PartitionEvidence[], context: AlarmContext): TouchFinding[] {
  return evidences.flatMap((evidence) => touchFinding(evidence, context) ?? [])
}

/** One alarm for each such broker, the one with the most partitions first: what stands above everything on a screen. */
export function brokerAlarms(evidences: readonly PartitionEvidence[], context: AlarmContext): BrokerAlarm[] {
  return brokerAlarmsAmong(touchFindings(evidences, context))
}

export function brokerAlarmsAmong(touches: readonly TouchFinding[]): BrokerAlarm[] {
  const found = new Map<number, Found>()
  for (const { topic, partition, effect, harmful, ledLast } of touches) {
    if (effect.kind !== 'leads' || !harmful) continue
    const entry = found.get(effect.broker) ?? { partitions: [], wipes: new Set(), empty: true, ledLast: true }
    found.set(effect.broker, entry)
    entry.partitions.push({ topic, partition })
    for (const loser of effect.mayLose) entry.wipes.add(loser)
    entry.empty &&= effect.holds === 'nothing'
    entry.ledLast &&= ledLast
  }
  return [...found]
    .map(([broker, { partitions, wipes, empty, ledLast }]) => ({
      broker,
      partitions: partitions.sort(byTopicPartition),
      empty,
      ledLast,
      wipes: [...wipes].sort((a, b) => a - b),
    }))
    .sort((a, b) => b.partitions.length - a.partitions.length || a.broker - b.broker)
}

interface Found {
  readonly partitions: TopicPartition[]
  readonly wipes: Set<number>
  empty: boolean
  ledLast: boolean
}

/** What the line says besides, where it is known. */
export interface BrokerAlarmDetails {
  readonly host: string | null
  /** The controller's leader.imbalance.check.interval.seconds. */
  readonly timerSeconds: number | null
  readonly cost: StoppingCost | null
}

/** The line for the operator: what is up, what it may do at any moment, what to do now. */
export function brokerAlarmLine(alarm: BrokerAlarm, details: BrokerAlarmDetails): string {
  const { broker, partitions, empty, ledLast, wipes } = alarm
  const { host, timerSeconds, cost } = details
  const name = host === null ? `Broker ${broker}` : `Broker ${broker} (${host})`
  const log = empty ? 'an EMPTY log' : 'LESS than others hold'
  const many = `${count(partitions.length)} ${partitions.length === 1 ? 'partition' : 'partitions'}`
  const role = ledLast ? ' that it led last' : ''
  const losers = wipes.length === 0 ? 'replicas that were not read' : wipes.join(', ')
  const timer = timerSeconds === null ? '' : ` (controller's timer: every ${count(timerSeconds)} s)`
  const price = cost === null ? '' : ` ${costText(cost)}`
  return `${name} is up with ${log} of ${many}${role}. Any moment it may become leader and wipe ${losers}${timer}. NOW stop ${broker} and whatever restarts it (systemd, Kubernetes). Start no broker.${price}`
}

/** An alarm's text in its parts, for where they stand below each other: what may happen, what to do now, what that costs. */
export function alarmParts(text: string): string[] {
  return text.split(/ (?=NOW |Cost: )/)
}

function costText({ offline, underMinIsr, minIsrUnknown }: StoppingCost): string {
  return `Cost: ${count(offline)} more offline, ${count(underMinIsr)}${minIsrUnknown ? ' or more' : ''} under min ISR, until it returns.`
}

/**
 * Alive brokers that Kafka may make leader although their logs were not read, by id: whether that is an alarm is unknown, and
 * must be said as such.
 */
export function unreadLeaders(
  evidences: readonly PartitionEvidence[],
  context: AlarmContext,
): ReadonlyMap<number, readonly TopicPartition[]> {
  return unreadLeadersAmong(touchFindings(evidences, context))
}

export function unreadLeadersAmong(touches: readonly TouchFinding[]): ReadonlyMap<number, readonly TopicPartition[]> {
  const found = new Map<number, TopicPartition[]>()
  for (const { topic, partition, effect } of touches) {
    const unread =
      effect.kind === 'unknown'
        ? effect.among
        : effect.holds === 'ledLast' || effect.holds === 'unknown'
          ? [effect.broker]
          : []
    for (const broker of unread) {
      const partitions = found.get(broker) ?? []
      partitions.push({ topic, partition })
      found.set(broker, partitions)
    }
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}
