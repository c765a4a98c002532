import type { LogDir } from '../../cluster/snapshot.js'
import { readSituation } from '../../recovery/use-cases/read-situation.js'
import { nodeSeenPlacementsStorage } from '../../repair/node-seen-placements-storage.js'
import { type LogDirsReading, readLogDirs } from '../../repair/use-cases/read-log-dirs.js'
import { nextLines } from '../command-line.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { seenFolder } from '../journals.js'
import { logDirToJson } from '../json/status-json.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import { alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { logDirsText } from '../text/log-dirs-text.js'
import { noteProblems } from '../text/problems.js'

export const logDirs: CommandHandler<ConnectionOptions & JsonOption & AllOption> = (context, options) =>
  withCluster(context, options, async ({ cluster, name, readOnly, memory, requestTimeoutMs }) => {
    const { output } = context
    const { snapshot, directories, problems } = await context.interruption.whileReading(
      readLogDirs(cluster, nodeSeenPlacementsStorage(seenFolder())),
    )
    noteProblems(output, snapshot.problems)
    for (const problem of problems) output.note(`warning: ${problem}`)
    // Whoever looks at directories is about to repair one: what must not be started comes first.
    const { alarms } = await context.interruption.whileReading(
      readSituation(cluster, snapshot, { durationMs: requestTimeoutMs, memory }),
    )
    if (output.json) {
      for (const line of alarmText(alarms)) output.note(line)
      output.document({ logDirs: directories.flatMap(directoryToJson), problems: snapshot.problems })
      return exitOf(directories)
    }
    output.text([
      clusterHeading(snapshot, name, readOnly),
      ...alarmText(alarms),
      ...logDirsText(directories, { width: output.columns, all: options.all === true }),
    ])
    const failed = directories.find(({ standing }) => standing.kind === 'failed')
    if (failed?.path != null) {
      const several = directories.filter(
        ({ broker, standing }) => broker === failed.broker && standing.kind === 'failed',
      ).length
      const words = ['repair', '--broker', String(failed.broker), ...(several > 1 ? [] : ['--log-dir', failed.path])]
      output.text(
        nextLines(
          options,
          { why: 'before anything is stopped or replaced, see what that costs', words },
          output.columns,
        ),
      )
    }
    return exitOf(directories)
  })

/** A broker that lives and did not tell its directories, or may not be asked: a warning names it, and not all was shown. */
function exitOf(directories: readonly Directory[]): number {
  return directories.some(({ standing }) => standing.kind === 'notTold' || standing.kind === 'notAllowed')
    ? EXIT.failed
    : EXIT.done
}

/** A directory that is not told now, but was before, is in it too: as unknown. */
function directoryToJson({ broker, path, dir, standing, seenGoodAt, madeAnew, ledFromFailed, held }: Directory) {
  if (path === null) return []
  const untold: LogDir = {
    broker,
    path,
    state: 'unknown',
    cordoned: false,
    error: 'reason' in standing ? standing.reason : standing.kind,
    totalBytes: null,
    usableBytes: null,
    replicaCount: null,
    replicas: null,
  }
  return [
    {
      ...logDirToJson(dir ?? untold),
      standing: standing.kind,
      partitions:
        held === null || held.source === 'unknown'
          ? null
          : held.partitions.map(({ topic, partition }) => ({ topic, partition })),
      partitionsFrom: held?.source ?? 'unknown',
      seenGoodAt: seenGoodAt?.toISOString() ?? null,
      madeAnew,
      ledFromFailed,
    },
  ]
}

type Directory = LogDirsReading['directories'][number]
