import { Command, type OptionValues } from 'commander'
import type { Interruption } from './interruption.js'
import type { Output } from './output.js'

/** What every command is handed beside its options. */
export interface CommandContext {
  readonly output: Output
  readonly interruption: Interruption
  /** `kafka-recovery` or `kafka-unclean-recovery`: how messages name this program. */
  readonly program: string
}

/** A command: does its work and tells the exit code. What ends it early is thrown. */
export type CommandHandler<Options> = (
  context: CommandContext,
  options: Options,
  args: readonly string[],
) => Promise<number>

/**
 * A commander action that loads its handler when it runs. Commander's values are what the program definition beside it says:
 * Options has to follow that definition.
 */
export function handledBy<Options>(
  context: CommandContext,
  load: () => Promise<CommandHandler<Options>>,
  finish: (exit: number) => void,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1)
    if (!(command instanceof Command)) throw new TypeError('commander hands the command over last')
    const handle = await load()
    finish(await handle(context, command.opts<Options & OptionValues>(), command.args))
  }
}
