import type { Comparison, Ruler } from '../../../recovery/comparison/comparison.js'
import { columnScale, cutsOf, scaleSegments } from '../../../recovery/comparison/ruler.js'
import type { Look } from '../../components/look.js'
import { wholeNumber } from '../../layout/amounts.js'
import { pad } from '../../layout/cut.js'
import { type Line, type Span, span, withRight } from '../../layout/line.js'
import { sentenceLines } from '../../layout/sentence.js'
import { wrapSentence } from '../../layout/wrap.js'
import { epochSigns } from './epoch-signs.js'

/** The logs drawn from where they part: one row for each replica, the same offset in the same column everywhere. */
export function rulerLines({ ruler, parting }: Comparison, width: number, look: Look): Line[] {
  if (parting === null)
    return sentenceLines(
      'No log that was read can be compared: none was read, or they are empty or without epochs.',
      width,
    )
  const common =
    parting.sameFrom === null
      ? `nothing in common up to ${wholeNumber(parting.at)}`
      : `same up to ${wholeNumber(parting.at)}`
  if (ruler === null) {
    const [only, ...others] = parting.compared
    const end = wholeNumber(parting.at)
    const said =
      others.length === 0
        ? `Only the log of ${only ?? '?'} was read; it ends at ${end}.`
        : `The logs that were read (${parting.compared.join(', ')}) are the same to their ends, ${end}.`
    return sentenceLines(said, width)
  }
  // Rows of digits are nothing to listen to; what each holds beyond is told with the losses.
  if (look.profile.screenReader)
    return sentenceLines(`The logs that were read: ${common}; the furthest ends at ${wholeNumber(ruler.to)}.`, width)
  const signs = epochSigns(ruler)
  const idWidth = Math.max(...ruler.rows.map(({ broker }) => String(broker).length))
  const left = 3 + idWidth + 2
  // The mark of the end takes a column of its own.
  const columns = Math.max(4, width - left - 2)
  const segments = ruler.rows.map((row) => row.segments ?? [])
  const columnOf = columnScale(cutsOf(segments), ruler.from, ruler.to, columns)
  const legend =
    signs.legend === null
      ? []
      : wrapSentence(signs.legend, width - 4).map((text): Line => [span('muted', `   ${text}`)])
  return [
    withRight(
      `   ${common}; from there (digits: leader epoch)`,
      `${wholeNumber(ruler.to)} `,
      width,
      look.glyphs.ellipsis,
    ),
    ...ruler.rows.map(
      (row): Line => [
        `   ${pad(String(row.broker), idWidth, 'left')}  `,
        ...rowSpans(row, ruler, columns, columnOf, signs.sign),
      ],
    ),
    ...legend,
  ]
}

function rowSpans(
  { segments }: Ruler['rows'][number],
  { from, to }: Ruler,
  columns: number,
  columnOf: ReturnType<typeof columnScale>,
  sign: (epoch: number | null) => string,
): Span[] {
  if (segments === null) return [span('unknown', '?'.repeat(columns + 1))]
  const runs = scaleSegments(segments, from, to, columns, columnOf)
  const last = runs.findLastIndex(({ epoch }) => epoch !== undefined)
  if (last === -1) return ['|']
  return [
    ...runs
      .slice(0, last + 1)
      .map(({ epoch, columns: count }) => (epoch === undefined ? ' ' : sign(epoch)).repeat(count)),
    '|',
  ]
}
