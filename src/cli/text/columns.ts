import { displayWidth, headWithin, tailWithin } from '../../text/display-width.js'
import { terminalText } from '../../text/terminal-text.js'

export interface Column {
  readonly title: string
  /** Instead of the title where a terminal is too narrow. */
  readonly short?: string
  readonly align?: 'left' | 'right'
  /** Names that may be cut in the middle where a terminal is too narrow. */
  readonly mayCut?: boolean
  /** Left out where a terminal is too narrow, the lowest number first; whatever names the row never is. */
  readonly drop?: number
}

/** Narrower than this a name tells nothing. */
const MIN_CUT_WIDTH = 12
/** Columns are left out rather than names cut below this. */
const NAME_WIDTH = 24
const GAP = '  '

/**
 * Lines of aligned columns. `width`: of the terminal, null where nothing is cut (pipes and files must get whole names). Wide
 * characters count as the two columns that they take. Where it is too narrow titles get short, then columns are left out, then names cut.
 */
export function columns(
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string[] {
  const cells = rows.map((row) => row.map(terminalText))
  const body = heads.map((_, index) => cells.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), 0))
  let shown = heads.map((head, index) => ({ head, index, title: head.title, size: sizeOf(head.title, body[index]) }))
  if (width !== null && totalOf(shown) > width) {
    shown = shown.map((one) => {
      const title = one.head.short ?? one.title
      return { ...one, title, size: sizeOf(title, body[one.index]) }
    })
    shown = withoutDropped(shown, width)
    shrink(shown, width)
  }
  return [shown.map(({ title }) => title), ...cells.map((row) => shown.map(({ index }) => row[index] ?? ''))].map(
    (row) =>
      shown
        .map(({ head, size }, place) => {
          const text = cutMiddle(row[place] ?? '', size, head.mayCut === true)
          const padding = ' '.repeat(Math.max(0, size - displayWidth(text)))
          return head.align === 'right' ? padding + text : text + padding
        })
        .join(GAP)
        .trimEnd(),
  )
}

interface Shown {
  readonly head: Column
  readonly index: number
  readonly title: string
  size: number
}

function sizeOf(title: string, body = 0): number {
  return Math.max(displayWidth(title), body)
}

function totalOf(shown: readonly Shown[], most = Number.POSITIVE_INFINITY): number {
  const sizes = shown.map(({ head, size }) => (head.mayCut === true ? Math.min(size, most) : size))
  return sizes.reduce((sum, size) => sum + size, 0) + GAP.length * (shown.length - 1)
}

function withoutDropped(shown: Shown[], width: number): Shown[] {
  let left = shown
  while (totalOf(left, NAME_WIDTH) > width) {
    const [next] = left
      .filter(({ head }) => head.drop !== undefined)
      .sort((a, b) => (a.head.drop ?? 0) - (b.head.drop ?? 0))
    if (next === undefined) break
    left = left.filter((one) => one !== next)
  }
  return left
}

/** Takes from the widest column that may be cut until the line fits, or nothing more can be taken. */
function shrink(shown: readonly Shown[], width: number): void {
  let excess = totalOf(shown) - width
  while (excess > 0) {
    const [widest] = shown
      .filter(({ head, size }) => head.mayCut === true && size > MIN_CUT_WIDTH)
      .sort((a, b) => b.size - a.size)
    if (widest === undefined) return
    widest.size -= 1
    excess -= 1
  }
}

/** Cut in the middle: the end of a partition's name is its number, the end of a path the directory. */
export function cutMiddle(text: string, width: number, mayCut = true): string {
  if (!mayCut || displayWidth(text) <= width) return text
  const kept = Math.max(2, width - 3)
  return `${headWithin(text, Math.floor(kept / 2))}...${tailWithin(text, Math.ceil(kept / 2))}`
}
