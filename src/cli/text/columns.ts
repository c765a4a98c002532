import { displayWidth, headWithin, tailWithin } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Names that may be cut in the middle where a terminal is too narrow. */
  readonly mayCut?: boolean
}

/** Narrower than this a name tells nothing. */
const MIN_CUT_WIDTH = 12
const GAP = '  '

/**
 * Lines of aligned columns. `width`: of the terminal, null where nothing is cut (pipes and files must get whole names). Wide
 * characters count as the two columns that they take.
 */
export function columns(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const cells = [heads.map(({ title }) => title), ...rows.map((row) => row.map(terminalText))]
  const widths = heads.map((_, index) => cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), 0))
  if (width !== null) shrink(heads, widths, width)
  return cells.map((row) =>
    heads
      .map((head, index) => {
        const size = widths[index] ?? 0
        const text = cutMiddle(row[index] ?? '', size, head.mayCut === true)
        const padding = ' '.repeat(Math.max(0, size - displayWidth(text)))
        return head.align === 'right' ? padding + text : text + padding
      })
      .join(GAP)
      .trimEnd(),
  )
}

/** Takes from the widest column that may be cut until the line fits, or nothing more can be taken. */
function shrink(heads: readonly Column[], widths: number[], width: number): void {
  let excess = widths.reduce((sum, size) => sum + size, 0) + GAP.length * (widths.length - 1) - width
  while (excess > 0) {
    let widest = -1
    heads.forEach((head, index) => {
      if (head.mayCut === true && (widths[index] ?? 0) > (widths[widest] ?? MIN_CUT_WIDTH)) widest = index
    })
    if (widest === -1) return
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
}

/** Cut in the middle: the end of a partition's name is its number, the end of a path the directory. */
export function cutMiddle(text: string, width: number, mayCut = true): string {
  if (!mayCut || displayWidth(text) <= width) return text
  const kept = Math.max(2, width - 3)
  return `${headWithin(text, Math.floor(kept / 2))}...${tailWithin(text, Math.ceil(kept / 2))}`
}
