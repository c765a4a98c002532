import { partitionName } from '../../cluster/snapshot.js'
import { previewRequests } from '../../recovery/apply/requests-preview.js'
import { describeUnfinished } from '../../recovery/journal/found.js'
import type { PlannedPartition, RecoveryPlan } from '../../recovery/planning/plan.js'
import type { Alarm } from '../../recovery/returns/alarms.js'
import { electionRefusal } from '../../recovery/use-cases/election-refusal.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { askTarget, changePlan } from '../planning/open-plan.js'
import { type OpenedPlan, planToElect } from '../planning/opened-plan.js'
import { lossOf, lostText, partitionsText } from '../planning/plan-words.js'
import { underWayText } from '../repairing/under-way.js'
import { findLeftOrders } from '../restoring/left-orders.js'
import type { ConsoleServices } from '../services.js'
import { type Acknowledgement, missingAcknowledgement, withAcknowledged } from './acknowledgements.js'

type Control = ConsoleControl<ConsoleData>

/**
 * From the plan on the screen to the run: what forbids it, the acknowledgements that are missing, then the text that confirms it.
 * What is carried out is the plan as it stood when that text was asked for; each partition is checked once more before anything is sent.
 * Up to the first question nothing is waited for: keys that come right after the one that asked for it must find the question there.
 */
export async function confirmAndApply(control: Control, services: ConsoleServices): Promise<void> {
  if (services.runs.underWay !== null) return control.notice(`Not now: ${underWayText(control.data)}.`, 'warning')
  const planId = control.data.plan?.planId
  if (planId === undefined) return
  for (;;) {
    const ready = readyToElect(control, planId)
    if (ready === null) return
    const { toElect, opened, diagnosis } = ready
    const refusal = refusalOf(control.data, services, opened, opened.target, toElect)
    if (refusal !== null) return control.notice(refusal, 'danger')
    const missing = missingAcknowledgement(toElect.partitions, opened.acknowledged, diagnosis.context.internalTopics)
    if (missing !== null) {
      if ((await askFor(control, missing)) === null) return
      changePlan(control, planId, (plan) => withAcknowledged(plan, missing.kind, missing.partitions))
      continue
    }
    const text = `elect ${toElect.partitions.length} ${control.data.place.name}`
    const typed = await control.ask({ label: `Type: ${text}`, expected: text, body: lastWords(ready, services) })
    if (typed === null) return
    // While it was typed the cluster went on, and others too.
    const [fresh] = await Promise.all([askTarget(services.cluster), findLeftOrders(control, services)])
    if ('problem' in fresh) return control.notice(`Nothing was sent: ${fresh.problem}`, 'danger')
    const late = refusalOf(control.data, services, opened, fresh, toElect)
    if (late !== null) return control.notice(`Nothing was sent: ${late}`, 'danger')
    services.runs.start(control, {
      plan: toElect,
      title: opened.scope.title,
      context: diagnosis.context,
      mode: fresh.capabilities.mode,
    })
    return
  }
}

function askFor(control: Control, { kind, text, partitions, reasons }: Acknowledgement): Promise<string | null> {
  const why =
    kind === 'internal'
      ? `${partitionsText(partitions.length)} of internal topics: what is lost there reaches beyond its records.`
      : `${partitionsText(partitions.length)} would be left to you as ${kind}; a leader is chosen all the same.`
  const body = [
    ...sentence(why),
    ...reasons.flatMap((reason) => wrapSentence(reason, 58, '  ').map((text): Line => [span('warning', text)])),
  ]
  return control.ask({ label: `Type: ${text}`, expected: text, body })
}

function readyToElect(control: Control, planId: string) {
  const { plan: opened, diagnosis } = control.data
  if (opened?.planId !== planId || opened.now === null || diagnosis === null) return null
  const toElect = planToElect(opened.now)
  if (toElect.partitions.length > 0) return { opened, diagnosis, toElect }
  const why = nothingToElect(control.data)
  if (why !== null) control.notice(why, 'warning')
  return null
}

/** Why a plan that is open elects nothing, as it stands now; null: it does, or none is open. */
export function nothingToElect({ plan }: Pick<ConsoleData, 'plan'>): string | null {
  if (plan?.now == null || planToElect(plan.now).partitions.length > 0) return null
  const { changed, selection } = plan.now
  const why =
    changed.size > 0
      ? 'c takes the changes over'
      : selection.plan.skipped.length > 0
        ? 'what is planned is left to you, and the list says why'
        : 'nothing of it is planned'
  return `There is nothing to elect: ${why}.`
}

/** Why this must not be carried out now, one line; null: nothing forbids it. */
function refusalOf(
  { diagnosis, watched, place, unfinished }: ConsoleData,
  { method }: ConsoleServices,
  { scope }: Pick<OpenedPlan, 'scope'>,
  target: OpenedPlan['target'],
  plan: RecoveryPlan,
): string | null {
  if (watched.snapshot === null || diagnosis === null) return 'nothing was read of the cluster yet'
  if (target !== null && 'problem' in target) return target.problem
  // What is not known yet is asked for after the confirmation, and then it counts.
  const capabilities = target?.capabilities ?? { method: 'reorder', mayElect: null }
  const refusal = electionRefusal(watched.snapshot, capabilities, { readOnly: place.readOnly, method })
  if (refusal !== null) return refusal.text
  const { whileDown } = scope
  const repaired = watched.snapshot.brokers.find(({ id }) => id === whileDown)
  if (repaired !== undefined && repaired.state !== 'down') {
    return `broker ${repaired.id} is ${repaired.state}: stop it first, and wait until it is down`
  }
  const [left] = unfinished
  if (left !== undefined) return `${describeUnfinished(left)}; R shows what would be put back`
  return alarmOn(plan.partitions, diagnosis.alarms)
}

/** A leader that an alarm says to stop, or a partition that one is about: not now. */
export function underAlarm(
  partitions: readonly PlannedPartition[],
  alarms: readonly Alarm[],
): { readonly alarm: Alarm; readonly partitions: readonly PlannedPartition[] } | null {
  for (const alarm of alarms) {
    const about = new Set(alarm.partitions.map(partitionName))
    const hit = partitions.filter((one) => one.designatedLeader === alarm.broker || about.has(partitionName(one)))
    if (hit.length > 0) return { alarm, partitions: hit }
  }
  return null
}

function alarmOn(partitions: readonly PlannedPartition[], alarms: readonly Alarm[]): string | null {
  const hit = underAlarm(partitions, alarms)
  if (hit === null) return null
  const [first] = hit.partitions
  const named = first === undefined ? '' : `${partitionName(first)}${hit.partitions.length > 1 ? ', ...' : ''}`
  const broker = hit.alarm.broker === null ? 'the cluster' : `broker ${hit.alarm.broker}`
  return `an ALARM stands on ${broker}, and ${partitionsText(hit.partitions.length)} (${named}) would depend on it: end the alarm first, or take ${hit.partitions.length === 1 ? 'it' : 'them'} out (:take out what an alarm stands on)`
}

function lastWords(
  { opened, toElect }: NonNullable<ReturnType<typeof readyToElect>>,
  services: ConsoleServices,
): Line[] {
  const { partitions, skipped } = toElect
  const { target } = opened
  const how =
    target === null || 'problem' in target
      ? ''
      : ` by ${requestsText(previewRequests(toElect, target, { timeoutMs: services.requestTimeoutMs }).length)} to ${target.to}`
  const leftOut = opened.now === null ? 0 : opened.now.changed.size
  return [
    // First: where there is little room the end is cut.
    ...gravest(partitions).flatMap((text) => wrapSentence(text, 58).map((line): Line => [span('warning', line)])),
    ...sentence(
      `This elects leaders for ${partitionsText(partitions.length)} (${opened.scope.title})${how}. Lost at least: ${lostText(lossOf(partitions))}.`,
    ),
    ...(skipped.length + leftOut > 0
      ? sentence(
          `Not among them: ${wholeNumber(skipped.length)} left to you, ${wholeNumber(leftOut)} changed since they were seen.`,
        )
      : []),
    'Nothing has been sent so far.',
  ]
}

/** What must not be overlooked even where the plan is long: committed data that is lost, who may hold more, what was chosen by hand. */
function gravest(partitions: readonly PlannedPartition[]): string[] {
  const committed = partitions.reduce((sum, { committedAtLeast }) => sum + committedAtLeast, 0)
  const warned = (code: string) => partitions.filter(({ warnings }) => warnings.some((one) => one.code === code)).length
  const mayHaveMore = warned('betterMissing')
  const byHand = partitions.filter((one) => one.byHand).length
  return [
    ...(committed > 0 ? [`COMMITTED data is lost: at least ${wholeNumber(committed)} offsets.`] : []),
    ...(mayHaveMore > 0
      ? [
          `Of ${wholeNumber(mayHaveMore)} a replica that was not read probably holds more: that is lost if it comes back later.`,
        ]
      : []),
    ...(byHand > 0 ? [`Chosen by hand: ${wholeNumber(byHand)}.`] : []),
  ]
}

function requestsText(number: number): string {
  return `${wholeNumber(number)} ${number === 1 ? 'request' : 'requests'}`
}

/** Questions are as wide as the narrowest screen, at least: they are not drawn anew when the terminal is resized. */
function sentence(text: string): Line[] {
  return wrapSentence(text, 58)
}
