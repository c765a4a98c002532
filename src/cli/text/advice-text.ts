import { type Alarm, alarmedBrokers } from '../../recovery/returns/alarms.js'
import { alarmParts } from '../../recovery/returns/broker-alarms.js'
import { electFirst, seenEmptyText } from '../../recovery/returns/seen-empty-advice.js'
import type { Situation } from '../../recovery/returns/situation.js'
import type { StartAdvice } from '../../recovery/returns/start-advice.js'
import { counted, numberText } from './words.js'

/**
 * What to tell before any election: which brokers may bring partitions back by themselves, in the order in which to start them.
 * While an alarm stands, that instead. Over the whole cluster, whatever was chosen.
 */
export function adviceText(situation: Situation): string[] {
  return [...alarmText(situation.alarms), ...startText(situation)]
}

/** What may happen, what to do now and what that costs: one below the other, never cut. */
export function alarmText(alarms: readonly Alarm[]): string[] {
  return alarms.flatMap(({ text }) => {
    const [what = '', ...steps] = alarmParts(text)
    return [`ALARM: ${what}`, ...steps.map((step) => `  ${step}`)]
  })
}

/** Nothing at all while an alarm stands. */
export function startText(situation: Situation): string[] {
  const { alarms, seenEmpty, starts } = situation
  if (alarmedBrokers(alarms).size > 0) return []
  const seen = new Set(seenEmpty.map(({ broker }) => broker))
  const others = starts.filter(({ broker }) => !seen.has(broker))
  const useful = others.filter((advice) => isUseful(advice, situation))
  const useless = others.filter((advice) => !isUseful(advice, situation))
  return [
    ...seenEmpty.map((one) => seenEmptyText(one, situation)),
    ...(useful.length === 0 ? [] : ['Start first, only with their OLD disks, in this order:']),
    ...useful.flatMap((advice) => usefulLines(advice, situation)),
    ...useless.flatMap((advice) => uselessLine(advice, situation)),
  ]
}

export function isUseful({ broker, bringsBack, once }: StartAdvice, { wouldBeCandidateOf }: Situation): boolean {
  return bringsBack.length + once.length + (wouldBeCandidateOf.get(broker)?.length ?? 0) > 0
}

function usefulLines(advice: StartAdvice, situation: Situation): string[] {
  const { broker, state, bringsBack, once, before, harms, emptiedWipes } = advice
  const candidate = situation.wouldBeCandidateOf.get(broker) ?? []
  const may = [
    ...(bringsBack.length > 0 ? [`may bring back ${counted(bringsBack.length, 'partition')} by itself`] : []),
    ...once.map(
      ({ broker: other, partitions }) => `${counted(partitions.length, 'partition')} once broker ${other} is up`,
    ),
    ...(candidate.length > 0
      ? [
          `${bringsBack.length + once.length > 0 ? `${numberText(candidate.length)} more` : counted(candidate.length, 'partition')}, of which no replica is alive, can be elected once it is up`,
        ]
      : []),
  ]
  return [
    `  broker ${broker} (${stateText(state)}): ${may.join('; ')}`,
    ...before.map(
      (other) =>
        `    before broker ${other.broker} is up it may lead ${counted(other.partitions.length, 'partition')} with less than that one holds: start ${other.broker} before it`,
    ),
    ...(harms.length > 0
      ? [
          `    its start may wipe others of ${counted(harms.length, 'partition')}: ${electFirst(harms, situation).toLowerCase()}`,
        ]
      : []),
    ...(emptiedWipes.length > 0
      ? [`    if its disk was replaced, or you are unsure: do NOT start it. ${electFirst(emptiedWipes, situation)}.`]
      : []),
  ]
}

function uselessLine({ broker, state, harms, emptiedWipes }: StartAdvice, situation: Situation): string[] {
  const dangers = [...harms, ...emptiedWipes]
  const name = `Broker ${broker} (${stateText(state)})`
  if (dangers.length === 0) return [`${name} brings no partition back by itself.`]
  return [
    `${name} brings no partition back by itself, and may wipe others of ${counted(dangers.length, 'partition')}: do not start it yet. ${electFirst(dangers, situation)}.`,
  ]
}

function stateText(state: StartAdvice['state']): string {
  return state === 'fenced' ? 'fenced: it runs, but the controller does not hear it; get it unfenced' : state
}
