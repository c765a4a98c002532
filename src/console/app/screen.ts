import type { ReactElement } from 'react'
import type { Look } from '../components/look.js'
import type { Action } from '../keys/registry.js'
import type { ListState } from '../state/list-state.js'
import type { ListRows } from '../state/rows.js'
import type { Question, UiState, ViewEntry } from '../state/ui-state.js'
import type { Size } from '../terminal/terminal.js'
import type { Token } from '../theme.js'

/**
 * Everything that a screen is a function of. `Data` is what the application knows (what was read, drafts, a run under way): one immutable value
 * that `ConsoleControl.update` replaces.
 */
export interface AppView<Data> {
  readonly data: Data
  readonly ui: UiState
  /** The view that is shown, with what it is about. */
  readonly view: ViewEntry
  /** Its list; a new one where it was never opened. */
  readonly list: ListState
  /** Room of the screen's body. */
  readonly body: Size
  readonly look: Look
}

/** One screen of the console. Pure: the same view renders the same. */
export interface Screen<Data> {
  /** Also the scope of its actions. */
  readonly id: string
  /** How help names it: "Partitions". */
  readonly title: string
  /** Top-level views have a digit; the label may carry a count. */
  readonly tab?: { readonly digit: number; label(data: Data): string }
  /** What the list keys move on; none: the screen has no list. Called often: answer from `createRows`, which remembers. */
  rows?(view: AppView<Data>): ListRows
  /** False: its rows are steps or replicas, not a list that is looked through; no filter is offered. */
  readonly filters?: false
  /** Which of its rows may be marked; none given: all, unless `rows` say that marks mean nothing here. */
  mayMark?(key: string): boolean
  /** Takes `view.body` columns and rows, not more. */
  render(view: AppView<Data>): ReactElement
  readonly actions?: readonly Action<ActionContext<Data>>[]
}

/** What an action gets: the view, the row that it acts on, and what it may do. */
export interface ActionContext<Data> extends AppView<Data> {
  readonly screen: Screen<Data>
  /** The key of the row under the cursor; null: no list, an empty one, or the row has left the list. Never a neighbour. */
  readonly row: string | null
  readonly control: ConsoleControl<Data>
}

/** What can be done to a running console, by actions and by the application. */
export interface ConsoleControl<Data> {
  readonly data: Data
  readonly ui: UiState
  /** New data. `soon` (what was read): drawn at most 15 times a second. `now`: the answer to a key. */
  update(change: (data: Data) => Data, when?: 'now' | 'soon'): void
  open(screen: string, params?: Readonly<Record<string, string>>): void
  /** Next, previous: in the place of the view that is shown. */
  replace(screen: string, params?: Readonly<Record<string, string>>): void
  /** A top-level view. */
  switchTo(screen: string): void
  back(): void
  /** The list of the view that is shown, or of another one. */
  changeList(change: (list: ListState) => ListState, view?: ViewEntry): void
  /** One line until the next key. */
  notice(text: string, token?: Token): void
  /**
   * Asks the operator. Resolves with what was typed; with `expected`, only if it is exactly that. Null: cancelled (esc, ctrl-c, another text, another
   * question). Pasted text, and keys from before the question was on the screen, do not count where a text is expected.
   */
  ask(question: Partial<Question> & { readonly label: string }): Promise<string | null>
  /** Leaves the console; `finished` resolves with this exit code. */
  quit(exit: number): void
  suspend(): void
  /** Another program gets the terminal ($EDITOR), until it ends. When the console is left meanwhile (SIGTERM) `left` aborts: it is to end then, and is waited for. */
  outside<T>(work: (left: AbortSignal) => Promise<T>): Promise<T>
  redraw(): void
  /** Sent to the terminal as it is, between frames (OSC 52 for the clipboard). Only sequences of our own making. */
  send(sequence: string): void
}

export function actionScopes<Data>(screen: Screen<Data>): string[] {
  return [screen.id, ...(screen.rows === undefined ? [] : ['list']), 'global']
}
