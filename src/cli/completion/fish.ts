import type { CommandWords, Values } from './words.js'

/** One `complete` line for each command and option. */
export function fishCompletion(programs: readonly CommandWords[]): string {
  return `${programs.flatMap((program) => lines(program.name, program, [])).join('\n')}\n`
}

function lines(program: string, words: CommandWords, path: readonly string[]): string[] {
  const here = condition(words, path)
  const begin = `complete -c ${program}${here === '' ? '' : ` -n ${quoted(here)}`}`
  return [
    ...(path.length === 0 ? [`complete -c ${program} -f`] : []),
    ...words.commands.map((command) => `${begin} -a ${command.name} -d ${quoted(command.description)}`),
    ...(words.argument.kind === 'words' ? [`${begin} -a ${quoted(words.argument.words.join(' '))}`] : []),
    ...words.options.map(
      ({ name, description, values }) => `${begin} -l ${name.slice(2)}${value(values)} -d ${quoted(description)}`,
    ),
    ...words.commands.flatMap((command) => lines(program, command, [...path, command.name])),
  ]
}

/** Where this command is what has been typed so far, and none of its own commands. */
function condition(words: CommandWords, path: readonly string[]): string {
  const tests = path.map((name) => `__fish_seen_subcommand_from ${name}`)
  if (words.commands.length > 0) {
    tests.push(`not __fish_seen_subcommand_from ${words.commands.map(({ name }) => name).join(' ')}`)
  }
  return tests.join('; and ')
}

function value(values: Values): string {
  switch (values.kind) {
    case 'none':
      return ''
    case 'file':
      return ' -r -F'
    case 'words':
      return ` -x -a ${quoted(values.words.join(' '))}`
    case 'any':
      return ' -x'
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
