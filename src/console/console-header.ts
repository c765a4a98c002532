import type { AppView } from './app/screen.js'
import { phaseText } from './applying/run-progress.js'
import { headerLines } from './components/header.js'
import type { ConsoleData } from './console-data.js'
import { clockText, durationText, wholeNumber } from './layout/amounts.js'
import type { Line } from './layout/line.js'
import { partitionsText } from './planning/plan-words.js'
import { dirNotices } from './repairing/dir-notices.js'
import { cameTrueLines } from './screens/alarm/came-true.js'
import { TABS, tabOf } from './screens/tabs.js'
import { colourToken } from './theme.js'

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
      ...(place.colour === null ? {} : { clusterToken: colourToken(place.colour) }),
      clusterId: snapshot?.clusterId ?? null,
      simulated: snapshot?.simulated ?? false,
      readOnly: place.readOnly,
      about: view.params.partition ?? brokersText(data, width),
      read:
        snapshot === null
          ? null
          : {
              ageMs,
              stale: watched.failure !== null || ageMs > STALE_AFTER * watched.refreshMs + 1000,
              complete: diagnosis !== null && diagnosis.progress.notRead === 0,
            },
      silent: [
        ...cameTrueLines(data),
        ...unsure(data),
        ...(tabOf(view.screen) === 'log-dirs' ? [] : dirNotices(data)),
        ...offers(data),
      ],
      alarms: (diagnosis?.alarms ?? []).map(({ text }, index) => (index === 0 ? `${text} !: steps.` : text)),
      running: runningText(data),
      tabs: TABS.map(({ screen, digit, label }) => ({
        digit,
        label: label(data),
        active: tabOf(view.screen) === screen,
      })),
    },
    width,
    look.glyphs,
    look.profile.screenReader,
  )
}

/**
 * Why what is shown may be old, another broker's view, or not all (topics that this user may not see); what else was not read
 * stands on the Brokers screen.
 */
function unsure({ watched }: ConsoleData): string[] {
  const stale = (watched.snapshot?.problems ?? [])
    .filter(({ code }) => code === 'staleView' || code === 'hiddenTopics')
    .map(({ text }) => text)
  return [...(watched.failure === null ? [] : [watched.failure]), ...stale]
}

/** What earlier runs and consoles have left, with the key that takes it up. */
function offers({ unfinished, earlierDraft }: ConsoleData): string[] {
  const orders = unfinished.reduce((sum, { contents }) => sum + (contents?.left.length ?? 0), 0)
  return [
    ...(unfinished.length === 0
      ? []
      : [`An interrupted run may have left ${wholeNumber(orders)} assignments re-ordered: R shows what to put back`]),
    ...(earlierDraft === null
      ? []
      : [
          `Choices of ${clockText(earlierDraft.savedAt)} for ${partitionsText(earlierDraft.draft.entries.size)}: take them up? Y`,
        ]),
  ]
}

function runningText({ run, restore, command, now }: ConsoleData): string | null {
  if (command !== null && command.result === null) {
    const time = durationText(now.getTime() - command.startedAt.getTime())
    return `RUNNING: ${command.name} of broker ${command.broker}, ${time}${command.stopping === null ? '' : '; ending it'}`
  }
  if (restore?.kind === 'running') return 'RESTORING: assignments are being put back'
  if (run === null) return null
  const ended = run.counts.done + run.counts.failed + run.counts.skipped
  return `ELECTING: ${phaseText(run)}, ${wholeNumber(ended)} of ${wholeNumber(run.total)}, ${durationText(now.getTime() - run.startedAt.getTime())}${run.stopping === null ? '' : '; stopping'}`
}

/** "9 brokers: 6 up, 3 DOWN (7 8 9)"; "6 of 9 up, DOWN 7 8 9" where there is little room: who is missing is never cut off for it. */
function brokersText({ diagnosis, watched, place }: ConsoleData, width: number): string {
  if (diagnosis === null) return ''
  const { up, down, fenced } = diagnosis.overview.brokers
  const all = up.length + down.length + fenced.length
  const parts = [`${up.length} up`]
  if (down.length > 0) parts.push(`${down.length} DOWN (${down.join(' ')})`)
  if (fenced.length > 0) parts.push(`${fenced.length} FENCED (${fenced.join(' ')})`)
  const long = `${all} brokers: ${parts.join(', ')}`
  const marks = (watched.snapshot?.simulated === true ? 10 : 0) + (place.readOnly ? 10 : 0)
  const taken = marks + place.name.length + diagnosis.clusterId.length + READ_WIDTH
  if (taken + long.length <= width) return long
  const missing = [
    ...(down.length > 0 ? [`DOWN ${down.join(' ')}`] : []),
    ...(fenced.length > 0 ? [`FENCED ${fenced.join(' ')}`] : []),
  ]
  return [`${up.length} of ${all} up`, ...missing].join(', ')
}

/** Blanks, and "read 12 s ago, in part" at the right end. */
const READ_WIDTH = 28
