import { alarmedBrokers } from '../recovery/alarms.js'
import type { RecoveryPlan } from '../recovery/plan.js'
import type { Situation } from '../recovery/situation.js'
import type { ClusterStatus } from '../recovery/use-cases/read-status.js'
import type { NextStep } from './command-line.js'
import { RECOVERY_DEFAULTS, type RecoveryOptions, type SelectionOptions } from './options/recovery.js'
import { isUseful } from './text/advice-text.js'

/** What follows from what was just shown: each step leads to the next. */

const PLAN_FILE = 'plan.json'
const PLAN_ALL = ['plan', '--all-offline-partitions', '--output', PLAN_FILE]

export function afterStatus(status: ClusterStatus): NextStep[] {
  const { situation, offline, failedLogDirs, underMinIsr, healthy } = status
  if (alarmedBrokers(situation.alarms).size > 0) return [afterAlarm()]
  if (offline.length > 0) {
    const useful = situation.starts.filter((advice) => isUseful(advice, situation))
    return [
      ...(useful.length === 0
        ? []
        : [{ why: 'after starting what can be started, watch what comes back', words: ['status', '--watch'] }]),
      {
        why: `${useful.length === 0 ? 'see' : 'for what stays offline, see'} what can be elected and what that loses`,
        words: PLAN_ALL,
      },
    ]
  }
  if (failedLogDirs.length > 0) return [{ why: 'see what the failed log directories hold', words: ['log-dirs'] }]
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
  if (plan.partitions.length === 0) return []
  const alarmed = alarmedBrokers(situation.alarms).size > 0
  const before = alarmed ? 'after what the ALARM says, and a new plan then, ' : ''
  const method = methodWords(options)
  if (file !== null)
    return [{ why: `${before}elect these (it asks first)`, words: ['elect', '--plan', file, ...method] }]
  const { allOfflinePartitions, pathToJsonFile } = selection.options
  const chosen = [
    ...selection.names,
    ...(allOfflinePartitions === true ? ['--all-offline-partitions'] : []),
    ...(pathToJsonFile === undefined ? [] : ['--path-to-json-file', pathToJsonFile]),
  ]
  return [
    {
      why: `${before}write it to a file for elect`,
      words: ['plan', ...chosen, '--output', PLAN_FILE, ...planningWords(options)],
    },
  ]
}

export function afterDryRun(plan: RecoveryPlan, file: string | null, options: RecoveryOptions): NextStep[] {
  if (plan.partitions.length === 0 || file === null) return []
  return [{ why: 'elect these (it asks first)', words: ['elect', '--plan', file, ...methodWords(options)] }]
}

export const AFTER_ELECTION: NextStep = { why: 'check with', words: ['status'] }

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
