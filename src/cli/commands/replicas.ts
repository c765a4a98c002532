import { compareReplicas } from '../../recovery/use-cases/compare-replicas.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { replicasToJson } from '../json/replicas-json.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import type { SelectionOptions } from '../options/recovery.js'
import { startProgress } from '../progress.js'
import { selectionOf } from '../selection.js'
import { alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteTold } from '../text/noted.js'
import { leftTold } from '../text/plan-text.js'
import { noteProblems } from '../text/problems.js'
import { replicasText } from '../text/replicas-text.js'

export interface ReplicasOptions extends ConnectionOptions, JsonOption, AllOption, SelectionOptions {
  readonly recoveryDurationMs: number
}

export const replicas: CommandHandler<ReplicasOptions> = async (context, options, args) => {
  const { output } = context
  const selection = await selectionOf(context, options, args)
  return withCluster(context, options, async ({ cluster, name, readOnly, memory }) => {
    const progress = startProgress(output)
    const compared = await context.interruption
      .whileReading(
        compareReplicas(cluster, selection, {
          durationMs: options.recoveryDurationMs,
          strategy: 'rank',
          memory,
          onProgress: progress.readingLogs,
        }),
      )
      .finally(progress.stop)
    noteProblems(output, compared.snapshot.problems)
    const alarms = alarmText(compared.situation.alarms)
    if (output.json) for (const line of alarms) output.note(line)
    const missing = compared.missing.map(leftTold)
    noteTold(output, missing, options.all === true)
    if (output.json) output.document(replicasToJson(compared.partitions))
    else {
      output.text([
        clusterHeading(compared.snapshot, name, readOnly),
        ...alarms,
        ...(compared.partitions.length === 0
          ? [selection.kind === 'allOffline' ? 'no offline partition' : 'no partition was found']
          : replicasText(compared.partitions, { width: output.columns, all: options.all === true })),
      ])
    }
    return compared.missing.length === 0 ? EXIT.done : EXIT.failed
  })
}
