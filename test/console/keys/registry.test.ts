import { describe, expect, it } from 'vitest'
import { hintLine } from '../../../src/console/app/bottom.js'
import { type Action, createRegistry } from '../../../src/console/keys/registry.js'
import { plainText } from '../../../src/console/layout/line.js'

// Proves: dispatch, help, palette and hints come from the same actions, and two actions never want one key.

interface Context {
  readonly marked: number
}
const action = (id: string, scope: string, keys: string[], more: Partial<Action<Context>> = {}): Action<Context> => ({
  id,
  keys,
  scope,
  label: id,
  run: () => {},
  ...more,
})
const actions = [
  action('open', 'partitions', ['enter'], { hint: 'open', hintOrder: 1, label: 'open group' }),
  action('plan', 'partitions', ['p'], {
    label: 'plan what is marked',
    hint: 'plan',
    enabled: ({ marked }) => marked > 0 || 'nothing is marked',
  }),
  action('file', 'partitions', [], { label: 'open plan', argument: 'FILE' }),
  action('endRange', 'list', ['esc'], { enabled: ({ marked }) => marked === 7 }),
  action('down', 'list', ['j', 'down'], { keysOnly: true }),
  action('back', 'global', ['esc', 'h'], { hint: 'back', hintOrder: 5 }),
  action('quit', 'global', ['q'], { hint: 'quit', hintOrder: 9 }),
]
const scopes = ['partitions', 'list', 'global']
const registry = createRegistry(actions)
const ids = (list: readonly Action<Context>[]) => list.map(({ id }) => id)

describe('the registry', () => {
  it('finds the nearest scope that may; a reason is told, a plain no passes the key on', () => {
    const found = (key: string, marked: number) => {
      const result = registry.find(key, scopes, { marked })
      return result === null ? null : 'action' in result ? result.action.id : result.refused
    }
    expect(found('esc', 7)).toBe('endRange')
    expect(found('esc', 0)).toBe('back')
    expect(found('p', 0)).toBe('nothing is marked')
    expect(found('p', 1)).toBe('plan')
    expect(found('z', 1)).toBeNull()
    expect(registry.find('p', ['global'], { marked: 1 })).toBeNull()
  })

  it('help tells every action of the scopes, in order', () => {
    expect(registry.help(scopes).map(({ scope, actions: list }) => [scope, ids(list)])).toEqual([
      ['partitions', ['open', 'plan', 'file']],
      ['list', ['endRange', 'down']],
      ['global', ['back', 'quit']],
    ])
  })

  it('hints are what can be done now', () => {
    expect(ids(registry.hints(scopes, { marked: 0 }))).toEqual(['open', 'back', 'quit'])
    expect(ids(registry.hints(scopes, { marked: 1 }))).toEqual(['open', 'back', 'quit', 'plan'])
    expect(plainText(hintLine(registry.hints(scopes, { marked: 0 }), 80))).toBe(' enter open  esc back  q quit  ')
  })

  it('the palette finds by name, by words, and with an argument; never by what only keys do', () => {
    const found = (text: string) =>
      registry
        .palette(text, scopes, { marked: 1 })
        .map(({ action: one, argument }) => (argument === null ? one.id : `${one.id}(${argument})`))
    expect(found('open')[0]).toBe('open')
    expect(found('plan marked')).toEqual(['plan'])
    expect(found('open plan /tmp/A b.json')[0]).toBe('file(/tmp/A b.json)')
    expect(found('')).not.toContain('down')
    expect(found('nothing like it')).toEqual([])
  })

  it('does not let two actions want one key of one scope, nor one id', () => {
    expect(() => createRegistry([action('a', 'list', ['x']), action('b', 'list', ['x'])])).toThrow(
      'x means a and b in list',
    )
    expect(() => createRegistry([action('a', 'list', []), action('a', 'global', [])])).toThrow('two actions')
    expect(() => createRegistry([action('a', 'list', ['x']), action('b', 'global', ['x'])])).not.toThrow()
  })
})
