import { startControl } from '../../simulator/control/control-server.js'
import { startSimulator } from '../../simulator/simulator.js'
import type { CommandHandler } from '../context.js'
import { CliError, EXIT, messageOf } from '../exit.js'
import type { JsonOption } from '../options/connection.js'
import { scenarioNamed } from '../scenario-file.js'

export interface SimulateOptions extends JsonOption {
  readonly scenario: string
  readonly requestLog?: string
  readonly port?: number
  readonly controlPort?: number
}

const cannotStart = (error: unknown): never => {
  throw new CliError(EXIT.failed, `the simulated cluster cannot be started: ${messageOf(error)}`)
}

/** Prints where the simulated cluster listens, and where it can be told what shall happen; runs until a signal ends it. */
export const simulate: CommandHandler<SimulateOptions> = async ({ output, interruption }, options) => {
  const scenario = await scenarioNamed(options.scenario)
  const simulator = await startSimulator(scenario, {
    ...(options.requestLog === undefined ? {} : { requestLogFile: options.requestLog }),
    ...(options.port === undefined ? {} : { port: options.port }),
  }).catch(cannotStart)
  try {
    const control = await startControl(simulator, options.controlPort ?? 0).catch(cannotStart)
    try {
      const { bootstrapServers, clusterId } = simulator
      output.document({ bootstrapServers, clusterId, control: control.address })
      await interruption.whileReading(new Promise<never>(() => {}))
      return EXIT.done
    } finally {
      await control.close()
    }
  } catch (error) {
    // A simulator that was told to end has done all that it was started for.
    if (interruption.exit !== null) return interruption.exit
    throw error
  } finally {
    await simulator.stop()
  }
}
