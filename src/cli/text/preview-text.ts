import { partitionName } from '../../cluster/snapshot.js'
import { type PreviewedRequest, requestLines } from '../../recovery/apply/requests-preview.js'
import {
  ACCEPTABLE_CODES,
  type AcceptableCode,
  type PlannedPartition,
  type RecoveryPlan,
} from '../../recovery/planning/plan.js'
import type { BrokerChange } from '../../recovery/use-cases/plan-from-file.js'
import { byTopic, groupedLines, listsEach, type Told } from './grouping.js'
import type { PlanTextOptions } from './plan-text.js'
import { counted, numberText } from './words.js'

/** A reason against a leader that a choice by hand overrides, and of which partitions. */
export interface Overridden {
  readonly code: AcceptableCode
  readonly partitions: readonly PlannedPartition[]
}

/** What choices by hand override and nobody has accepted by its code, in the order of the codes. */
export function overriddenByHand({ partitions }: RecoveryPlan): Overridden[] {
  return ACCEPTABLE_CODES.flatMap((code) => {
    const some = partitions.filter(({ warnings }) =>
      warnings.some(({ byHand, overruled }) => byHand === true && overruled === code),
    )
    return some.length === 0 ? [] : { code, partitions: some }
  })
}

export function overriddenLines({ code, partitions }: Overridden): string[] {
  const told = partitions.map(({ topic, partition, warnings }): Told => {
    const warning = warnings.find(({ overruled }) => overruled === code)
    return { topic, partition, code, text: warning?.text ?? `chosen by hand, overrides ${code}` }
  })
  const lines = listsEach(told.length, false)
    ? told.map((one) => `${partitionName(one)}: ${one.text}`)
    : groupedLines(told)
  return lines.map((line) => `  ${line}`)
}

/** `plan made 11 s ago; since then: broker 1 went down`. */
export function ageText({ createdAt }: RecoveryPlan, now: Date, changes: readonly BrokerChange[]): string {
  const seconds = Math.max(0, Math.round((now.getTime() - createdAt.getTime()) / 1000))
  const age =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : `${numberText(Math.round(seconds / 3600))} h`
  const since = changes.map(({ broker, is }) => `broker ${broker} ${is === 'up' ? 'came up' : `went ${is}`}`)
  return `This plan was made ${age} ago (${createdAt.toISOString()}); what is below is as of then.${since.length === 0 ? '' : ` Since then: ${since.join(', ')}.`}`
}

/** What of a saved plan must not be done any more, in groups. */
export function staleText(stale: readonly Told[], planned: number): string[] {
  if (stale.length === 0) return []
  const lines = listsEach(stale.length, false)
    ? stale.map((one) => `${partitionName(one)}: ${one.text}`)
    : groupedLines(stale)
  return [
    `NOT AS PLANNED ANY MORE, and left alone by elect: ${numberText(stale.length)} of ${counted(planned, 'partition')}`,
    ...lines.map((line) => `  ${line}`),
  ]
}

/** What would be sent, word for word; of many partitions only how many of each topic. */
export function requestsText(requests: readonly PreviewedRequest[], { all }: Pick<PlanTextOptions, 'all'>): string[] {
  if (requests.length === 0) return ['Nothing would be sent.']
  return [
    'These requests would be sent, in this order, after everything was read again:',
    ...requests.flatMap((request) => {
      const partitions = request.api === 'ElectLeaders' ? request.partitions : request.orders
      const lines = requestLines(request)
      if (listsEach(partitions.length, all)) return lines
      const [head = ''] = lines
      const topics = byTopic<{ topic: string; partition: number }>([...partitions])
      return [
        head,
        ...topics.slice(0, 3).map(([topic, some]) => `  ${topic}: ${counted(some.length, 'partition')}`),
        ...(topics.length > 3 ? [`  and ${counted(topics.length - 3, 'other topic')}`] : []),
      ]
    }),
    ...(requests.some(
      (request) => !listsEach((request.api === 'ElectLeaders' ? request.partitions : request.orders).length, all),
    )
      ? ['(--all names every partition in them)']
      : []),
  ].map((line, index) => (index === 0 ? line : `  ${line}`))
}
