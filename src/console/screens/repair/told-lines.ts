import { partitionName } from '../../../cluster/snapshot.js'
import type { RepairLine } from '../../../repair/repair-lines.js'
import { wholeNumber } from '../../layout/amounts.js'
import { type Line, span } from '../../layout/line.js'
import { wrapSentence } from '../../layout/wrap.js'

/** Names that stand behind a line where the screen has no room for all. */
const EXAMPLES = 3

/** What is known of a repair as lines of a screen; `all`: with every name, and a line about each where there is one. */
export function toldLines(told: readonly RepairLine[], width: number, all: boolean): Line[] {
  return told.flatMap(({ text, indent, tone, partitions, each }) => {
    const shown = all ? partitions : partitions.slice(0, EXAMPLES)
    const rest = partitions.length - shown.length
    const names =
      shown.length === 0
        ? ''
        : `: ${shown.map(partitionName).join(' ')}${rest === 0 ? '' : ` and ${wholeNumber(rest)} more`}`
    const left = '  '.repeat(indent)
    const wrap = (sentence: string, before: string) =>
      wrapSentence(sentence, Math.max(20, width - before.length - 2), '  ').map(
        (line): Line => [span(tone, before + line)],
      )
    return [
      ...wrap(text + names, left),
      ...(all ? each : each.slice(0, EXAMPLES)).flatMap((one) => wrap(one, `${left}  `)),
    ]
  })
}
