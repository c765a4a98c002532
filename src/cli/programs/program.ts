import { type Command, CommanderError } from 'commander'
import type { CommandContext } from '../context.js'
import { CliError, EXIT } from '../exit.js'

/** Builds a program's commands; `finish` is told the exit code of the one that ran. */
export type BuildProgram = (context: CommandContext, finish: (exit: number) => void) => Command

/** Parses and runs. Usage errors come out as a CliError with exit 2, in one line; help has been printed and is 0. */
export async function runProgram(
  build: BuildProgram,
  context: CommandContext,
  argv: readonly string[],
): Promise<number> {
  let exit: number = EXIT.done
  const program = build(context, (code) => {
    exit = code
  })
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => context.output.text(text.replace(/\n$/, '').split('\n')),
      // Told by the exit point, as every other error.
      writeErr: () => {},
    })
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return EXIT.done
    throw new CliError(EXIT.usage, usageMessage(error, program, argv))
  }
  return exit
}

export function allCommands(program: Command): Command[] {
  return [program, ...program.commands.flatMap(allCommands)]
}

/** Commander's message as one line, with the nearest option where it named none. */
function usageMessage(error: CommanderError, program: Command, argv: readonly string[]): string {
  // A group of commands without one of them: commander would print its help.
  if (error.code === 'commander.help') {
    const group = commandOf(program, argv)
    return `give a command: ${group.commands.map((command) => `${group.name()} ${command.name()}`).join(', ')}`
  }
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim()
  const unknown = error.code === 'commander.unknownOption' ? /'(--[^'=]+)/.exec(message)?.[1] : undefined
  if (unknown === undefined || message.includes('Did you mean')) return message
  const nearest = nearestByBeginning(unknown, optionNames(commandOf(program, argv)))
  return nearest === null ? message : `${message} (Did you mean ${nearest}?)`
}

function commandOf(program: Command, argv: readonly string[]): Command {
  return program.commands.find((command) => argv.includes(command.name())) ?? program
}

function optionNames(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? [])
}

/** Commander compares whole names; an abbreviation (--bootstrap) is far from its option that way. */
function nearestByBeginning(given: string, names: readonly string[]): string | null {
  let nearest: string | null = null
  let most = '--x'.length
  for (const name of names) {
    let same = 0
    while (same < given.length && given[same] === name[same]) same += 1
    if (same > most) {
      most = same
      nearest = name
    }
  }
  return nearest
}
