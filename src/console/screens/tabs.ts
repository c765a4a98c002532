import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'
import { planToElect } from '../planning/opened-plan.js'

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
    label: ({ watched }) =>
      counted('Log dirs', watched.snapshot?.logDirs?.filter(({ state }) => state === 'offline').length),
  },
  {
    screen: 'brokers',
    digit: 3,
    label({ watched }) {
      const missing = watched.snapshot?.brokers.filter(({ state }) => state !== 'up').length
      return missing === undefined ? 'Brokers' : `Brokers ${wholeNumber(missing)} down`
    },
  },
  {
    screen: 'plan',
    digit: 4,
    label: ({ plan }) => `Plan ${wholeNumber(plan?.now == null ? 0 : planToElect(plan.now).partitions.length)}`,
  },
  { screen: 'activity', digit: 5, label: () => 'Activity' },
]

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
