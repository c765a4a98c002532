import { type RunningConsole, runConsole } from '../../../src/console/app/run-console.js'
import type { AppView } from '../../../src/console/app/screen.js'
import { appActions } from '../../../src/console/app-actions.js'
import type { RunOrder, Runs } from '../../../src/console/applying/runs.js'
import { lookFor } from '../../../src/console/components/look.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { headerOf } from '../../../src/console/console-header.js'
import { asRead, firstData } from '../../../src/console/data-as-read.js'
import { createKeyDecoder } from '../../../src/console/keys/decode.js'
import { createLeaving } from '../../../src/console/leaving.js'
import { createScreens, FIRST_SCREEN } from '../../../src/console/screens/all.js'
import { everywhereActions } from '../../../src/console/screens/everywhere.js'
import type { ConsoleServices } from '../../../src/console/services.js'
import type { ListRows } from '../../../src/console/state/rows.js'
import { listOf, topView } from '../../../src/console/state/ui-state.js'
import type { ScreenOutput } from '../../../src/console/terminal/screen-output.js'
import type { Terminal, TerminalHandlers } from '../../../src/console/terminal/terminal.js'
import type { MethodChoice } from '../../../src/recovery/use-cases/plan-recovery.js'
import { settled, type WatchedNight } from '../../recovery/live/watched-night.js'

const SIZE = { columns: 80, rows: 24 }

/** The real console, without a process and a pty: keys go in as bytes, what was read comes when the test says so, and what it would carry out is kept. */
export class NightConsole {
  readonly orders: RunOrder[] = []
  readonly #night: WatchedNight
  readonly #console: RunningConsole<ConsoleData>
  readonly #screens
  readonly #stop: () => void
  #handlers: TerminalHandlers | null = null
  readonly #decoder = createKeyDecoder()

  constructor(night: WatchedNight, { method = 'auto' }: { readonly method?: MethodChoice } = {}) {
    this.#night = night
    const live = night.diagnose({ method })
    const readers = { watcher: night.watcher, live }
    const target = { broker: 1, address: '127.0.0.1:9092', forwards: true, alterVersion: 1, electVersion: 2 }
    const runs: Runs = {
      underWay: null,
      start: (_, order) => void this.orders.push(order),
      hold: (work) => work(),
      stop: () => false,
    }
    const services = {
      cluster: { ...night.cluster, writingTarget: async () => target },
      watcher: night.watcher,
      live,
      runs,
      journals: { storage: { list: async () => [] }, processes: {} },
      readOnly: false,
      method,
      requestTimeoutMs: 30_000,
      recoveryDurationMs: 5_000,
    } as unknown as ConsoleServices
    this.#screens = new Map(createScreens(services).map((screen) => [screen.id, screen]))
    this.#console = runConsole<ConsoleData>({
      terminal: this.#terminal(),
      screens: [...this.#screens.values()],
      actions: [...everywhereActions(services), ...appActions(services, createLeaving(runs))],
      first: FIRST_SCREEN,
      data: firstData(
        {
          name: 'night',
          readOnly: false,
          colour: null,
          program: '',
          connectionOptions: '',
          lesson: null,
          repairCommands: null,
        },
        readers,
        night.clock.now(),
      ),
      header: headerOf,
    })
    const { control } = this.#console
    const changed = () => control.update((data) => asRead(data, readers))
    const stops = [night.watcher.subscribe(changed), live.subscribe(changed)]
    this.#stop = () => {
      for (const stop of stops) stop()
      live.stop()
    }
  }

  get data(): ConsoleData {
    return this.#console.control.data
  }

  get ui() {
    return this.#console.control.ui
  }

  get screen(): string {
    return topView(this.ui).screen
  }

  get list() {
    return listOf(this.ui)
  }

  /** The rows of the view that is shown, as the list keys see them. */
  get rows(): ListRows | null {
    return this.#screens.get(this.screen)?.rows?.(this.view) ?? null
  }

  /** What the screen is a function of. */
  get view(): AppView<ConsoleData> {
    const look = lookFor(this.#profile)
    return { data: this.data, ui: this.ui, view: topView(this.ui), list: this.list, body: SIZE, look }
  }

  get keys(): string[] {
    const { rows } = this
    return rows === null ? [] : Array.from({ length: rows.length }, (_, index) => rows.keyAt(index))
  }

  /** Short words of what the screen that is shown offers to do now. */
  get hints(): string[] {
    const screen = this.#screens.get(this.screen)
    if (screen === undefined) return []
    const context = { ...this.view, screen, row: this.list.cursor, control: this.#console.control }
    return (screen.actions ?? []).flatMap(({ hint, enabled }) =>
      hint !== undefined && (enabled?.(context) ?? true) === true ? [hint] : [],
    )
  }

  /** Whether a mark may be set on this row of the view that is shown. */
  mayMark(key: string): boolean {
    return this.rows?.markable !== false && (this.#screens.get(this.screen)?.mayMark?.(key) ?? true)
  }

  /** Sends keys, as a terminal does, and lets what follows from them happen: a question is there, and armed. */
  async press(keys: string): Promise<void> {
    // A lone escape character is one key here.
    this.#handlers?.onInput([...this.#decoder.push(Buffer.from(keys)), ...this.#decoder.flush()])
    await settled(() => false)
    const armed = () => this.ui.overlay?.kind !== 'question' || this.ui.overlay.armed
    // The gate waits for frames, and these for turns of the event loop.
    for (let turn = 0; turn < 500 && !armed(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    if (!armed()) throw new Error('the question was never armed')
  }

  /** The text that the question on the screen wants typed; null: none is. */
  get wanted(): string | null {
    const { overlay } = this.ui
    return overlay?.kind === 'question' ? overlay.question.expected : null
  }

  /** The cluster as the night has it now is read, and what follows from it is there. */
  async read(): Promise<void> {
    this.#night.show(true)
    await settled(() => false)
  }

  async close(): Promise<void> {
    this.#stop()
    this.#console.control.quit(0)
    await this.#console.finished
  }

  readonly #profile = { colours: false, attributes: false, unicode: true, addressable: true, screenReader: false }

  #terminal(): Terminal {
    const output: ScreenOutput = {
      idle: true,
      bytes: 0,
      muted: false,
      write: () => {},
      onIdle: null,
      onGone: null,
      finish: () => {},
      close: () => {},
    }
    return {
      profile: this.#profile,
      size: SIZE,
      output,
      enter: (handlers) => {
        this.#handlers = handlers
      },
      leave: () => {},
      suspend: () => {},
      outside: (work) => work(),
    }
  }
}
