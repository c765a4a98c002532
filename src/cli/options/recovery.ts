import type { Command } from 'commander'
import type { AcceptableCode, Strategy } from '../../recovery/planning/plan.js'
import { acceptedCodes, integer, milliseconds, option } from './values.js'

export type ElectionMethodOption = 'auto' | 'designated' | 'reorder' | 'unclean'

export interface RecoveryOptions {
  /** ms */
  readonly recoveryDurationMs: number
  readonly recoveryElectionAttempts: number
  readonly electionMethod: ElectionMethodOption
  readonly strategy: Strategy
  readonly accept?: readonly AcceptableCode[]
  /** ms; no new batch is begun after it. */
  readonly timeLimitMs?: number
  readonly dryRun?: boolean
}

/** What holds where no option says otherwise. */
export const RECOVERY_DEFAULTS = {
  recoveryDurationMs: 30_000,
  recoveryElectionAttempts: 3,
  electionMethod: 'auto',
  strategy: 'rank',
} as const satisfies RecoveryOptions

export interface SelectionOptions {
  readonly allOfflinePartitions?: boolean
  readonly pathToJsonFile?: string
}

export function withRecoveryDuration(command: Command): Command {
  return command.addOption(
    option('--recovery-duration-ms <n>', 'a broker that has not told its logs within this time is no candidate')
      .argParser(milliseconds)
      .default(RECOVERY_DEFAULTS.recoveryDurationMs),
  )
}

export function withElectionMethod(command: Command): Command {
  return command.addOption(
    option('--election-method <method>', 'how leaders are elected')
      .choices(['auto', 'designated', 'reorder', 'unclean'])
      .default(RECOVERY_DEFAULTS.electionMethod),
  )
}

export function withRecovery(command: Command): Command {
  return withElectionMethod(withRecoveryDuration(command))
    .addOption(
      option('--recovery-election-attempts <n>', 'retries of transient failures of election requests')
        .argParser(integer(0, 1000))
        .default(RECOVERY_DEFAULTS.recoveryElectionAttempts),
    )
    .addOption(
      option('--strategy <strategy>', 'how replicas are ranked')
        .choices(['rank', 'longest-log'])
        .default(RECOVERY_DEFAULTS.strategy),
    )
    .addOption(
      option('--accept <code,...>', 'plan what would be left to the operator for these reasons').argParser(
        acceptedCodes,
      ),
    )
    .addOption(option('--time-limit-ms <n>', 'begin no new batch after it').argParser(milliseconds))
    .addOption(option('--dry-run', 'show what would be done; send nothing that writes'))
}

export function withSelection(command: Command): Command {
  return command
    .addOption(option('--all-offline-partitions', 'every partition without a leader'))
    .addOption(option('--path-to-json-file <file>', '{"partitions":[{"topic":"foo","partitions":[0,3]}]}'))
}
