import type { Capabilities } from '../../cluster/cluster.js'
import { partitionName } from '../../cluster/snapshot.js'
import type { Alarm } from '../../recovery/alarms.js'
import { describeUnfinished, type FoundJournal, findUnfinished } from '../../recovery/journal/found.js'
import type { PlannedPartition, RecoveryPlan } from '../../recovery/plan.js'
import { previewRequests } from '../../recovery/requests-preview.js'
import { electionRefusal } from '../../recovery/use-cases/election-refusal.js'
import type { ConsoleControl } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import { changePlan } from '../planning/open-plan.js'
import { planToElect } from '../planning/opened-plan.js'
import { lossOf, lostText, partitionsText } from '../planning/plan-words.js'
import type { ConsoleServices } from '../services.js'
import { missingAcknowledgement, withAcknowledged } from './acknowledgements.js'

type Control = ConsoleControl<ConsoleData>

/**
 * From the plan on the screen to the run: what forbids it, the acknowledgements that are missing, then the text that confirms it.
 * What is carried out is the plan as it stood when that text was asked for; each partition is checked once more before anything is sent.
 */
export async function confirmAndApply(control: Control, services: ConsoleServices): Promise<void> {
  if (services.runs.underWay !== null) return control.notice('A recovery is under way already.', 'warning')
  const planId = control.data.plan?.planId
  if (planId === undefined) return
  const found = await capabilitiesOf(control, services)
  if (found === null) return
  for (;;) {
    const ready = readyToElect(control, planId)
    if (ready === null) return
    const { toElect, opened, diagnosis } = ready
    const refusal = await refusalOf(control.data, services, found, toElect)
    if (refusal !== null) return control.notice(refusal, 'danger')
    const missing = missingAcknowledgement(toElect.partitions, opened.acknowledged, diagnosis.context.internalTopics)
    if (missing !== null) {
      const typed = await control.ask({
        label: `Type: ${missing.text}`,
        expected: missing.text,
        body: [
          ...sentence(
            missing.kind === 'internal'
              ? `${partitionsText(missing.partitions.length)} of internal topics: what is lost there reaches beyond its records.`
              : `${partitionsText(missing.partitions.length)} would be left to you as ${missing.kind}; a leader is chosen all the same.`,
          ),
          ...missing.reasons.map((reason): Line => [span('warning', reason)]),
        ],
      })
      if (typed === null) return
      changePlan(control, planId, (plan) => withAcknowledged(plan, missing.kind, missing.partitions))
      continue
    }
    const text = `elect ${toElect.partitions.length} ${control.data.place.name}`
    const typed = await control.ask({ label: `Type: ${text}`, expected: text, body: lastWords(ready, services) })
    if (typed === null) return
    // While it was typed the cluster went on.
    const late = await refusalOf(control.data, services, found, toElect)
    if (late !== null) return control.notice(late, 'danger')
    services.runs.start(control, {
      plan: toElect,
      title: opened.scope.title,
      context: diagnosis.context,
      mode: found.mode,
    })
    return
  }
}

function readyToElect(control: Control, planId: string) {
  const { plan: opened, diagnosis } = control.data
  if (opened?.planId !== planId || opened.now === null || diagnosis === null) return null
  const toElect = planToElect(opened.now)
  if (toElect.partitions.length > 0) return { opened, diagnosis, toElect }
  const why = opened.now.changed.size > 0 ? 'c takes the changes over' : 'nothing of it is planned'
  control.notice(`There is nothing to elect: ${why}.`, 'warning')
  return null
}

async function capabilitiesOf(control: Control, { cluster }: ConsoleServices): Promise<Capabilities | null> {
  try {
    return await cluster.capabilities()
  } catch (error) {
    control.notice(`What the brokers offer cannot be read: ${textOf(error)}`, 'danger')
    return null
  }
}

/** Why this must not be carried out now, one line; null: nothing forbids it. */
async function refusalOf(
  { diagnosis, watched, place }: ConsoleData,
  { journals, method }: ConsoleServices,
  capabilities: Capabilities,
  plan: RecoveryPlan,
): Promise<string | null> {
  if (watched.snapshot === null || diagnosis === null) return 'nothing was read of the cluster yet'
  const refusal = electionRefusal(watched.snapshot, capabilities, { readOnly: place.readOnly, method })
  if (refusal !== null) return refusal.text
  const alarmed = alarmOn(plan.partitions, diagnosis.alarms)
  if (alarmed !== null) return alarmed
  try {
    const left = unfinishedOf(await findUnfinished(journals.storage, journals.processes), plan.clusterId)[0]
    return left === undefined ? null : `${describeUnfinished(left)}; R shows what would be put back`
  } catch (error) {
    return `journals of earlier runs cannot be looked for: ${textOf(error)}`
  }
}

/** Journals that concern this cluster: those that name it, and those that nobody can read. */
export function unfinishedOf(journals: readonly FoundJournal[], clusterId: string): readonly FoundJournal[] {
  return journals.filter(({ contents }) => (contents?.clusterId ?? clusterId) === clusterId)
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
  const requests =
    target === null || 'problem' in target
      ? null
      : previewRequests(toElect, target, { timeoutMs: services.requestTimeoutMs })
  const how = requests === null ? '' : `, ${wholeNumber(requests.length)} requests to ${requests[0]?.to ?? ''}`
  const leftOut = opened.now === null ? 0 : opened.now.changed.size
  return [
    ...sentence(
      `This elects leaders for ${partitionsText(partitions.length)} of ${opened.scope.title}${how}. Lost at least: ${lostText(lossOf(partitions))}.`,
    ),
    ...(skipped.length + leftOut > 0
      ? sentence(
          `Not among them: ${wholeNumber(skipped.length)} left to you, ${wholeNumber(leftOut)} changed since they were seen.`,
        )
      : []),
    'Nothing has been sent so far.',
  ]
}

/** Questions are as wide as the narrowest screen, at least: they are not drawn anew when the terminal is resized. */
function sentence(text: string): Line[] {
  return wrapSentence(text, 58)
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
