import { checkNewFile, writeNewFile } from '../../recovery/files/new-file.js'
import { planFileText, planToJson } from '../../recovery/files/plan-json.js'
import type { RecoveryPlan } from '../../recovery/planning/plan.js'
import { nextLines } from '../command-line.js'
import { withCluster } from '../connected.js'
import type { CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import { afterPlan } from '../next-steps.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import type { RecoveryOptions, SelectionOptions } from '../options/recovery.js'
import { planFor } from '../planning.js'
import { requestsFor } from '../requests.js'
import { selectionOf } from '../selection.js'
import { adviceText, alarmText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteTold } from '../text/noted.js'
import { leftOf, leftTold, planText } from '../text/plan-text.js'
import { requestsText } from '../text/preview-text.js'

export interface PlanOptions extends ConnectionOptions, JsonOption, AllOption, SelectionOptions, RecoveryOptions {
  readonly output?: string
}

export const plan: CommandHandler<PlanOptions> = async (context, options, args) => {
  const { output, interruption } = context
  const selection = await selectionOf(context, options, args)
  if (options.output !== undefined) await checkNewFile(options.output)
  return withCluster(context, options, async (connected) => {
    const planned = await planFor(context, connected, selection, options)
    const { plan, snapshot, situation } = planned
    const all = options.all === true
    const file = options.output ?? null
    const requests = options.dryRun === true ? await interruption.whileReading(requestsFor(connected, plan)) : null
    if (file !== null) {
      await writeNewFile(file, planFileText(plan))
      output.note(`written: ${file}; apply it with: kafka-recovery elect --plan ${file}`)
    }
    if (output.json) for (const line of alarmText(situation.alarms)) output.note(line)
    noteTold(output, leftOf(plan).map(leftTold), all, !output.json)
    if (output.json) output.document({ ...planToJson(plan), ...(requests === null ? {} : { requests }) })
    else {
      const steps = afterPlan(plan, situation, file, { options, names: args }, options)
      output.text([
        clusterHeading(snapshot, connected.name, connected.readOnly),
        ...adviceText(situation),
        ...planText(plan, { width: output.columns, all }),
        ...(requests === null ? [] : requestsText(requests, { all })),
        ...steps.flatMap((step) => nextLines(options, step, output.columns)),
      ])
    }
    return exitOfPlan(plan)
  })
}

/** 0 if every partition asked for is planned or has a leader. */
export function exitOfPlan({ skipped }: RecoveryPlan): number {
  return skipped.every(({ code }) => code === 'hasLeader') ? EXIT.done : EXIT.failed
}
