import type { CellColour, ScreenCell } from '../terminal/harness/screen-cells.js'

/** What a picture looks like. The widths are DejaVu Sans Mono's: 1233 of 2048 units of the font size. */
const FONT_SIZE = 14
const CELL_WIDTH = (FONT_SIZE * 1233) / 2048
const CELL_HEIGHT = 18
const BASELINE = 13.5
const MARGIN = 14
const FONTS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

/** A dark terminal of today: legible on white and on black pages. */
const FOREGROUND = '#d8dee9'
const BACKGROUND = '#14181f'
const PALETTE = [
  '#3b4252',
  '#ff6b70',
  '#8fd18a',
  '#f0c674',
  '#6ea8fe',
  '#d79bea',
  '#6fd3dd',
  '#d8dee9',
  '#8a93a5',
  '#ff8f93',
  '#b1e3ad',
  '#ffdf9e',
  '#9cc4ff',
  '#e8bff5',
  '#a1e9f0',
  '#ffffff',
] as const

interface Look {
  readonly colour: string
  readonly background: string
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
}

/** Cells of one look, side by side. */
interface Run extends Look {
  readonly column: number
  readonly columns: number
  readonly text: string
}

/** The screen as an SVG document; every run of text is held to its columns, whatever font the viewer has. */
export function svgOf(rows: readonly (readonly ScreenCell[])[], title: string): string {
  const columns = Math.max(...rows.map((row) => row.length))
  const width = number(columns * CELL_WIDTH + 2 * MARGIN)
  const height = number(rows.length * CELL_HEIGHT + 2 * MARGIN)
  const runs = rows.map(runsOf)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}" font-size="${FONT_SIZE}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...runs.flatMap((row, index) => row.map((run) => backgroundOf(run, index))),
    ...runs.flatMap((row, index) => row.map((run) => textOf(run, index))),
    '</svg>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n')
}

/** Text apart from blanks, and what is not ASCII apart from what is: fonts differ most there. */
function runsOf(cells: readonly ScreenCell[]): Run[] {
  const runs: Run[] = []
  for (const [column, cell] of cells.entries()) {
    if (cell.width === 0) continue
    const look = lookOf(cell)
    const last = runs.at(-1)
    if (last !== undefined && last.column + last.columns === column && sameLook(last, look) && joins(last, cell)) {
      runs[runs.length - 1] = { ...last, columns: last.columns + cell.width, text: last.text + cell.text }
    } else runs.push({ ...look, column, columns: cell.width, text: cell.text })
  }
  return runs
}

function joins(run: Run, cell: ScreenCell): boolean {
  const kind = (text: string) => /^[\x20-\x7e]*$/.test(text)
  return cell.width === 1 && kind(run.text) === kind(cell.text)
}

function lookOf({ foreground, background, bold, dim, italic, underline, inverse }: ScreenCell): Look {
  const ink = shown(foreground, FOREGROUND)
  const paper = shown(background, BACKGROUND)
  return { colour: inverse ? paper : ink, background: inverse ? ink : paper, bold, dim, italic, underline }
}

const sameLook = (a: Look, b: Look) =>
  a.colour === b.colour &&
  a.background === b.background &&
  a.bold === b.bold &&
  a.dim === b.dim &&
  a.italic === b.italic &&
  a.underline === b.underline

/** The 256-colour palette as xterm lays it out: 16 of the theme, a cube of 6 x 6 x 6, 24 grays. */
function shown(colour: CellColour, otherwise: string): string {
  if (colour.kind === 'default') return otherwise
  if (colour.kind === 'rgb') return hex(colour.value)
  const { index } = colour
  const named = PALETTE[index]
  if (named !== undefined) return named
  if (index >= 232) return hex((8 + (index - 232) * 10) * 0x010101)
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return hex((level(Math.floor(cube / 36)) << 16) | (level(Math.floor(cube / 6) % 6) << 8) | level(cube % 6))
}

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`
const number = (value: number) => String(Math.round(value * 100) / 100)
const x = (column: number) => number(MARGIN + column * CELL_WIDTH)

function backgroundOf({ background, column, columns }: Run, row: number): string {
  if (background === BACKGROUND) return ''
  return `<rect x="${x(column)}" y="${MARGIN + row * CELL_HEIGHT}" width="${number(columns * CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${background}" shape-rendering="crispEdges"/>`
}

function textOf(run: Run, row: number): string {
  const { text, column, columns, colour, bold, dim, italic, underline } = run
  if (text.trim() === '' && !underline) return ''
  const y = MARGIN + row * CELL_HEIGHT + BASELINE
  const attributes = [
    `x="${x(column)}" y="${number(y)}" textLength="${number(columns * CELL_WIDTH)}" fill="${colour}"`,
    bold ? 'font-weight="bold"' : '',
    dim ? 'opacity="0.62"' : '',
    italic ? 'font-style="italic"' : '',
    underline ? 'text-decoration="underline"' : '',
  ]
  return `<text xml:space="preserve" ${attributes.filter((one) => one !== '').join(' ')}>${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
