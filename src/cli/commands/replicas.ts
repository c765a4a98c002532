import { partitionName } from '../../cluster/snapshot.js'
import { compareReplicas } from '../../recovery/use-cases/compare-replicas.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { replicasToJson } from '../json/replicas-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import type { SelectionOptions } from '../options/recovery.js'
import { startProgress } from '../progress.js'
import { selectionOf } from '../selection.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteProblems } from '../text/problems.js'
import { replicasText } from '../text/replicas-text.js'

export interface ReplicasOptions extends ConnectionOptions, JsonOption, SelectionOptions {
  readonly recoveryDurationMs: number
}

export const replicas: CommandHandler<ReplicasOptions> = async (context, options, args) => {
  const { output } = context
  const selection = await selectionOf(context, options, args)
  return withCluster(context, options, async ({ cluster, name, readOnly }) => {
    const progress = startProgress(output)
    const compared = await context.interruption
      .whileReading(
        compareReplicas(cluster, selection, {
          durationMs: options.recoveryDurationMs,
          strategy: 'rank',
          onProgress: progress.readingLogs,
        }),
      )
      .finally(progress.stop)
    noteProblems(output, compared.snapshot.problems)
    if (output.json) output.document(replicasToJson(compared.partitions))
    else {
      output.text([
        clusterHeading(compared.snapshot, name, readOnly),
        ...(compared.partitions.length === 0
          ? [selection.kind === 'allOffline' ? 'no offline partition' : 'no partition was found']
          : replicasText(compared.partitions, output.columns)),
      ])
    }
    for (const missing of compared.missing) output.note(`${partitionName(missing)}: ${missing.code}: ${missing.reason}`)
    return compared.missing.length === 0 ? EXIT.done : EXIT.failed
  })
}
