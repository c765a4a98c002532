import type { ReactElement } from 'react'
import { connectCluster } from '../../../src/cluster/connect.js'
import { SYSTEM_CLOCK, watchCluster } from '../../../src/cluster/watcher.js'
import { layoutOf } from '../../../src/console/app/layout.js'
import type { ConsoleControl } from '../../../src/console/app/screen.js'
import { lookFor } from '../../../src/console/components/look.js'
import type { ConsoleData } from '../../../src/console/console-data.js'
import { headerOf } from '../../../src/console/console-header.js'
import { asRead, firstData } from '../../../src/console/data-as-read.js'
import { createRegistry } from '../../../src/console/keys/registry.js'
import { type Line, plainText } from '../../../src/console/layout/line.js'
import { createScreens, FIRST_SCREEN } from '../../../src/console/screens/all.js'
import type { ConsoleServices } from '../../../src/console/services.js'
import { type ListState, settle } from '../../../src/console/state/list-state.js'
import { listOf, newUi, openView, type UiState, type ViewEntry, withList } from '../../../src/console/state/ui-state.js'
import type { Size } from '../../../src/console/terminal/terminal.js'
import { systemClock } from '../../../src/recovery/apply/clock.js'
import { diagnoseLive } from '../../../src/recovery/use-cases/live-diagnosis.js'
import type { Scenario } from '../../../src/simulator/scenario-schema.js'
import { startSimulator } from '../../../src/simulator/simulator.js'

/** What a console on this scenario knows once every log was read, or is known not to be readable. Nothing goes on running. */
export async function dataOf({ events: _, ...scenario }: Scenario): Promise<ConsoleData> {
  const simulator = await startSimulator(scenario)
  try {
    const [host = '', port] = simulator.bootstrapServers.split(',')[0]?.split(':') ?? []
    const cluster = await connectCluster({
      bootstrapServers: [{ host, port: Number(port) }],
      endpoints: new Map(),
      transport: { clientId: 'test', tls: null, sasl: null, readOnly: true },
      requestTimeoutMs: 5_000,
      replicaLogInfoApiKey: 93,
    })
    const watcher = watchCluster(cluster, { refreshMs: 60_000, fullReadMs: 60_000, clock: SYSTEM_CLOCK })
    const live = diagnoseLive(
      cluster,
      watcher,
      {
        durationMs: 1_000,
        rereadMs: 60_000,
        strategy: 'rank',
        method: 'auto',
        accepted: new Set(),
        stoppedForRepair: new Map(),
      },
      systemClock,
    )
    try {
      await new Promise<void>((resolve) => {
        const look = () => {
          const now = live.current()
          if (now === null || now.progress.notRead > 0 || now.progress.reading !== null) return
          end()
          resolve()
        }
        const end = live.subscribe(look)
        queueMicrotask(look)
      })
      const place = {
        name: 'prod-eu',
        readOnly: false,
        colour: null,
        program: 'kafka-recovery',
        connectionOptions: '',
        lesson: scenario.teaches ?? null,
        repairCommands: null,
      }
      const readers = { watcher, live }
      const now = new Date(watcher.current().snapshot!.readAt.getTime() + 12_000)
      return asRead(firstData(place, readers, now), readers)
    } finally {
      live.stop()
      watcher.stop()
      await cluster.close()
    }
  } finally {
    await simulator.stop()
  }
}

/** A screen's lines, before anything is cut. */
export interface Frame {
  readonly header: readonly string[]
  readonly body: readonly string[]
  readonly bottom: readonly string[]
  readonly lines: readonly Line[]
  readonly text: string
}

/** Draws views of the console without a terminal. */
export class DrawnConsole {
  ui: UiState = newUi(FIRST_SCREEN)
  readonly screens
  readonly #parts

  constructor(
    public data: ConsoleData,
    readonly size: Size,
  ) {
    // Rendering asks the services for nothing.
    const services = {} as ConsoleServices
    this.screens = new Map(createScreens(services).map((screen) => [screen.id, screen]))
    this.#parts = {
      screens: this.screens,
      registry: createRegistry([...this.screens.values()].flatMap(({ actions }) => actions ?? [])),
      control: {} as ConsoleControl<ConsoleData>,
      look: lookFor({ colours: false, attributes: false, unicode: true, addressable: true, screenReader: false }),
      header: headerOf,
    }
    this.#settle()
  }

  /** Opens a view on top. */
  show(screen: string, params: ViewEntry['params'] = {}): Frame {
    this.ui = openView(this.ui, { screen, params })
    this.#settle()
    return this.frame()
  }

  changeList(change: (list: ListState) => ListState): Frame {
    this.ui = withList(this.ui, change(listOf(this.ui)))
    this.#settle()
    return this.frame()
  }

  frame(): Frame {
    const layout = layoutOf({ ui: this.ui, data: this.data, size: this.size }, this.#parts)
    const { lines: body } = (layout.body as ReactElement<{ lines: readonly Line[] }>).props
    const plain = (lines: readonly Line[]) => lines.map((line) => plainText(line).trimEnd())
    const lines = [...layout.header, ...body, ...layout.bottom]
    return {
      header: plain(layout.header),
      body: plain(body),
      bottom: plain(layout.bottom),
      lines,
      text: plain(lines).join('\n'),
    }
  }

  /** As the running console does after each change. */
  #settle(): void {
    const entry = this.ui.stack.at(-1)!
    const list = listOf(this.ui)
    const rows = this.screens.get(entry.screen)?.rows?.({
      data: this.data,
      ui: this.ui,
      view: entry,
      list,
      body: this.size,
      look: this.#parts.look,
    })
    if (rows !== undefined) this.ui = withList(this.ui, settle(list, rows))
  }
}
