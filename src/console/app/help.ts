import { keyLabel, type Registry } from '../keys/registry.js'
import { pad } from '../layout/cut.js'
import { type Line, span } from '../layout/line.js'
import type { Screen } from './screen.js'
import { type ActionContext, actionScopes } from './screen.js'

/** The help of a screen: every action that has a key there, scope by scope, from the registry. */
export function helpLines<Data>(screen: Screen<Data>, registry: Registry<ActionContext<Data>>): Line[] {
  const titles: Readonly<Record<string, string>> = { list: 'Lists', global: 'Everywhere', [screen.id]: screen.title }
  const lines: Line[] = []
  for (const { scope, actions } of registry.help(actionScopes(screen))) {
    if (lines.length > 0) lines.push('')
    lines.push([span('title', titles[scope] ?? scope)])
    for (const action of actions) {
      const keys = action.keys.map(keyLabel).join(' ')
      const name = `${action.label}${action.argument === undefined ? '' : ` ${action.argument}`}`
      lines.push(['  ', span('key', pad(keys === '' ? `:${action.label}` : keys, 22, 'left')), ` ${name}`])
    }
  }
  return lines
}
