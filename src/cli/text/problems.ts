import type { ReadProblem } from '../../cluster/snapshot.js'
import type { Output } from '../output.js'

/** What could not be read, on stderr, one line each, the same line once. */
export function noteProblems(output: Output, problems: readonly ReadProblem[]): void {
  for (const text of new Set(problems.map(({ text }) => text))) output.note(`warning: ${text}`)
}
