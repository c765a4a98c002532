import { partitionName } from '../../cluster/snapshot.js'
import type { Output } from '../output.js'
import { groupedLines, listsEach, type Told } from './grouping.js'

/**
 * What was not done, on stderr. For a script each is one line, `topic-partition: code: reason` (cli.md). On a terminal many are
 * told in groups instead, and not at all where stdout, on the same terminal, has those groups (`groupsShown`).
 */
export function noteTold(output: Output, told: readonly Told[], all: boolean, groupsShown = false): void {
  if (output.stderrColumns === null || listsEach(told.length, all)) {
    for (const one of told) output.note(`${partitionName(one)}: ${one.code}: ${one.text}`)
  } else if (!groupsShown || output.columns === null) {
    for (const line of groupedLines(told)) output.note(line)
  }
}
