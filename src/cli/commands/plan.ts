import { checkNewFile, writeNewFile } from '../../recovery/files/new-file.js'
import { planFileText, planToJson } from '../../recovery/files/plan-json.js'
import type { RecoveryPlan } from '../../recovery/plan.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { evidencesIn } from '../json/replicas-json.js'
import type { ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions, SelectionOptions } from '../options/recovery.js'
import { planFor } from '../planning.js'
import { selectionOf } from '../selection.js'
import { adviceText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { leftLines, planText } from '../text/plan-text.js'

export interface PlanOptions extends ConnectionOptions, JsonOption, SelectionOptions, RecoveryOptions {
  readonly output?: string
}

export const plan: CommandHandler<PlanOptions> = async (context, options, args) => {
  const { output } = context
  const selection = await selectionOf(context, options, args)
  if (options.output !== undefined) await checkNewFile(options.output)
  return withCluster(context, options, async ({ cluster, name, readOnly }) => {
    const planned = await planFor(context, cluster, selection, options)
    if (options.output !== undefined) {
      await writeNewFile(options.output, planFileText(planned.plan))
      output.note(`written: ${options.output}; apply it with: kafka-recovery elect --plan ${options.output}`)
    }
    if (output.json) output.document(planToJson(planned.plan))
    else {
      output.text([
        clusterHeading(planned.snapshot, name, readOnly),
        ...adviceText(evidencesIn(planned.plan), planned.context),
        ...planText(planned.plan, output.columns),
      ])
    }
    for (const line of leftLines(planned.plan)) output.note(line)
    return exitOfPlan(planned.plan)
  })
}

/** 0 if every partition asked for is planned or has a leader. */
export function exitOfPlan({ skipped }: RecoveryPlan): number {
  return skipped.every(({ code }) => code === 'hasLeader') ? EXIT.done : EXIT.failed
}
