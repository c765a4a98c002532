import { displayWidth } from '../../text/display-width.js'
import { keyLabel, type Registry } from '../keys/registry.js'
import { pad } from '../layout/cut.js'
import { type Line, span } from '../layout/line.js'
import { wrapSentence } from '../layout/wrap.js'
import type { Screen } from './screen.js'
import { type ActionContext, actionScopes } from './screen.js'

/** Columns for the keys. */
const KEYS = 22

/** All that a list has of steps or replicas: nothing is looked through or marked there. */
const MOVES: ReadonlySet<string> = new Set(
  ['down', 'up', 'pageDown', 'pageUp', 'first', 'last'].map((id) => `list.${id}`),
)

/** The help of a screen: every action that has a key there, scope by scope, from the registry. */
export function helpLines<Data>(screen: Screen<Data>, registry: Registry<ActionContext<Data>>, width: number): Line[] {
  const titles: Readonly<Record<string, string>> = { list: 'Lists', global: 'Everywhere', [screen.id]: screen.title }
  const lines: Line[] = []
  for (const { scope, actions } of registry.help(actionScopes(screen))) {
    if (lines.length > 0) lines.push('')
    lines.push([' ', span('title', titles[scope] ?? scope)])
    const offered = scope === 'list' && screen.filters === false ? actions.filter(({ id }) => MOVES.has(id)) : actions
    for (const action of offered) {
      const keys = action.keys.map(keyLabel).join(' ')
      const name = `${action.label}${action.argument === undefined ? '' : ` ${action.argument}`}`
      const [first = '', ...more] = wrapSentence(name, width - KEYS - 3)
      // It has no key: its name is what is typed.
      if (keys === '' && displayWidth(name) >= KEYS) {
        lines.push(['  ', span('key', `:${name}`)])
        continue
      }
      lines.push(['  ', span('key', pad(keys === '' ? `:${action.label}` : keys, KEYS, 'left')), ` ${first}`])
      for (const text of more) lines.push(`${' '.repeat(KEYS + 3)}${text}`)
    }
  }
  return [...lines, '', [' ', span('title', 'Signs')], ...signLines(width)]
}

/** What stands beside rows and steps and is no word. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['>', 'the row that keys act on'],
  ['~', 'that row has left the list: keys act on nothing until the cursor is moved'],
  ['*', 'marked'],
  ['1,200 + ?', 'at least 1,200; what was not read comes on top'],
  ['NOT YET', 'a step that must not be done now: what stands in its way is named below it'],
  ['later', 'a step whose turn comes after the others'],
]

function signLines(width: number): Line[] {
  return SIGNS.flatMap(([sign, meaning]) => {
    const [first = '', ...more] = wrapSentence(meaning, width - KEYS - 3)
    return [
      ['  ', span('key', pad(sign, KEYS, 'left')), ` ${first}`],
      ...more.map((text): Line => `${' '.repeat(KEYS + 3)}${text}`),
    ] satisfies Line[]
  })
}
