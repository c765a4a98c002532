import type { Broker } from '../../cluster/snapshot.js'
import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { planToElect } from '../planning/opened-plan.js'
import { dirRows } from './cluster/log-dirs-screen.js'

/** The top-level views, by digit. */
export const TABS: readonly { readonly screen: string; readonly digit: number; label(data: ConsoleData): string }[] = [
  {
    screen: 'partitions',
    digit: 1,
    label: ({ diagnosis }) => counted('Partitions', diagnosis?.overview.offline),
  },
  {
    screen: 'log-dirs',
    digit: 2,
    label: (data) => logDirsLabel(data),
  },
  {
    screen: 'brokers',
    digit: 3,
    label: ({ watched }) => brokersLabel(watched.snapshot?.brokers),
  },
  {
    screen: 'plan',
    digit: 4,
    label: ({ plan }) => `Plan ${wholeNumber(plan?.now == null ? 0 : planToElect(plan.now).partitions.length)}`,
  },
  { screen: 'activity', digit: 5, label: () => 'Activity' },
]

/**
 * Failed ones, with those that had failed before their broker went down: a repair stops its broker, and nothing is mended by that.
 * `+ ?`: a broker that answers did not tell.
 */
function logDirsLabel(data: ConsoleData): string {
  const { snapshot } = data.watched
  if (snapshot === null || snapshot.logDirs === null) return 'Log dirs'
  const rows = dirRows(data)
  const failed = rows.filter(
    ({ standing, noted }) => standing === 'failed' || (standing === 'brokerDown' && noted?.lost != null),
  )
  const untold = rows.some(({ standing }) => standing === 'untold')
  return `${counted('Log dirs', failed.length)}${untold ? ' + ?' : ''}`
}

/** "Brokers 2 down"; "Brokers 2 down, 1 fenced": the same numbers as in the line above. */
function brokersLabel(brokers: readonly Broker[] | undefined): string {
  if (brokers === undefined) return 'Brokers'
  const down = brokers.filter(({ state }) => state === 'down').length
  const fenced = brokers.filter(({ state }) => state === 'fenced').length
  const parts = [
    ...(down > 0 || fenced === 0 ? [`${wholeNumber(down)} down`] : []),
    ...(fenced > 0 ? [`${wholeNumber(fenced)} fenced`] : []),
  ]
  return `Brokers ${parts.join(', ')}`
}

/** Nothing behind the name while the number is not known. */
function counted(name: string, number: number | undefined): string {
  return number === undefined ? name : `${name} ${wholeNumber(number)}`
}

/** Views that belong to a top-level one. */
const BELONGS: Readonly<Record<string, string>> = {
  planned: 'plan',
  report: 'plan',
  group: 'partitions',
  topics: 'partitions',
  dir: 'log-dirs',
  repair: 'log-dirs',
  'repair-text': 'log-dirs',
  'repair-gate': 'log-dirs',
  'repair-return': 'log-dirs',
  'repair-command': 'log-dirs',
}

/** The top-level view that is shown as active. */
export function tabOf(screen: string): string {
  return BELONGS[screen] ?? screen
}
