import { checkCluster } from '../../recovery/use-cases/check-cluster.js'
import { readSituation } from '../../recovery/use-cases/read-situation.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { checkToJson } from '../json/check-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import { alarmText } from '../text/advice-text.js'
import { checkText } from '../text/check-text.js'
import { clusterHeading } from '../text/cluster-heading.js'

export const check: CommandHandler<ConnectionOptions & JsonOption> = (context, options) =>
  withCluster(context, options, async ({ forWholeRead, name, readOnly, requestTimeoutMs, memory }) => {
    const { output } = context
    const cluster = forWholeRead()
    const checked = await context.interruption.whileReading(checkCluster(cluster))
    const { alarms } = await context.interruption.whileReading(
      readSituation(cluster, checked.snapshot, { durationMs: requestTimeoutMs, memory }),
    )
    if (output.json) output.document(checkToJson(checked, alarms))
    else {
      output.text([
        clusterHeading(checked.snapshot, name, readOnly),
        ...alarmText(alarms),
        ...checkText(checked, output.columns),
      ])
    }
    return checked.permissions.every(({ granted }) => granted !== false) ? EXIT.done : EXIT.failed
  })
