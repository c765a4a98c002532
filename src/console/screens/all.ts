import type { Screen } from '../app/screen.js'
import type { ConsoleData } from '../console-data.js'
import type { ConsoleServices } from '../services.js'
import { partitionsScreen } from './partitions.js'

export const FIRST_SCREEN = 'partitions'

/** Every screen of the console. */
export function createScreens(services: ConsoleServices): Screen<ConsoleData>[] {
  return [partitionsScreen(services)]
}
