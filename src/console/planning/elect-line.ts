import type { Place } from '../console-data.js'
import { shellWord } from './plan-words.js'

/** The command line that applies a plan file on this cluster, as it can be typed here. */
export function electLine({ program, connectionOptions }: Place, path: string): string {
  return [program, 'elect', '--plan', shellWord(path), connectionOptions].filter((part) => part !== '').join(' ')
}
