import type { ConsoleData } from '../console-data.js'
import { wholeNumber } from '../layout/amounts.js'

/** The top-level views, by digit. */
export const TABS: readonly { readonly screen: string; readonly digit: number; label(data: ConsoleData): string }[] = [
  {
    screen: 'partitions',
    digit: 1,
    label: ({ diagnosis }) => `Partitions ${wholeNumber(diagnosis?.overview.offline ?? 0)}`,
  },
]
