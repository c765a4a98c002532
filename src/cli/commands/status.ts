import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterStatus, readStatus } from '../../recovery/use-cases/read-status.js'
import { nextLines } from '../command-line.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { EXIT, messageOf } from '../exit.js'
import { statusToJson } from '../json/status-json.js'
import { afterStatus } from '../next-steps.js'
import type { AllOption, ConnectionOptions, JsonOption } from '../options/connection.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { noteProblems } from '../text/problems.js'
import { statusText } from '../text/status-text.js'

export interface StatusOptions extends ConnectionOptions, JsonOption, AllOption {
  readonly watch?: boolean
  readonly untilHealthy?: boolean
  readonly exitCode?: boolean
}

/** Between two reads; and at least so many times as long as a read took: a sick cluster is not to be loaded. ms */
const WATCH_INTERVAL_MS = 2_000
const REST_FACTOR = 4

export const status: CommandHandler<StatusOptions> = (context, options) =>
  withCluster(context, options, async (connected) => {
    const watching = options.watch === true || options.untilHealthy === true
    let shown = ''
    for (;;) {
      const started = performance.now()
      const current = await readOnce(context, connected, watching)
      if (current !== null) shown = show(context, connected, current, shown, options)
      const healthy = current?.healthy === true
      if (!watching || context.output.closed || (options.untilHealthy === true && healthy)) {
        return options.exitCode === true && !healthy ? EXIT.failed : EXIT.done
      }
      const rest = Math.max(WATCH_INTERVAL_MS, REST_FACTOR * (performance.now() - started))
      await context.interruption.whileReading(sleep(rest))
    }
  })

/** Null: not read this time. A watch outlives a cluster that is away for a while. */
async function readOnce(
  context: CommandContext,
  connected: Connected,
  watching: boolean,
): Promise<ClusterStatus | null> {
  try {
    return await context.interruption.whileReading(
      readStatus(connected.forWholeRead(), connected.requestTimeoutMs, connected.memory),
    )
  } catch (error) {
    if (!watching || context.interruption.exit !== null) throw error
    context.output.note(`not read: ${messageOf(error)}`)
    return null
  }
}

/** JSON each time, text when it says something new. Returns what now stands there. */
function show(
  context: CommandContext,
  connected: Connected,
  current: ClusterStatus,
  shown: string,
  options: StatusOptions,
): string {
  const { output } = context
  if (output.json) {
    output.document(statusToJson(current, connected.name))
    return shown
  }
  const [heading = '', ...lines] = statusText(
    current,
    clusterHeading(current.snapshot, connected.name, connected.readOnly),
    { width: output.columns, all: options.all === true },
  )
  lines.push(...afterStatus(current).flatMap((step) => nextLines(options, step, output.columns)))
  const block = lines.join('\n')
  if (block !== shown) {
    // Before the text, whose last lines are the sum.
    noteProblems(
      output,
      current.snapshot.problems.filter(({ code }) => code !== 'brokerDown'),
    )
    output.text(shown === '' ? [heading, ...lines] : ['', heading, ...lines])
  }
  return block
}
