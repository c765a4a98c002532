import type { PartitionEvidence } from '../../cluster/replica-log.js'
import type { TopicPartition } from '../../cluster/snapshot.js'
import { brokerAlarmLine, brokerAlarms } from '../../recovery/broker-alarms.js'
import type { PlanningContext } from '../../recovery/planning-context.js'
import { type StartAdvice, startAdvice } from '../../recovery/start-advice.js'
import { counted } from './words.js'

/**
 * What to tell before any election: which brokers may bring partitions back by themselves, in the order in which to start them.
 * While an alarm stands, that instead.
 */
export function adviceText(evidences: readonly PartitionEvidence[], context: PlanningContext): string[] {
  const alarms = alarmLines(evidences, context)
  if (alarms.length > 0) return alarms
  const advice = startAdvice(evidences, context)
  return advice.length === 0 ? [] : ['Start first, with their old disks:', ...advice.map(adviceLine)]
}

/** One line for each broker that threatens, however many partitions. */
export function alarmLines(evidences: readonly PartitionEvidence[], context: PlanningContext): string[] {
  return brokerAlarms(evidences, context).map(
    (alarm) => `ALARM: ${brokerAlarmLine(alarm, { host: null, timerSeconds: null, cost: null })}`,
  )
}

function adviceLine({ broker, state, bringsBack, once, before, harms, emptiedWipes }: StartAdvice): string {
  const of = (partitions: readonly TopicPartition[]) => counted(partitions.length, 'partition')
  const facts = [
    ...(bringsBack.length > 0 ? [`may bring back ${of(bringsBack)} by itself`] : []),
    ...once.map((other) => `${of(other.partitions)} once broker ${other.broker} is up`),
    ...before.map(
      (other) => `before broker ${other.broker} it may lead ${of(other.partitions)} with less: start that first`,
    ),
    ...(harms.length > 0 ? [`its start may wipe others of ${of(harms)}: elect those first`] : []),
    ...(emptiedWipes.length > 0 ? [`with EMPTY disks it may wipe ${of(emptiedWipes)}: elect those first`] : []),
  ]
  return `  broker ${broker} (${state}): ${facts.length === 0 ? 'brings nothing back by itself' : facts.join('; ')}`
}
