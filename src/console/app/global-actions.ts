import type { Action } from '../keys/registry.js'
import { lineOf } from '../state/line-edit.js'
import type { Overlay } from '../state/ui-state.js'
import type { ActionContext, Screen } from './screen.js'

/** What works everywhere. `quit` is the application's: it may ask first. */
export function globalActions<Data>(
  screens: readonly Screen<Data>[],
  on: {
    readonly overlay: (overlay: Overlay) => void
    readonly quit: () => void
    readonly refuseSuspend: () => string | null
  },
): readonly Action<ActionContext<Data>>[] {
  type Context = ActionContext<Data>
  const tabs = screens.filter((screen) => screen.tab !== undefined)
  const step = (context: Context, by: number) => {
    const at = tabs.findIndex(({ id }) => id === context.ui.stack.at(0)?.screen)
    const next = tabs.at((at + by + tabs.length) % tabs.length)
    if (next !== undefined) context.control.switchTo(next.id)
  }
  return [
    ...tabs.map(
      (screen): Action<Context> => ({
        id: `view.${screen.id}`,
        keys: [String(screen.tab?.digit)],
        label: `view ${screen.title}`,
        scope: 'global',
        run: ({ control }) => control.switchTo(screen.id),
      }),
    ),
    {
      id: 'view.next',
      keys: ['tab'],
      label: 'next view',
      scope: 'global',
      keysOnly: true,
      enabled: () => tabs.length > 1,
      run: (context) => step(context, 1),
    },
    {
      id: 'view.previous',
      keys: ['shift+tab'],
      label: 'previous view',
      scope: 'global',
      keysOnly: true,
      enabled: () => tabs.length > 1,
      run: (context) => step(context, -1),
    },
    {
      id: 'view.back',
      keys: ['h', 'left', 'backspace', 'esc'],
      label: 'back',
      hint: 'back',
      hintOrder: 110,
      scope: 'global',
      enabled: ({ ui }) => ui.stack.length > 1,
      run: ({ control }) => control.back(),
    },
    {
      id: 'commands',
      keys: [':'],
      label: 'commands by name',
      hint: 'commands',
      hintOrder: 120,
      scope: 'global',
      keysOnly: true,
      run: () => on.overlay({ kind: 'palette', edit: lineOf(''), index: 0 }),
    },
    {
      id: 'help',
      keys: ['?', 'f1'],
      label: 'help',
      hint: 'help',
      hintOrder: 130,
      scope: 'global',
      run: () => on.overlay({ kind: 'help', top: 0 }),
    },
    {
      id: 'redraw',
      keys: ['ctrl+l'],
      label: 'draw the screen again',
      scope: 'global',
      run: ({ control }) => control.redraw(),
    },
    {
      id: 'suspend',
      keys: ['ctrl+z'],
      label: 'suspend',
      scope: 'global',
      enabled: () => on.refuseSuspend() ?? true,
      run: ({ control }) => control.suspend(),
    },
    {
      id: 'quit',
      keys: ['q', 'ctrl+c'],
      label: 'quit',
      hint: 'quit',
      hintOrder: 140,
      scope: 'global',
      // An application may give ctrl-c another meaning while something is under way.
      enabled: () => true,
      run: () => on.quit(),
    },
  ]
}
