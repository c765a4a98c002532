import type { Argument, Command, Option } from 'commander'

/** What a shell can offer after a word, taken from the program's own definition. */
export type Values =
  | { readonly kind: 'none' }
  | { readonly kind: 'file' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Free text: nothing is offered. */
  | { readonly kind: 'any' }

export interface OptionWords {
  readonly name: string
  readonly description: string
  readonly values: Values
}

export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  readonly commands: readonly CommandWords[]
  readonly argument: Values
}

export function wordsOf(command: Command): CommandWords {
  const help = command.createHelp()
  const [argument] = command.registeredArguments
  return {
    name: command.name(),
    description: command.description(),
    options: help
      .visibleOptions(command)
      .flatMap((option) =>
        option.long == null
          ? []
          : [{ name: option.long, description: option.description, values: optionValues(option) }],
      ),
    commands: help
      .visibleCommands(command)
      .filter((sub) => sub.name() !== 'help')
      .map(wordsOf),
    argument: argument === undefined ? { kind: 'none' } : argumentValues(argument),
  }
}

function optionValues(option: Option): Values {
  if (option.isBoolean()) return { kind: 'none' }
  if (option.argChoices !== undefined) return { kind: 'words', words: option.argChoices }
  return { kind: option.flags.includes('file') ? 'file' : 'any' }
}

function argumentValues(argument: Argument): Values {
  return argument.argChoices === undefined ? { kind: 'any' } : { kind: 'words', words: argument.argChoices }
}
