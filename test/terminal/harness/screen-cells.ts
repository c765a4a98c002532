import type { IBufferCell, Terminal } from '@xterm/headless'

/** A colour as the terminal was told it: the theme's own, a number of the 256-colour palette, or red, green and blue in one number. */
export type CellColour =
  | { readonly kind: 'default' }
  | { readonly kind: 'palette'; readonly index: number }
  | { readonly kind: 'rgb'; readonly value: number }

/** One cell of a screen, as a terminal would draw it. */
export interface ScreenCell {
  /** A blank for an empty cell; empty only behind a wide character. */
  readonly text: string
  /** Columns that it takes: 0 is the second half of a wide character. */
  readonly width: number
  readonly foreground: CellColour
  readonly background: CellColour
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
}

/** The rows of the screen as they stand, every cell of them. */
export function screenCells(screen: Terminal): ScreenCell[][] {
  const buffer = screen.buffer.active
  return Array.from({ length: screen.rows }, (_, row) => {
    const line = buffer.getLine(buffer.baseY + row)
    return Array.from({ length: screen.cols }, (_, column) => cellOf(line?.getCell(column)))
  })
}

function cellOf(cell: IBufferCell | undefined): ScreenCell {
  const width = cell?.getWidth() ?? 1
  return {
    text: width === 0 ? '' : cell?.getChars() || ' ',
    width,
    foreground: colourOf(cell?.getFgColor(), cell?.isFgRGB(), cell?.isFgPalette()),
    background: colourOf(cell?.getBgColor(), cell?.isBgRGB(), cell?.isBgPalette()),
    bold: Boolean(cell?.isBold()),
    dim: Boolean(cell?.isDim()),
    italic: Boolean(cell?.isItalic()),
    underline: Boolean(cell?.isUnderline()),
    inverse: Boolean(cell?.isInverse()),
  }
}

function colourOf(value = 0, isRgb = false, isPalette = false): CellColour {
  if (isRgb) return { kind: 'rgb', value }
  return isPalette ? { kind: 'palette', index: value } : { kind: 'default' }
}
