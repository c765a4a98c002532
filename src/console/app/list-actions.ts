import type { Action } from '../keys/registry.js'
import { type LineEdit, lineOf } from '../state/line-edit.js'
import {
  endRange,
  type ListState,
  type Move,
  moveCursor,
  toggleMark,
  toggleRange,
  unmarkAll,
} from '../state/list-state.js'
import type { ListRows } from '../state/rows.js'
import type { ActionContext } from './screen.js'

/** What works on every list. `openFilter` is the app's: the filter is typed in its bottom line. */
export function listActions<Data>(
  openFilter: (before: ListState, edit: LineEdit) => void,
): readonly Action<ActionContext<Data>>[] {
  type Context = ActionContext<Data>
  const change = (context: Context, to: (list: ListState, rows: ListRows) => ListState) => {
    const rows = context.screen.rows?.(context)
    if (rows !== undefined) context.control.changeList((list) => onlyMarkable(to(list, rows), list, context))
  }
  const move = (id: string, keys: readonly string[], label: string, to: (list: ListState) => Move) => ({
    id: `list.${id}`,
    keys,
    label,
    scope: 'list' as const,
    keysOnly: true,
    run: (context: Context) => change(context, (list, rows) => moveCursor(list, rows, to(list))),
  })
  const extend = (id: string, keys: readonly string[], label: string, to: (list: ListState) => Move) => ({
    ...move(id, keys, label, to),
    run: (context: Context) =>
      change(context, (list, rows) => moveCursor(list, rows, to(list), rows.markable !== false)),
  })
  const markable = ({ screen, row, ...context }: Context) =>
    screen.rows?.({ ...context }).markable !== false && (row === null || (screen.mayMark?.(row) ?? true))
  const page = (list: ListState) => Math.max(1, list.window.height - 1)
  return [
    move('down', ['down', 'j'], 'down', () => ({ by: 1 })),
    move('up', ['up', 'k'], 'up', () => ({ by: -1 })),
    move('pageDown', ['pagedown', 'ctrl+f'], 'a page down', (list) => ({ by: page(list) })),
    move('pageUp', ['pageup', 'ctrl+b'], 'a page up', (list) => ({ by: -page(list) })),
    move('first', ['home', 'g'], 'to the first', () => ({ to: 0 })),
    move('last', ['end', 'G'], 'to the last', () => ({ to: -1 })),
    extend('markDown', ['shift+down'], 'mark on the way down', () => ({ by: 1 })),
    extend('markUp', ['shift+up'], 'mark on the way up', () => ({ by: -1 })),
    extend('markPageDown', ['shift+pagedown'], 'mark a page down', (list) => ({ by: page(list) })),
    extend('markPageUp', ['shift+pageup'], 'mark a page up', (list) => ({ by: -page(list) })),
    {
      id: 'list.mark',
      keys: ['space'],
      label: 'mark or unmark',
      hint: 'mark',
      hintOrder: 30,
      scope: 'list',
      enabled: (context) => markable(context) && (context.row !== null || goneReason(context)),
      run: (context) => change(context, toggleMark),
    },
    {
      id: 'list.range',
      keys: ['V'],
      label: 'mark a range',
      scope: 'list',
      enabled: (context) =>
        markable(context) && (context.row !== null || context.list.range !== null || goneReason(context)),
      run: (context) => change(context, toggleRange),
    },
    {
      id: 'list.unmark',
      keys: ['u'],
      label: 'unmark all',
      scope: 'list',
      enabled: (context) => context.list.marks.size > 0 || 'nothing is marked',
      run: (context) => change(context, unmarkAll),
    },
    {
      id: 'list.endRange',
      keys: ['esc'],
      label: 'end the range',
      scope: 'list',
      enabled: ({ list }) => list.range !== null,
      run: (context) => change(context, endRange),
    },
    {
      id: 'list.clearFilter',
      keys: ['esc'],
      label: 'clear the filter',
      scope: 'list',
      enabled: ({ list }) => list.range === null && list.filter !== '',
      run: (context) => context.control.changeList((list) => ({ ...list, filter: '' })),
    },
    {
      id: 'list.filter',
      keys: ['/'],
      label: 'filter',
      hint: 'filter',
      hintOrder: 40,
      scope: 'list',
      enabled: ({ screen, ...view }) =>
        screen.filters !== false && (view.list.filter !== '' || (screen.rows?.(view).total ?? 0) > 0),
      run: ({ list }) => openFilter(list, lineOf(list.filter)),
    },
    {
      id: 'list.sort',
      keys: ['s'],
      label: 'sort by the next order',
      scope: 'list',
      enabled: (context) => (context.screen.rows?.(context).sorts.length ?? 0) > 1,
      run: (context) => {
        const rows = context.screen.rows?.(context)
        if (rows === undefined) return
        const next = rows.sorts[(rows.sorts.indexOf(rows.sort?.id ?? '') + 1) % rows.sorts.length]
        if (next !== undefined) context.control.changeList((list) => ({ ...list, sort: next }))
      },
    },
  ]
}

/** Without marks on rows that have none: a range may pass them. */
function onlyMarkable<Data>(next: ListState, before: ListState, { screen }: ActionContext<Data>): ListState {
  const mayMark = screen.mayMark?.bind(screen)
  if (mayMark === undefined || next.marks === before.marks) return next
  const marks = new Set([...next.marks].filter(mayMark))
  return marks.size === next.marks.size ? next : { ...next, marks }
}

function goneReason<Data>({ list, screen, ...view }: ActionContext<Data>): boolean | string {
  const length = screen.rows?.({ ...view, list }).length ?? 0
  return length > 0 && list.cursor !== null ? `The row ${list.cursor} is not in the list any more: move first` : false
}
