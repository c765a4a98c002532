import type { Line } from '../layout/line.js'
import type { Token } from '../theme.js'
import type { LineEdit } from './line-edit.js'
import { type ListState, newList } from './list-state.js'

/** A view on the stack: which screen, and of what. */
export interface ViewEntry {
  /** Id of the screen. */
  readonly screen: string
  /**
   * What it shows (`{ partition: 'orders-12' }`); empty for the top-level views. `marks` names marks that several views share: a
   * row that goes from one of their lists to another stays marked.
   */
  readonly params: Readonly<Record<string, string>>
}

/** A question to the operator, asked by `ask`. */
export interface Question {
  /** One line: what is to be typed, and what for. */
  readonly label: string
  /** What the operator must know before answering; stands above the label. */
  readonly body: readonly Line[]
  /** Only this text, typed, is a yes: pasted text and keys from before the question showed do not count. Null: any text, pasting allowed. */
  readonly expected: string | null
  /** What stands in the line at first; for free text. */
  readonly initial: string
}

/** What lies over the view and has the keys. */
export type Overlay =
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'palette'; readonly edit: LineEdit; readonly index: number }
  /** `before`: the list to come back to when the filter is given up. */
  | { readonly kind: 'filter'; readonly edit: LineEdit; readonly before: ListState }
  | {
      readonly kind: 'question'
      readonly id: number
      readonly question: Question
      readonly edit: LineEdit
      /** The question is on the terminal, and what was typed before it was read: keys count. */
      readonly armed: boolean
      readonly note: string | null
    }

/** One line to the operator, until the next key. */
export interface Notice {
  readonly token: Token
  readonly text: string
}

/** What the console itself remembers; what was read from the cluster is not in it. */
export interface UiState {
  /** The last is shown; never empty. */
  readonly stack: readonly ViewEntry[]
  /** Lists by `viewKey`: kept when a view is left, so that coming back finds cursor, marks and filter. */
  readonly lists: ReadonlyMap<string, ListState>
  /** Marks that several views share, by their `marks` parameter. */
  readonly sharedMarks: ReadonlyMap<string, ReadonlySet<string>>
  readonly overlay: Overlay | null
  readonly notice: Notice | null
}

export function newUi(screen: string): UiState {
  return { stack: [{ screen, params: {} }], lists: new Map(), sharedMarks: new Map(), overlay: null, notice: null }
}

/** Names a view and what it shows: the same again is the same list. */
export function viewKey({ screen, params }: ViewEntry): string {
  return [screen, ...Object.entries(params).map(([name, value]) => `${name}=${value}`)].join('\n')
}

export function topView(ui: UiState): ViewEntry {
  const top = ui.stack.at(-1)
  if (top === undefined) throw new Error('no view')
  return top
}

export function listOf(ui: UiState, view: ViewEntry = topView(ui)): ListState {
  const own = ui.lists.get(viewKey(view)) ?? newList()
  const marks = view.params.marks === undefined ? undefined : ui.sharedMarks.get(view.params.marks)
  return marks === undefined || marks === own.marks ? own : { ...own, marks }
}

export function withList(ui: UiState, list: ListState, view: ViewEntry = topView(ui)): UiState {
  if (listOf(ui, view) === list) return ui
  const lists = new Map(ui.lists).set(viewKey(view), list)
  const { marks } = view.params
  if (marks === undefined || ui.sharedMarks.get(marks) === list.marks) return { ...ui, lists }
  return { ...ui, lists, sharedMarks: new Map(ui.sharedMarks).set(marks, list.marks) }
}

/** One deeper. */
export function openView(ui: UiState, entry: ViewEntry): UiState {
  return { ...ui, stack: [...ui.stack, entry], overlay: null }
}

/** In the place of the top one (next, previous). */
export function replaceView(ui: UiState, entry: ViewEntry): UiState {
  return { ...ui, stack: [...ui.stack.slice(0, -1), entry], overlay: null }
}

/** A top-level view; what lay on the old one is closed. */
export function switchView(ui: UiState, screen: string): UiState {
  return { ...ui, stack: [{ screen, params: {} }], overlay: null }
}

/** One back; the first view stays. */
export function back(ui: UiState): UiState {
  return ui.stack.length < 2 ? ui : { ...ui, stack: ui.stack.slice(0, -1), overlay: null }
}
