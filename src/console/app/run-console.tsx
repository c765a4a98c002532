import '../react-mode.js'
import { render } from 'ink'
import { lookFor } from '../components/look.js'
import type { InputEvent } from '../keys/key-event.js'
import { type Action, createRegistry } from '../keys/registry.js'
import type { Line } from '../layout/line.js'
import { asSentence } from '../layout/sentence.js'
import { inkStdout } from '../painter/ink-stdout.js'
import { createLineMarks, LineMarksProvider } from '../painter/line-marks.js'
import { createPainter, DRAW_INTERVAL, type Painter, type PaintStats } from '../painter/painter.js'
import { SPOKEN_INTERVAL, spokenLines } from '../painter/spoken.js'
import { updateBytes } from '../painter/update.js'
import { lineOf } from '../state/line-edit.js'
import { settle } from '../state/list-state.js'
import { createStore } from '../state/store.js'
import {
  back,
  listOf,
  newUi,
  type Overlay,
  openView,
  type Question,
  replaceView,
  switchView,
  type UiState,
  withList,
} from '../state/ui-state.js'
import { type EndSignal, SIGNAL_EXIT } from '../terminal/process-events.js'
import type { Terminal } from '../terminal/terminal.js'
import { globalActions } from './global-actions.js'
import { contextOf, type LayoutParts, layoutOf, type Shown } from './layout.js'
import { listActions } from './list-actions.js'
import { overlayStep } from './overlay-keys.js'
import { Root } from './root.js'
import { type ActionContext, type AppView, actionScopes, type ConsoleControl, type Screen } from './screen.js'

export interface ConsoleOptions<Data> {
  readonly terminal: Terminal
  readonly screens: readonly Screen<Data>[]
  /** Actions that work on every screen, beside the built-in ones. */
  readonly actions?: readonly Action<ActionContext<Data>>[]
  /** Id of the screen that opens. */
  readonly first: string
  readonly data: Data
  /** The lines above the body, the alarms first (components/header.ts makes them). */
  header(view: AppView<Data>, width: number): readonly Line[]
  /** `q` and ctrl-c; without it: quit with 0. May ask, or refuse while an election runs. */
  onQuit?(control: ConsoleControl<Data>): void
  /** SIGTERM, SIGHUP, SIGINT, SIGQUIT; without it: quit with 128 + the signal's number. May finish work first, then `quit`. */
  onSignal?(signal: EndSignal, exit: number, control: ConsoleControl<Data>): void
  /** Why ctrl-z is refused now (a batch is under way); null: it is not. */
  refuseSuspend?(data: Data): string | null
}

/** How a console ended. */
export type ConsoleEnd =
  | { readonly kind: 'quit'; readonly exit: number }
  /** A mistake of the program; the terminal is given back. */
  | { readonly kind: 'failed'; readonly error: unknown }

export interface RunningConsole<Data> {
  readonly control: ConsoleControl<Data>
  /** Never rejects. When it resolves the terminal is as it was. */
  readonly finished: Promise<ConsoleEnd>
  readonly stats: () => PaintStats & { readonly bytes: number }
}

const PASS = { kind: 'pass' } as const

/** Opens the console on the terminal. Everything after this happens through its `control` and by the operator's keys. */
export function runConsole<Data>(options: ConsoleOptions<Data>): RunningConsole<Data> {
  const { terminal } = options
  const screens = new Map(options.screens.map((screen) => [screen.id, screen]))
  const store = createStore<Shown<Data>>({ ui: newUi(options.first), data: options.data, size: terminal.size })
  const painter = painterFor(terminal)
  const marks = createLineMarks()
  const stdout = inkStdout(terminal.size, onFrame)
  let question: { readonly id: number; readonly answer: (text: string | null) => void } | null = null
  let questions = 0
  let renderedQuestion: number | null = null
  let gated: number | null = null
  /** Another program that has the terminal. */
  let outside: { readonly left: AbortController; readonly ended: Promise<unknown> } | null = null
  let finish: (end: ConsoleEnd) => void = () => {}
  let ended = false
  const finished = new Promise<ConsoleEnd>((resolve) => {
    finish = resolve
  })

  // ---- state

  function set(change: Partial<Shown<Data>>, when: 'now' | 'soon'): void {
    const before = store.get()
    let next = { ...before, ...change }
    const context = contextOf(next, next.size, parts)
    const rows = context.screen.rows?.(context)
    // The cursor is settled with each change, before anybody can press a key on it.
    if (rows !== undefined) next = { ...next, ui: withList(next.ui, settle(context.list, rows)) }
    if (when === 'now') painter.urgent()
    store.set(next, when)
  }
  const setUi = (change: (ui: UiState) => UiState) => set({ ui: change(store.get().ui) }, 'now')
  const overlay = (next: Overlay | null) => setUi((ui) => ({ ...ui, overlay: next }))

  const control: ConsoleControl<Data> = {
    get data() {
      return store.get().data
    },
    get ui() {
      return store.get().ui
    },
    update: (change, when = 'soon') => set({ data: change(store.get().data) }, when),
    open: (screen, params = {}) => setUi((ui) => openView(ui, { screen, params })),
    replace: (screen, params = {}) => setUi((ui) => replaceView(ui, { screen, params })),
    switchTo: (screen) => setUi((ui) => switchView(ui, screen)),
    back: () => setUi(back),
    changeList: (change, view) => setUi((ui) => withList(ui, change(listOf(ui, view)), view)),
    notice: (text, token = 'plain') => setUi((ui) => ({ ...ui, notice: { text: asSentence(text), token } })),
    ask,
    quit: (exit) => end({ kind: 'quit', exit }),
    suspend: () => terminal.suspend('group'),
    outside(work) {
      const left = new AbortController()
      const running = terminal.outside(() => work(left.signal))
      const ended = running
        .catch(() => {})
        .then(() => {
          outside = null
        })
      outside = { left, ended }
      return running
    },
    redraw: () => painter.redraw(),
    send: (sequence) => terminal.output.write(sequence),
  }

  // ---- questions

  function ask(asked: Partial<Question> & { readonly label: string }): Promise<string | null> {
    settleQuestion(null)
    questions += 1
    const id = questions
    const full: Question = { body: [], expected: null, initial: '', ...asked }
    return new Promise((answer) => {
      question = { id, answer }
      overlay({ kind: 'question', id, question: full, edit: lineOf(full.initial), armed: false, note: null })
    })
  }

  function settleQuestion(text: string | null): void {
    const open = question
    question = null
    open?.answer(text)
  }

  // ---- drawing

  function onFrame(frame: string): void {
    if (ended) return
    const { overlay: over } = store.get().ui
    if (over?.kind === 'question' && !over.armed && renderedQuestion === over.id && gated !== over.id) gate(over.id)
    painter.frame(marks.expand(frame))
  }

  /**
   * The frame with the question waits until everything that was typed so far is read: none of that counts. Then it is drawn, and from then on
   * keys count. Two turns: the first may come before the event loop looks at stdin again, the second cannot.
   */
  function gate(id: number): void {
    gated = id
    painter.hold()
    setImmediate(() =>
      setImmediate(() =>
        painter.release(() => {
          gated = null
          const { overlay: over } = store.get().ui
          // Not on the screen after all (it got too small): the next frame that carries the question comes here again.
          if (over?.kind !== 'question' || over.id !== id || renderedQuestion !== id) return
          overlay({ ...over, armed: true })
        }),
      ),
    )
  }

  // ---- keys

  function onInput(events: readonly InputEvent[]): void {
    for (const event of events) {
      if (ended) return
      painter.urgent()
      const { overlay: over } = store.get().ui
      onEvent(event)
      // What was typed in one go after such an answer was meant for what comes next, and that is not on the screen yet: it means nothing.
      const answered = over?.kind === 'question' && over.question.expected !== null && question?.id !== over.id
      if (answered) return
    }
  }

  function onEvent(event: InputEvent): void {
    const { ui } = store.get()
    if (ui.notice !== null) set({ ui: { ...ui, notice: null } }, 'now')
    const context = contextOf(store.get(), store.get().size, parts)
    const over = context.ui.overlay
    const step = over === null ? PASS : overlayStep(over, event, context, registry)
    if (step.kind === 'pass') onViewEvent(event, context)
    else if (step.kind === 'ui') setUi(() => step.ui)
    else if (step.kind === 'run') {
      overlay(null)
      run(step.action, step.argument)
    } else {
      overlay(null)
      if (step.why !== null) control.notice(step.why, 'warning')
      settleQuestion(step.text)
    }
  }

  function onViewEvent(event: InputEvent, context: ActionContext<Data>): void {
    if (event.type === 'paste') {
      control.notice('Pasted text is not taken as keys.', 'muted')
      return
    }
    const found = registry.find(event.key, actionScopes(context.screen), context)
    if (found === null) return
    if ('refused' in found) control.notice(found.refused, 'warning')
    else found.action.run(context, null)
  }

  function run(action: Action<ActionContext<Data>>, argument: string | null): void {
    const context = contextOf(store.get(), store.get().size, parts)
    const may = action.enabled?.(context) ?? true
    if (may === true) action.run(context, argument)
    else if (may !== false) control.notice(may, 'warning')
  }

  // ---- the end

  function end(how: ConsoleEnd): void {
    if (ended) return
    ended = true
    settleQuestion(null)
    painter.close()
    terminal.leave()
    store.close()
    ink?.unmount()
    // The shell must not get the terminal while another program still works on it.
    outside?.left.abort()
    if (outside === null) finish(how)
    else void outside.ended.then(() => finish(how))
  }

  const registry = createRegistry<ActionContext<Data>>([
    ...options.screens.flatMap((screen) => screen.actions ?? []),
    ...listActions<Data>((before, edit) => overlay({ kind: 'filter', edit, before })),
    ...(options.actions ?? []),
    ...globalActions(options.screens, {
      overlay,
      quit: () => (options.onQuit === undefined ? control.quit(0) : options.onQuit(control)),
      refuseSuspend: () => options.refuseSuspend?.(store.get().data) ?? null,
    }),
  ])
  const look = lookFor(terminal.profile)
  const parts: LayoutParts<Data> = { screens, registry, control, look, header: options.header }
  let ink: ReturnType<typeof render> | null = null

  terminal.enter({
    onInput,
    onResize(size) {
      painter.resize(size)
      stdout.resize(size)
      // What is confirmed must be seen: drawn anew first, and not at all where it has no room.
      set({ size, ui: unarmed(store.get().ui) }, 'now')
    },
    onRedraw: () => painter.redraw(),
    onSignal(signal) {
      const exit = SIGNAL_EXIT[signal]
      if (options.onSignal === undefined) control.quit(exit)
      else options.onSignal(signal, exit, control)
    },
    maySuspend: () => (options.refuseSuspend?.(store.get().data) ?? null) === null,
    onFatal: (error) => end({ kind: 'failed', error }),
  })
  set({}, 'now')
  ink = render(
    <LineMarksProvider value={marks}>
      <Root
        store={store}
        look={look}
        layout={(state) => layoutOf(state, parts)}
        onRendered={(id) => {
          renderedQuestion = id
        }}
      />
    </LineMarksProvider>,
    {
      stdout: stdout.stream,
      stdin: process.stdin,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
      isScreenReaderEnabled: terminal.profile.screenReader,
    },
  )
  // Ink catches what a screen throws while rendering, and unmounts.
  ink.waitUntilExit().then(
    () => {},
    (error: unknown) => end({ kind: 'failed', error }),
  )
  return { control, finished, stats: () => ({ ...painter.stats, bytes: terminal.output.bytes }) }
}

/** A question that is open counts no keys until it is drawn again. */
function unarmed(ui: UiState): UiState {
  const { overlay } = ui
  return overlay?.kind === 'question' && overlay.armed ? { ...ui, overlay: { ...overlay, armed: false } } : ui
}

function painterFor({ output, size, profile }: Terminal): Painter {
  return createPainter(
    output,
    profile.addressable
      ? { ...size, encode: updateBytes, interval: DRAW_INTERVAL }
      : { ...size, rows: null, encode: spokenLines, interval: SPOKEN_INTERVAL },
  )
}
