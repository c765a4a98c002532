import { bashCompletion } from './bash.js'
import type { CommandWords } from './words.js'

/** zsh runs bash completions by its own bashcompinit: one set of rules to keep right. */
export function zshCompletion(programs: readonly CommandWords[]): string {
  return `autoload -U +X compinit && compinit -u
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(programs)}`
}
