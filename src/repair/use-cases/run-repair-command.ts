import { errorText } from '../../text/error-text.js'
import type { RepairCommandName } from '../repair-commands.js'
import { type CommandResult, type RunOptions, runCommand } from '../run-command.js'
import type { RunRecords } from '../run-records.js'
import type { RepairTarget } from './read-repair.js'

export interface RepairCommandRun {
  readonly result: CommandResult
  /** Why it is not recorded, one line; null: it is. */
  readonly notRecorded: string | null
}

/** Runs a command that was shown and confirmed, and records how it ended. Never rejects. */
export async function runRepairCommand(
  name: RepairCommandName,
  argv: readonly [string, ...string[]],
  { broker, path, clusterId }: RepairTarget & { readonly clusterId: string },
  records: RunRecords,
  options: RunOptions,
): Promise<RepairCommandRun> {
  const result = await runCommand(argv, options)
  const { startedAt, durationMs, end } = result
  // A restart is how the start step is done there.
  const step = name === 'restart' ? 'start' : name
  const notRecorded = await records
    .add(clusterId, { broker, path, step, startedAt, durationMs, end, argv })
    .then(() => null)
    .catch((error: unknown) => errorText(error))
  return { result, notRecorded }
}
