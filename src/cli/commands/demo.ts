import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../console/console-data.js'
import type { Scenario } from '../../simulator/scenario.js'
import { DEFAULT_SCENARIO_NAME, listNamedScenarios, loadNamedScenario } from '../../simulator/scenarios/named.js'
import { startSimulator } from '../../simulator/simulator.js'
import { withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import type { JsonOption } from '../options/connection.js'
import { readScenarioFile } from '../scenario-file.js'
import { columns } from '../text/columns.js'
import { consoleOn, linesToCopy, type ScreenOptions } from './console.js'
import { walkThrough } from './demo-walk.js'

export interface DemoOptions extends JsonOption, ScreenOptions {
  readonly scenario?: string
  readonly list?: boolean
}

export const demo: CommandHandler<DemoOptions> = async (context, options) => {
  if (options.list === true) return list(context)
  const scenario = await scenarioOf(options.scenario ?? DEFAULT_SCENARIO_NAME)
  const simulator = await startSimulator(scenario)
  // Of its own: a demo that was killed must not stop the next one, nor a real recovery.
  const folder = await mkdtemp(join(tmpdir(), 'kafka-recovery-demo-'))
  try {
    return await withCluster(
      context,
      { bootstrapServer: simulator.bootstrapServers },
      async (connected) => {
        if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || context.output.json) {
          return walkThrough(context, connected, simulator, scenario)
        }
        const place = demoPlace(scenario, simulator.bootstrapServers)
        const exit = await consoleOn(context, connected, options, place, { drafts: folder, reports: folder })
        context.output.text(['the simulated cluster has ended, and its report and choices with it'])
        return exit
      },
      folder,
    )
  } finally {
    await simulator.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function demoPlace({ teaches }: Scenario, bootstrapServers: string): Place {
  return {
    name: 'demo',
    readOnly: false,
    colour: null,
    ...linesToCopy({ bootstrapServer: bootstrapServers }),
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
