import type { ConsoleControl } from '../../app/screen.js'
import type { ConsoleData } from '../../console-data.js'

export const COMPARE_SCREEN = 'compare'

/** Opens one partition's replicas side by side. `name`: its partitionName. */
export function openCompare(control: ConsoleControl<ConsoleData>, name: string): void {
  control.open(COMPARE_SCREEN, { partition: name })
}
