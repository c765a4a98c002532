import type { InputEvent, KeyEvent } from '../keys/key-event.js'
import type { Registry } from '../keys/registry.js'
import { editKey, insertPaste, type LineEdit, textOf } from '../state/line-edit.js'
import { filterList } from '../state/list-state.js'
import { type Overlay, type UiState, withList } from '../state/ui-state.js'
import { type ActionContext, actionScopes } from './screen.js'

/** What an overlay does with an event. */
export type OverlayStep<Data> =
  | { readonly kind: 'ui'; readonly ui: UiState }
  /** A question is answered (null: cancelled). */
  | { readonly kind: 'answer'; readonly text: string | null; readonly why: string | null }
  /** A command was chosen. */
  | {
      readonly kind: 'run'
      readonly action: Registry<ActionContext<Data>>['actions'][number]
      readonly argument: string | null
    }
  /** The overlay has no use for it: the global keys may. */
  | { readonly kind: 'pass' }

const CANCEL = new Set(['esc', 'ctrl+c'])

/** Keys and pastes while something lies over the view. None of them reaches the view. */
export function overlayStep<Data>(
  overlay: Overlay,
  event: InputEvent,
  context: ActionContext<Data>,
  registry: Registry<ActionContext<Data>>,
): OverlayStep<Data> {
  const { ui } = context
  const show = (next: Overlay | null): OverlayStep<Data> => ({ kind: 'ui', ui: { ...ui, overlay: next } })
  if (event.type === 'key' && (event.key === 'ctrl+z' || event.key === 'ctrl+l')) return { kind: 'pass' }
  switch (overlay.kind) {
    case 'help': {
      if (event.type === 'paste') return show(overlay)
      const by = HELP_MOVES[event.key]
      return by === undefined ? show(null) : show({ kind: 'help', top: Math.max(0, overlay.top + by) })
    }
    case 'filter': {
      const filter = (text: string, next: Overlay | null): OverlayStep<Data> => {
        const list = { ...context.list, filter: text }
        const rows = context.screen.rows?.({ ...context, list })
        const after = rows === undefined ? list : filterList(context.list, text, rows)
        return { kind: 'ui', ui: { ...withList(ui, after), overlay: next } }
      }
      if (event.type === 'key' && CANCEL.has(event.key)) {
        return { kind: 'ui', ui: { ...withList(ui, overlay.before), overlay: null } }
      }
      if (event.type === 'key' && event.key === 'enter') return show(null)
      // Nothing left to take back: out of the filter, as in vi.
      if (event.type === 'key' && event.key === 'backspace' && overlay.edit.characters.length === 0) return show(null)
      const edit = edited(overlay.edit, event)
      return edit === null ? show(overlay) : filter(textOf(edit), { ...overlay, edit })
    }
    case 'palette': {
      const found = registry.palette(textOf(overlay.edit), actionScopes(context.screen), context)
      const last = found.length - 1
      if (event.type === 'key') {
        if (CANCEL.has(event.key)) return show(null)
        if (event.key === 'backspace' && overlay.edit.characters.length === 0) return show(null)
        if (event.key === 'up' || event.key === 'shift+tab')
          return show({ ...overlay, index: Math.max(0, overlay.index - 1) })
        if (event.key === 'down' || event.key === 'tab')
          return show({ ...overlay, index: Math.min(last, overlay.index + 1) })
        if (event.key === 'enter') {
          const chosen = found[overlay.index]
          return chosen === undefined ? show(null) : { kind: 'run', ...chosen }
        }
      }
      const edit = edited(overlay.edit, event)
      return edit === null ? show(overlay) : show({ ...overlay, edit, index: 0 })
    }
    case 'question':
      return questionStep(overlay, event, show)
  }
}

/** Lines by which help moves; every other key closes it. */
const HELP_MOVES: Readonly<Record<string, number>> = {
  j: 1,
  k: -1,
  down: 1,
  up: -1,
  pagedown: 10,
  pageup: -10,
  space: 10,
  g: -10_000,
  home: -10_000,
}

function questionStep<Data>(
  overlay: Extract<Overlay, { kind: 'question' }>,
  event: InputEvent,
  show: (next: Overlay) => OverlayStep<Data>,
): OverlayStep<Data> {
  const { question, edit, armed } = overlay
  const { expected } = question
  // To cancel is safe at any time.
  if (event.type === 'key' && CANCEL.has(event.key)) return { kind: 'answer', text: null, why: null }
  if (expected !== null && !armed) return show(overlay)
  if (event.type === 'paste') {
    if (expected !== null) return show({ ...overlay, note: 'Pasted text does not count: type it.' })
    return show({ ...overlay, edit: insertPaste(edit, event.text), note: null })
  }
  if (event.key === 'enter') {
    const text = textOf(edit)
    if (expected === null || text === expected) return { kind: 'answer', text, why: null }
    return { kind: 'answer', text: null, why: 'Cancelled: that was not the text asked for.' }
  }
  const next = editKey(edit, event)
  return next === null ? show(overlay) : show({ ...overlay, edit: next, note: null })
}

function edited(edit: LineEdit, event: InputEvent): LineEdit | null {
  return event.type === 'paste' ? insertPaste(edit, event.text) : editKey(edit, event satisfies KeyEvent)
}
