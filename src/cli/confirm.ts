import { createInterface } from 'node:readline/promises'
import { terminalText } from '../text/terminal-text.js'
import type { CommandContext } from './context.js'
import { CliError, EXIT, InterruptedError } from './exit.js'

/**
 * Lets a person confirm a write by typing `phrase` exactly. Without a terminal nothing prompts: refused. `yes`: confirmed
 * already, on the command line.
 */
export async function confirm({ output, interruption }: CommandContext, phrase: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!output.canAsk)
    throw new CliError(
      EXIT.refused,
      'not confirmed: nobody can be asked without a terminal; nothing was sent; give --yes',
    )
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // readline takes ctrl-c for itself while it asks.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = await interruption.whileReading(
      // Ctrl-D ends the input: that is no answer, and no failure of ours.
      lines.question(`Type "${terminalText(phrase)}" to go on: `).catch(() => ''),
    )
    if (answer.trim() !== phrase) throw new CliError(EXIT.refused, 'not confirmed: nothing was sent')
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error
    // The cursor still stands behind the question.
    process.stderr.write('\n')
    throw new CliError(error.exit, `${error.message} before it was confirmed: nothing was sent`)
  } finally {
    lines.close()
  }
}
