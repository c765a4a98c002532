import { offlineBecauseOf } from '../../recovery/use-cases/offline-log-dirs.js'
import { readSituation } from '../../recovery/use-cases/read-situation.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { logDirToJson } from '../json/status-json.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import { alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { logDirsText } from '../text/log-dirs-text.js'
import { noteProblems } from '../text/problems.js'
import { silentAboutDirs } from '../text/status-text.js'

export const logDirs: CommandHandler<ConnectionOptions & JsonOption & AllOption> = (context, options) =>
  withCluster(context, options, async ({ cluster, name, readOnly, memory, requestTimeoutMs }) => {
    const { output } = context
    const snapshot = await context.interruption.whileReading(
      cluster.snapshot({ logDirs: true, elr: true, configs: true, quorum: false }),
    )
    noteProblems(output, snapshot.problems)
    // Whoever looks at directories is about to repair one: what must not be started comes first.
    const { alarms } = await context.interruption.whileReading(
      readSituation(cluster, snapshot, { durationMs: requestTimeoutMs, memory }),
    )
    if (output.json) for (const line of alarmText(alarms)) output.note(line)
    const dirs = (snapshot.logDirs ?? []).map((dir) => ({ ...dir, offline: offlineBecauseOf(dir, snapshot) }))
    if (output.json) {
      output.document({ logDirs: dirs.map((dir) => ({ ...logDirToJson(dir), partitions: partitionsOf(dir) })) })
    } else {
      output.text([
        clusterHeading(snapshot, name, readOnly),
        ...alarmText(alarms),
        ...logDirsText(dirs, silentAboutDirs(snapshot), { width: output.columns, all: options.all === true }),
      ])
    }
    return EXIT.done
  })

type Dir = Parameters<typeof logDirsText>[0][number]

/** What is in it: as told, or of a failed one as far as it follows from the metadata; null: not known. */
function partitionsOf({ replicas, offline }: Dir) {
  return (replicas ?? offline)?.map(({ topic, partition }) => ({ topic, partition })) ?? null
}
