import { partitionName } from '../../cluster/snapshot.js'
import { systemClock } from '../../recovery/apply/clock.js'
import {
  planRestore,
  RESTORE_DEFAULTS,
  type RestoreOptions,
  type RestorePreview,
  type RestoreReport,
  restoreOrders,
} from '../../recovery/restore/restore.js'
import { restoreRefusal } from '../../recovery/restore/restore-refusal.js'
import { confirm } from '../confirm.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { CliError, EXIT } from '../exit.js'
import { unfinishedJournals } from '../journals.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import type { Output } from '../output.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { columns } from '../text/columns.js'
import { examplesOf, listsEach, namesText } from '../text/grouping.js'
import { counted, ids, numberText } from '../text/words.js'

export interface RestoreCommandOptions extends ConnectionOptions, JsonOption, AllOption {
  readonly yes?: boolean
}

export const restore: CommandHandler<RestoreCommandOptions> = (context, options) =>
  withCluster(context, options, async ({ cluster, name, readOnly, requestTimeoutMs, journals: place }) => {
    const { output, interruption } = context
    const [journals, snapshot] = await interruption.whileReading(
      Promise.all([
        unfinishedJournals(place),
        cluster.snapshot({ logDirs: false, elr: true, configs: true, quorum: true }),
      ]),
    )
    const settings: RestoreOptions = {
      clusterId: snapshot.clusterId,
      readOnly,
      requestTimeoutMs,
      ...RESTORE_DEFAULTS,
      topicConfigs: snapshot.topicConfigs,
    }
    const preview = await interruption.whileReading(planRestore(cluster, journals, systemClock, settings))
    const number = preview.toRestore.length
    if (number > 0) {
      const refusal = restoreRefusal(await interruption.whileReading(cluster.capabilities()), { readOnly })
      if (refusal !== null) throw new CliError(EXIT.refused, refusal)
      await interruption.whileReading(cluster.refuseMixedClusters())
      output.note(clusterHeading(snapshot, name, readOnly))
      for (const line of previewText(preview, output.stderrColumns, options.all === true)) output.note(line)
      await confirm(context, `restore ${number} ${name ?? snapshot.clusterId}`, options.yes === true)
    }
    interruption.deferTo(output.note)
    // Also where nothing is to be sent: journals whose orders all stand as before are closed.
    const report = await tellingThatItGoesOn(
      output,
      restoreOrders(cluster, journals, { journals: place, clock: systemClock }, { ...settings, onWait: output.note }),
    )
    if (output.json) output.document(reportToJson(report))
    else output.text(summaryText(report, journals.length, options.all === true))
    for (const line of leftLines(report)) output.note(line)
    return report.left.length + report.unknown.length === 0 && report.complete ? EXIT.done : EXIT.failed
  })

/** Restoring may have to wait for more than a minute for what an interrupted run sent last: nobody is to think that it hangs. ms */
const SAY_EACH_MS = 5_000

async function tellingThatItGoesOn<T>(output: Output, work: Promise<T>): Promise<T> {
  const started = performance.now()
  const timer = setInterval(() => {
    output.note(`still at it: ${Math.round((performance.now() - started) / 1000)} s so far`)
  }, SAY_EACH_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

function previewText({ toRestore }: RestorePreview, width: number | null, all: boolean): string[] {
  const shown = listsEach(toRestore.length, all) ? toRestore : examplesOf(toRestore)
  const rest = toRestore.length - shown.length
  const rows = columns(
    [{ title: 'PARTITION', mayCut: true }, { title: 'PRESENT ORDER' }, { title: 'TO BE PUT BACK' }],
    shown.map((one) => [partitionName(one), ids(one.present), ids(one.original)]),
    width,
  )
  return rest === 0 ? rows : [...rows, `and ${counted(rest, 'more assignment')} (--all lists every one)`]
}

function summaryText(report: RestoreReport, journals: number, all: boolean): string[] {
  if (journals === 0) return ['no interrupted run has left anything']
  return [
    ...(report.restored.length === 0 ? [] : [`put back: ${namesText(report.restored, all)}`]),
    `${counted(report.restored.length, 'assignment')} put back, ${numberText(report.inPlace.length)} as before already, ${numberText(report.left.length)} left, ${numberText(report.unknown.length)} unknown`,
  ]
}

function leftLines({ left, unknown, notes }: RestoreReport): string[] {
  return [
    ...left.map(
      (one) =>
        `${partitionName(one)}: left: ${one.reason}${one.reassignmentJson === null ? '' : `; kafka-reassign-partitions would do it with ${one.reassignmentJson}`}`,
    ),
    ...unknown.map((one) => `${partitionName(one)}: unknown: ${one.reason}; run it again`),
    ...notes.map((note) => `warning: ${note}`),
  ]
}

/** cli.md, "restore"; what is not known where it stands is among what is left. */
function reportToJson({ restored, inPlace, left, unknown, notes }: RestoreReport) {
  return { restored, inPlace, left: [...left, ...unknown], notes }
}
