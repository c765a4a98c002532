import { checkCluster } from '../../recovery/use-cases/check-cluster.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { checkToJson } from '../json/check-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import { checkText } from '../text/check-text.js'
import { clusterHeading } from '../text/cluster-heading.js'

export const check: CommandHandler<ConnectionOptions & JsonOption> = (context, options) =>
  withCluster(context, options, async ({ forWholeRead, name, readOnly }) => {
    const { output } = context
    const checked = await context.interruption.whileReading(checkCluster(forWholeRead()))
    if (output.json) output.document(checkToJson(checked))
    else output.text([clusterHeading(checked.snapshot, name, readOnly), ...checkText(checked, output.columns)])
    return checked.permissions.every(({ granted }) => granted !== false) ? EXIT.done : EXIT.failed
  })
