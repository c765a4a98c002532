import { existsSync } from 'node:fs'
import type { RecoveryReport } from '../recovery/apply/outcome.js'
import type { RecoveryPlan } from '../recovery/planning/plan.js'
import { alarmedBrokers } from '../recovery/returns/alarms.js'
import type { Situation } from '../recovery/returns/situation.js'
import type { ClusterStatus } from '../recovery/use-cases/read-status.js'
import type { NextStep } from './command-line.js'
import { RECOVERY_DEFAULTS, type RecoveryOptions, type SelectionOptions } from './options/recovery.js'
import { isUseful } from './text/advice-text.js'

/** What follows from what was just shown: each step leads to the next. */

/** A name that `plan --output` takes here: it never overwrites. */
function freeName(): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'plan.json' : `plan-${number}.json`
    if (!existsSync(name)) return name
  }
}

function planAll(): string[] {
  return ['plan', '--all-offline-partitions', '--output', freeName()]
}

export function afterStatus(status: ClusterStatus): NextStep[] {
  const { situation, offline, failedLogDirs, underMinIsr, healthy } = status
  if (alarmedBrokers(situation.alarms).size > 0) return [afterAlarm()]
  const directories: NextStep[] =
    failedLogDirs.length === 0 ? [] : [{ why: 'see what the failed log directories hold', words: ['log-dirs'] }]
  if (offline.length > 0) {
    const useful = situation.starts.filter((advice) => isUseful(advice, situation))
    return [
      ...(useful.length === 0
        ? []
        : [{ why: 'after starting what can be started, watch what comes back', words: ['status', '--watch'] }]),
      {
        why: `${useful.length === 0 ? 'see' : 'for what stays offline, see'} what can be elected and what that loses`,
        words: planAll(),
      },
      ...directories,
    ]
  }
  if (directories.length > 0) return directories
  if (healthy || underMinIsr.length === 0) return []
  return [{ why: 'replicas are still catching up, or brokers are away: watch it', words: ['status', '--watch'] }]
}

export function afterAlarm(): NextStep {
  return { why: 'do what the ALARM says, then look again', words: ['status'] }
}

/** After a plan was shown; `file`: where it was written, null: nowhere. */
export function afterPlan(
  plan: RecoveryPlan,
  situation: Situation,
  file: string | null,
  selection: { readonly options: SelectionOptions; readonly names: readonly string[] },
  options: RecoveryOptions,
): NextStep[] {
  if (alarmedBrokers(situation.alarms).size > 0) return [afterAlarm()]
  if (plan.partitions.length === 0) return []
  if (file !== null) return [{ why: 'elect these (it asks first)', words: electWords(file, options) }]
  const { allOfflinePartitions, pathToJsonFile } = selection.options
  const chosen = [
    ...selection.names,
    ...(allOfflinePartitions === true ? ['--all-offline-partitions'] : []),
    ...(pathToJsonFile === undefined ? [] : ['--path-to-json-file', pathToJsonFile]),
  ]
  return [
    {
      why: 'write it to a file for elect',
      words: ['plan', ...chosen, '--output', freeName(), ...planningWords(options)],
    },
  ]
}

/** `outdated`: the cluster is not as it was when the plan was made. */
export function afterDryRun(
  plan: RecoveryPlan,
  { alarms }: Situation,
  file: string | null,
  outdated: boolean,
  options: RecoveryOptions,
): NextStep[] {
  if (alarmedBrokers(alarms).size > 0) return [afterAlarm()]
  if (outdated) return [{ why: 'the cluster has changed since: make a new plan', words: planAll() }]
  if (plan.partitions.length === 0 || file === null) return []
  return [{ why: 'elect these (it asks first)', words: electWords(file, options) }]
}

const CHECK: NextStep = { why: 'check with', words: ['status'] }

/** `again`: the words that would elect what was not begun; null: there are none. */
export function afterElection({ summary }: RecoveryReport, again: readonly string[] | null): NextStep[] {
  if ((summary.notAttempted ?? 0) === 0 || again === null) return [CHECK]
  return [CHECK, { why: 'go on with what was not begun', words: again }]
}

/** How this file's leaders are elected. */
export function electWords(file: string, options: RecoveryOptions): string[] {
  return ['elect', '--plan', file, ...methodWords(options)]
}

/** Options that decide what a plan says, where they are not the default. */
function planningWords(options: RecoveryOptions): string[] {
  const { strategy, accept = [], recoveryDurationMs } = options
  return [
    ...(strategy === RECOVERY_DEFAULTS.strategy ? [] : ['--strategy', strategy]),
    ...(accept.length === 0 ? [] : ['--accept', accept.join(',')]),
    ...(recoveryDurationMs === RECOVERY_DEFAULTS.recoveryDurationMs
      ? []
      : ['--recovery-duration-ms', String(recoveryDurationMs)]),
    ...methodWords(options),
  ]
}

function methodWords({ electionMethod }: RecoveryOptions): string[] {
  return electionMethod === RECOVERY_DEFAULTS.electionMethod ? [] : ['--election-method', electionMethod]
}
