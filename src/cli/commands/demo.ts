import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../console/console-data.js'
import { planToJson } from '../../recovery/files/plan-json.js'
import type { RecoveryReport } from '../../recovery/outcome.js'
import { readStatus } from '../../recovery/use-cases/read-status.js'
import type { Scenario } from '../../simulator/scenario.js'
import { DEFAULT_SCENARIO_NAME, listNamedScenarios, loadNamedScenario } from '../../simulator/scenarios/named.js'
import { startSimulator } from '../../simulator/simulator.js'
import { type Connected, withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { electWithProgress } from '../electing.js'
import { EXIT } from '../exit.js'
import { comparedIn, evidencesIn, replicasToJson } from '../json/replicas-json.js'
import { reportToJson } from '../json/report-json.js'
import { statusToJson } from '../json/status-json.js'
import type { JsonOption } from '../options/connection.js'
import { RECOVERY_DEFAULTS } from '../options/recovery.js'
import { planFor } from '../planning.js'
import { readScenarioFile } from '../scenario-file.js'
import { adviceText } from '../text/advice-text.js'
import { clusterHeading } from '../text/cluster-heading.js'
import { columns } from '../text/columns.js'
import { leftLines, planText } from '../text/plan-text.js'
import { replicasText } from '../text/replicas-text.js'
import { failureLines, isDone, reportText } from '../text/report-text.js'
import { statusText } from '../text/status-text.js'
import { consoleOn } from './console.js'

export interface DemoOptions extends JsonOption {
  readonly scenario?: string
  readonly list?: boolean
}

export const demo: CommandHandler<DemoOptions> = async (context, options) => {
  if (options.list === true) return list(context)
  const scenario = await scenarioOf(options.scenario ?? DEFAULT_SCENARIO_NAME)
  const simulator = await startSimulator(scenario)
  // Of its own: a demo that was killed must not stop the next one, nor a real recovery.
  const journals = await mkdtemp(join(tmpdir(), 'kafka-recovery-demo-'))
  try {
    return await withCluster(
      context,
      { bootstrapServer: simulator.bootstrapServers },
      (connected) =>
        process.stdin.isTTY === true && process.stdout.isTTY === true && !context.output.json
          ? consoleOn(context, connected, {}, demoPlace(scenario, simulator.bootstrapServers))
          : walkThrough(context, connected),
      journals,
    )
  } finally {
    await simulator.stop()
    await rm(journals, { recursive: true, force: true })
  }
}

function demoPlace({ teaches }: Scenario, bootstrapServers: string): Place {
  return {
    name: 'demo',
    readOnly: false,
    connectionOptions: `--bootstrap-server ${bootstrapServers}`,
    lesson: teaches ?? null,
  }
}

function list({ output }: CommandContext): number {
  const scenarios = listNamedScenarios()
  if (output.json) output.document({ scenarios })
  else {
    output.text(
      columns(
        [{ title: 'SCENARIO' }, { title: 'WHAT IT TEACHES' }],
        scenarios.map(({ name, teaches }) => [name, teaches]),
        null,
      ),
    )
  }
  return EXIT.done
}

/** A name that comes with the program; else a file. */
async function scenarioOf(given: string): Promise<Scenario> {
  if (listNamedScenarios().some(({ name }) => name === given)) return loadNamedScenario(given)
  const isThere = await stat(given).then(
    () => true,
    () => false,
  )
  return isThere || given.includes('/') || given.endsWith('.json') ? readScenarioFile(given) : loadNamedScenario(given)
}

/** The same job as in the console: status, replicas, dry run, recovery with progress, status again. */
async function walkThrough(context: CommandContext, connected: Connected): Promise<number> {
  const { output, interruption } = context
  const title = (text: string) => {
    if (!output.json) output.text(['', `== SIMULATED: ${text}`, ''])
  }
  const showStatus = async () => {
    const status = await interruption.whileReading(readStatus(connected.cluster, connected.requestTimeoutMs))
    if (!output.json) output.text(statusText(status, clusterHeading(status.snapshot, null, false), output.columns))
    return statusToJson(status, null)
  }

  title('status')
  const before = await showStatus()
  const planned = await planFor(context, connected.cluster, { kind: 'allOffline' }, RECOVERY_DEFAULTS)
  const { plan } = planned
  if (!output.json) {
    title('replicas')
    output.text(replicasText(comparedIn(plan), output.columns))
    title('dry run: nothing is sent that writes')
    output.text([...adviceText(evidencesIn(plan), planned.context), ...planText(plan, output.columns)])
    for (const line of leftLines(plan)) output.note(line)
  }
  title('automated recovery')
  const report = await electWithProgress(context, connected, planned, RECOVERY_DEFAULTS)
  if (!output.json) output.text(reportText(report, plan, output.columns))
  for (const line of failureLines(report)) output.note(line)
  title('status')
  const after = await showStatus()
  if (output.json) {
    output.document({
      status: before,
      replicas: replicasToJson(comparedIn(plan)),
      plan: planToJson(plan),
      ...reportToJson(report),
      statusAfter: after,
    })
  }
  return couldBeRecovered(report) ? EXIT.done : EXIT.failed
}

/** What was left to the operator is named, and is no failure of the demo. */
function couldBeRecovered({ outcome }: RecoveryReport): boolean {
  return outcome.every((one) => isDone(one) || one.result === 'skipped')
}
