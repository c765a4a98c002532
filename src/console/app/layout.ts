import type { ReactElement } from 'react'
import type { Look } from '../components/look.js'
import type { Registry } from '../keys/registry.js'
import type { Line } from '../layout/line.js'
import { cursorOf } from '../state/list-state.js'
import { listOf, topView, type UiState } from '../state/ui-state.js'
import type { Size } from '../terminal/terminal.js'
import { bottomLines } from './bottom.js'
import { helpLines } from './help.js'
import type { ActionContext, AppView, ConsoleControl, Screen } from './screen.js'

/** The one value that the whole screen is made from. */
export interface Shown<Data> {
  readonly ui: UiState
  readonly data: Data
  readonly size: Size
}

/** The parts of the screen. */
export interface Layout {
  readonly size: Size
  readonly header: readonly Line[]
  readonly body: ReactElement
  readonly bodySize: Size
  readonly bottom: readonly Line[]
  readonly help: { readonly lines: readonly Line[]; readonly top: number } | null
  /** The question that is among `bottom`. */
  readonly questionId: number | null
}

export interface LayoutParts<Data> {
  readonly screens: ReadonlyMap<string, Screen<Data>>
  readonly registry: Registry<ActionContext<Data>>
  readonly control: ConsoleControl<Data>
  readonly look: Look
  header(view: AppView<Data>, width: number): readonly Line[]
}

/** Rows that a body keeps, whatever the header and a question want. */
const LEAST_BODY = 3

export function layoutOf<Data>(shown: Shown<Data>, parts: LayoutParts<Data>): Layout {
  const { size, ui } = shown
  const context = contextOf(shown, size, parts)
  const header = parts.header(context, size.columns).slice(0, Math.max(1, size.rows - LEAST_BODY - 2))
  const bottom = bottomLines(context, parts.registry, size.columns, Math.max(1, size.rows - header.length - LEAST_BODY))
  const bodySize = { columns: size.columns, rows: Math.max(0, size.rows - header.length - bottom.length) }
  return {
    size,
    header,
    bottom,
    bodySize,
    body: context.screen.render({ ...context, body: bodySize }),
    help:
      ui.overlay?.kind === 'help'
        ? { lines: helpLines(context.screen, parts.registry, size.columns), top: ui.overlay.top }
        : null,
    questionId: ui.overlay?.kind === 'question' ? ui.overlay.id : null,
  }
}

/** What actions are handed. */
export function contextOf<Data>({ ui, data }: Shown<Data>, body: Size, parts: LayoutParts<Data>): ActionContext<Data> {
  const entry = topView(ui)
  const screen = parts.screens.get(entry.screen)
  if (screen === undefined) throw new Error(`no screen ${entry.screen}`)
  const view: AppView<Data> = { data, ui, view: entry, list: listOf(ui), body, look: parts.look }
  const rows = screen.rows?.(view)
  return { ...view, screen, row: rows === undefined ? null : cursorOf(view.list, rows).key, control: parts.control }
}
