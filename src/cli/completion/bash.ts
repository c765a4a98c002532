import type { CommandWords, Values } from './words.js'

/** A script for bash 3.2 and newer, without the bash-completion package. Words come from the definitions: plain ASCII. */
export function bashCompletion(programs: readonly CommandWords[]): string {
  return `${programs.map(program).join('\n')}\n`
}

function program(words: CommandWords): string {
  const name = `_${words.name.replaceAll('-', '_')}`
  return `${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${paths(words, '')
  .map((path) => `      "${path}") path="${path}" ;;`)
  .join('\n')}
    esac
  done
  COMPREPLY=()
  case "$path $previous" in
${cases(words, '').join('\n')}
  esac
  case "$path" in
${offers(words, '').join('\n')}
  esac
}
complete -F ${name} ${words.name}`
}

/** Each command as the words that lead to it: " profiles add". */
function paths(words: CommandWords, before: string): string[] {
  return words.commands.flatMap((command) => [
    `${before} ${command.name}`,
    ...paths(command, `${before} ${command.name}`),
  ])
}

/** What stands after an option that takes a value. */
function cases(words: CommandWords, path: string): string[] {
  const own = words.options.flatMap(({ name, values }) =>
    values.kind === 'none' ? [] : [`    "${path} ${name}") ${reply(values)}; return ;;`],
  )
  return [...own, ...words.commands.flatMap((command) => cases(command, `${path} ${command.name}`))]
}

function offers(words: CommandWords, path: string): string[] {
  const all = [
    ...words.commands.map(({ name }) => name),
    ...words.options.map(({ name }) => name),
    ...(words.argument.kind === 'words' ? words.argument.words : []),
  ]
  return [
    `    "${path}") ${reply({ kind: 'words', words: all })} ;;`,
    ...words.commands.flatMap((command) => offers(command, `${path} ${command.name}`)),
  ]
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'file':
      // shellcheck would have mapfile here, which bash 3.2 (macOS) lacks.
      return `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current"))`
    case 'words':
      return `COMPREPLY=($(compgen -W "${values.words.join(' ')}" -- "$current"))`
    default:
      return ':'
  }
}
