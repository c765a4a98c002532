import { parseEndpoint } from '../../config/endpoint.js'
import { ControlUnreachableError, sendControl } from '../../simulator/control/control-client.js'
import { ControlWordsError, eventOfWords } from '../../simulator/control/control-words.js'
import type { CommandHandler } from '../context.js'
import { CliError, EXIT, messageOf } from '../exit.js'
import type { JsonOption } from '../options/connection.js'

export interface SimulateControlOptions extends JsonOption {
  readonly control: string
}

/** A simulator listens on this machine alone. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** Makes something happen to a simulated cluster that runs in another shell; ends when it has. */
export const simulateControl: CommandHandler<SimulateControlOptions> = async (
  { output, interruption },
  options,
  words,
) => {
  const endpoint = parseEndpoint(options.control)
  if (typeof endpoint === 'string') throw new CliError(EXIT.usage, `--control: ${endpoint}`)
  if (!LOOPBACK.has(endpoint.host)) {
    throw new CliError(EXIT.usage, `--control: ${options.control}: a simulator listens on 127.0.0.1 alone`)
  }
  try {
    // Said here already, so that a mistake in the words is a usage error.
    eventOfWords(words)
    const answer = await interruption.whileReading(sendControl(endpoint, words))
    if ('error' in answer) throw new CliError(EXIT.failed, `${words.join(' ')}: ${answer.error}; nothing happened`)
  } catch (error) {
    if (error instanceof ControlWordsError) throw new CliError(EXIT.usage, error.message)
    if (error instanceof ControlUnreachableError) throw new CliError(EXIT.unreachable, messageOf(error))
    throw error
  }
  if (output.json) output.document({ done: words })
  else output.text([`done: ${words.join(' ')}`])
  return EXIT.done
}
