import { type PlannedRecovery, type PlanningOptions, planRecovery } from '../recovery/use-cases/plan-recovery.js'
import type { Selection } from '../recovery/use-cases/select-partitions.js'
import type { Connected } from './connected.js'
import type { CommandContext } from './context.js'
import type { RecoveryOptions } from './options/recovery.js'
import { startProgress } from './progress.js'
import { noteProblems } from './text/problems.js'

type Further = Pick<PlanningOptions, 'choices' | 'readLed'>

export function planningOptions(options: RecoveryOptions): PlanningOptions {
  return {
    durationMs: options.recoveryDurationMs,
    strategy: options.strategy,
    method: options.electionMethod,
    accepted: new Set(options.accept),
  }
}

/** planRecovery with the command line's options, its progress on stderr; a signal ends it. */
export async function planFor(
  context: CommandContext,
  { cluster, memory }: Pick<Connected, 'cluster' | 'memory'>,
  selection: Selection,
  options: RecoveryOptions,
  further: Further = {},
): Promise<PlannedRecovery> {
  const progress = startProgress(context.output)
  const planned = await context.interruption
    .whileReading(
      planRecovery(cluster, selection, {
        ...planningOptions(options),
        ...further,
        memory,
        onProgress: progress.readingLogs,
      }),
    )
    .finally(progress.stop)
  noteProblems(context.output, planned.snapshot.problems)
  return planned
}
