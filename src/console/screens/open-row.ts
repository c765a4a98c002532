import type { ActionContext } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { Action } from '../keys/registry.js'

type Context = ActionContext<ConsoleData>

/** Enter on a row. On one that has left the list it does nothing: never what took its place. */
export function openRow(
  screen: string,
  names: { readonly label: string; readonly hint: string },
  open: (row: string, context: Context) => void,
): Action<Context> {
  return {
    id: `${screen}.open`,
    keys: ['enter', 'right'],
    ...names,
    hintOrder: 10,
    scope: screen,
    enabled: ({ row }) => row !== null,
    run: (context) => {
      if (context.row !== null) open(context.row, context)
    },
  }
}
