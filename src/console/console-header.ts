import type { AppView } from './app/screen.js'
import { headerLines } from './components/header.js'
import type { ConsoleData } from './console-data.js'
import type { Line } from './layout/line.js'
import { TABS } from './screens/tabs.js'

/** Data older than this many refreshes is called stale. */
const STALE_AFTER = 3

/** What stands above every view: where we are, how old what is shown is, alarms, and the views. */
export function headerOf({ data, view, look }: AppView<ConsoleData>, width: number): readonly Line[] {
  const { watched, diagnosis, place, now } = data
  const { snapshot } = watched
  const ageMs = snapshot === null ? 0 : now.getTime() - snapshot.readAt.getTime()
  return headerLines(
    {
      cluster: place.name,
      clusterId: snapshot?.clusterId ?? null,
      simulated: snapshot?.simulated ?? false,
      readOnly: place.readOnly,
      about: view.params.partition ?? brokersText(data),
      read:
        snapshot === null
          ? null
          : {
              ageMs,
              stale: watched.failure !== null || ageMs > STALE_AFTER * watched.refreshMs + 1000,
              complete: diagnosis !== null && diagnosis.progress.notRead === 0,
            },
      silent: watched.failure === null ? [] : [watched.failure],
      alarms: diagnosis?.alarms.map(({ text }) => text) ?? [],
      running: null,
      tabs: TABS.map(({ screen, digit, label }) => ({ digit, label: label(data), active: view.screen === screen })),
    },
    width,
    look.glyphs,
    look.profile.screenReader,
  )
}

/** "9 brokers: 6 up, 3 DOWN (7 8 9)" */
function brokersText({ diagnosis }: ConsoleData): string {
  if (diagnosis === null) return ''
  const { up, down, fenced } = diagnosis.overview.brokers
  const parts = [`${up.length} up`]
  if (down.length > 0) parts.push(`${down.length} DOWN (${down.join(' ')})`)
  if (fenced.length > 0) parts.push(`${fenced.length} FENCED (${fenced.join(' ')})`)
  return `${up.length + down.length + fenced.length} brokers: ${parts.join(', ')}`
}
