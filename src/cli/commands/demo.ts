import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepairCommands } from '../../config/profiles.js'
import type { Place } from '../../console/console-data.js'
import { startControl } from '../../simulator/control/control-server.js'
import type { Scenario } from '../../simulator/scenario.js'
import { DEFAULT_SCENARIO_NAME, listNamedScenarios } from '../../simulator/scenarios/named.js'
import { startSimulator } from '../../simulator/simulator.js'
import { withCluster } from '../connected.js'
import type { CommandContext, CommandHandler } from '../context.js'
import { EXIT } from '../exit.js'
import type { JsonOption } from '../options/connection.js'
import { scenarioNamed } from '../scenario-file.js'
import { columns } from '../text/columns.js'
import { consoleOn, linesToCopy, type ScreenOptions } from './console.js'
import { walkThrough } from './demo-walk.js'

export interface DemoOptions extends JsonOption, ScreenOptions {
  readonly scenario?: string
  readonly list?: boolean
}

export const demo: CommandHandler<DemoOptions> = async (context, options) => {
  if (options.list === true) return list(context)
  const scenario = await scenarioNamed(options.scenario ?? DEFAULT_SCENARIO_NAME)
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
        const control = await startControl(simulator, 0)
        const place = demoPlace(scenario, simulator.bootstrapServers, control.address)
        const folders = { drafts: folder, reports: folder, seen: folder }
        const exit = await consoleOn(context, connected, options, place, folders).finally(() => control.close())
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

/** What is run on a broker's host elsewhere is told to the simulated cluster here. */
function demoCommands(control: string): RepairCommands {
  const tell = (...words: readonly string[]) => [
    process.execPath,
    process.argv[1] ?? '',
    'simulate-control',
    '--control',
    control,
    ...words,
  ]
  return { stop: tell('stop-broker', '{broker}'), start: tell('start-broker', '{broker}') }
}

function demoPlace({ teaches, events = [] }: Scenario, bootstrapServers: string, control: string): Place {
  const fails = events.find(({ failLogDir }) => failLogDir !== undefined)?.failLogDir
  // No program can change a disk: in a demo another shell is the hand that does it.
  const byHand =
    fails === undefined
      ? ''
      : `. The new disk, from another shell: kafka-recovery simulate-control --control ${control} replace-dir ${fails.broker} ${fails.path}`
  return {
    name: 'demo',
    readOnly: false,
    colour: null,
    ...linesToCopy({ bootstrapServer: bootstrapServers }),
    lesson: teaches === undefined ? null : `${teaches}${byHand}`,
    repairCommands: demoCommands(control),
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
